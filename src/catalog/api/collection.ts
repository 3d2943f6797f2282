import { type TSchema, Type } from '@sinclair/typebox'
import { levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { badRequest, type Fault, quoteSent, validationFailed } from '../../jsonapi/errors.ts'
import { isId, link, text, uuid } from '../../jsonapi/fields.ts'
import { isObject, readJson } from '../../jsonapi/json.ts'
import { readListQuery } from '../../jsonapi/list-query.ts'
import { included, jsonApiVersion, resourceSchema } from '../../jsonapi/schema.ts'
import { documentText } from '../../jsonapi/serialize.ts'
import { characters, isUnstorable } from '../../jsonapi/text-faults.ts'
import { typeAmong } from '../../jsonapi/type-names.ts'
import { sizes } from '../../limits.ts'
import { cardsByNumber } from '../list/cards-by-number.ts'
import { typesIn } from '../model/fields.ts'
import type { Resource } from '../model/resource.ts'
import { resourceInV2 } from '../model/v2.ts'
import { findMerged } from '../show/merged.ts'
import { recordsOf, showRecords } from '../show/pages.ts'
import { exampleId } from './documented.ts'
import { parametersInV2, shapesInV2 } from './query-v2.ts'

/** How many cards one request may name, and how many it may return, since many cards of a set can share a number. */
const collectionLimits = { asked: sizes.collectionAsked.most, answered: sizes.collectionAnswered.most }

/** What a request asks for: a card by its id, or the cards of a set that have a number. */
type Asked = { sent: unknown; id: string } | { sent: unknown; setId: string; number: string }

/** POST /v2/cards/collection: the requested cards, in the order of the request, and what was not found. */
const collectCards = async (context: Context, call: Call): Promise<Reply> => {
  const query = readListQuery(call.url.searchParams, shapesInV2(resourceInV2('cards')).read)
  const level = levelOf(call.caller)
  const asked = readAsked(await call.body())
  const first = await findCards(context, asked, level)
  const followed = await follow(context, asked, first.missing, level)
  const { records, missing } = followed ? await findCards(context, followed, level) : first
  const { texts, included } = await showRecords(context, call, records, query, level)
  return {
    status: 200,
    body: documentText(`${context.config.baseUrl}${call.url.pathname}${call.url.search}`, {
      data: `[${texts.join(',')}]`,
      included,
      meta: { not_found: missing.map(({ sent }) => sent) },
    }),
  }
}

/** The requested cards, each once, and the requests that found none. */
const findCards = async (context: Context, asked: Asked[], level: number) => {
  const byNumber = await findByNumber(context, asked, level)
  const named = asked.map((one, index) => ('id' in one ? [one.id] : (byNumber.get(index) ?? [])))
  const ids = [...new Set(named.flat())]
  if (ids.length > collectionLimits.answered) throw tooMany(named)
  const identifiers = ids.map((id) => ({ type: 'cards', id }))
  const records = await recordsOf(context, identifiers, level)
  const found = new Set(records.map(({ row }) => row.id))
  return { records, missing: asked.filter((_, index) => !named[index]?.some((id) => found.has(id))) }
}

/** The same with merged cards and sets replaced by their targets, if something was not found. */
const follow = async ({ db }: Context, asked: Asked[], missing: Asked[], level: number) => {
  const ids = missing.map((one) => ('id' in one ? one.id : one.setId))
  const merged = await findMerged(db, ids, level)
  if (merged.size === 0) return undefined
  const idOf = (id: string) => merged.get(id)?.id ?? id
  return asked.map((one) => ('id' in one ? { ...one, id: idOf(one.id) } : { ...one, setId: idOf(one.setId) }))
}

const tooMany = (named: string[][]) => {
  const most = Math.max(...named.map(({ length }) => length))
  return validationFailed([
    {
      pointer: `/data/${named.findIndex(({ length }) => length === most)}`,
      detail: `The response would have more than ${collectionLimits.answered} cards. List a set’s cards with filter[set] and filter[number] instead.`,
    },
  ])
}

/** The visible cards of sets with a number, by the position of the request, each list ordered by id. */
const findByNumber = async ({ db }: Context, asked: Asked[], level: number): Promise<Map<number, string[]>> => {
  const places = asked.flatMap((one, index) => ('number' in one ? [{ ...one, index }] : []))
  const found = await cardsByNumber(db, places, level, collectionLimits.answered + 1)
  return new Map(places.map(({ index }, place) => [index, found[place] ?? []]))
}

const readAsked = (body: Uint8Array): Asked[] => {
  const document = readJson(body, 10_000)
  if (!isObject(document) || !Array.isArray(document.data))
    throw badRequest('The body must be an object with a data array.')
  const { data } = document
  if (data.length === 0 || data.length > collectionLimits.asked)
    throw validationFailed([{ pointer: '/data', detail: `Must name 1 to ${collectionLimits.asked} cards.` }])
  const faults: Fault[] = []
  const asked = data.flatMap((one, index) => readOne(one, `/data/${index}`, faults) ?? [])
  if (faults.length > 0) throw validationFailed(faults)
  return asked
}

const readOne = (sent: unknown, pointer: string, faults: Fault[]): Asked | undefined => {
  const fault = (detail: string, member = '') => void faults.push({ pointer: `${pointer}${member}`, detail })
  if (!isObject(sent)) return fault('Must be an object with type and id, or with type, set_id and number.')
  const { type, id, set_id: setId, number, ...others } = sent
  const before = faults.length
  if (!typeAmong(['cards'], type)) fault('Must be cards.', '/type')
  for (const name of Object.keys(others)) fault(`The member ${quoteSent(name.toWellFormed())} is not allowed here.`)
  if (id !== undefined) {
    if (!isId(id)) fault('Must be a UUID.', '/id')
    if (setId !== undefined || number !== undefined) fault('Send an id, or a set_id and a number, but not both.')
    return faults.length > before ? undefined : { sent, id: String(id).toLowerCase() }
  }
  if (!isId(setId)) fault('Must be a UUID.', '/set_id')
  if (typeof number !== 'string' || isUnstorable(number) || characters(number) > 255)
    fault('Must be a string of at most 255 characters.', '/number')
  return faults.length > before ? undefined : { sent, setId: String(setId).toLowerCase(), number: String(number) }
}

/** POST /v2/cards/collection. */
export const collectionRoute = (cards: Resource): Route => {
  const { read } = shapesInV2(cards)
  const example = exampleId('cards')
  return {
    tag: 'Cards',
    access: 'catalog',
    scope: 'read',
    method: 'POST',
    path: '/v2/cards/collection',
    operationId: 'collectCardsV2',
    summary: `Get up to ${collectionLimits.asked} cards by id, or by set and number`,
    description:
      'Returns the cards in the order of the request, each once. If several cards of the set share a number, all of them are returned. `meta.not_found` lists what was not found, as you sent it.',
    query: parametersInV2(cards, read, typesIn(cards, read.include)),
    body: {
      schema: askedSchema(),
      example: {
        data: [
          { type: 'cards', id: example },
          { type: 'cards', set_id: exampleId('sets'), number: '57' },
        ],
      },
    },
    answers: {
      200: {
        description: 'The cards.',
        schema: collectedSchema(resourceSchema(cards)),
      },
    },
    refusals: [400, 422],
    handle: collectCards,
  }
}

const askedSchema = () =>
  Type.Object(
    {
      data: Type.Array(
        Type.Union([
          Type.Object({ type: Type.Literal('cards'), id: uuid() }),
          Type.Object({ type: Type.Literal('cards'), set_id: uuid(), number: text() }),
        ]),
        { minItems: 1, maxItems: collectionLimits.asked },
      ),
    },
    { $id: 'CardsAskedV2' },
  )

const collectedSchema = (card: TSchema) =>
  Type.Object(
    {
      jsonapi: jsonApiVersion(),
      links: Type.Object({ self: link() }),
      data: Type.Array(card),
      included: included('/v2'),
      meta: Type.Object({ not_found: Type.Array(Type.Unknown()) }),
    },
    { $id: 'CardsCollectedV2' },
  )
