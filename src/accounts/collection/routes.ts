import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import { smallBody } from '../../http/body.ts'
import { limitParameter, pageNameParameter, pageParameters } from '../../http/parameters.ts'
import { pathId } from '../../http/path-id.ts'
import { showNew, showOne, showPage, spanOf } from '../../http/plain-type.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { conflict, noSuch, validationFailed } from '../../jsonapi/errors.ts'
import { nullable, uuid } from '../../jsonapi/fields.ts'
import { type QueryShape, readQuery, refuseUnknown } from '../../jsonapi/query.ts'
import { sizes } from '../../limits.ts'
import { exampleId, exampleUrl } from '../action.ts'
import { changeCard, getCard, listCards, readCollectionMarks, removeCard, stateOf } from './cards.ts'
import {
  batch,
  changeable,
  ownerOf,
  path,
  readBatch,
  readChange,
  readWish,
  renderCard,
  shape,
  writable,
} from './document.ts'
import { putCards } from './put.ts'

const filters: QueryShape['filters'] = {
  status: { kind: 'text', values: ['have', 'want'] },
  set_id: { kind: 'uuid' },
  card_id: { kind: 'uuid' },
}

const list = async (context: Context, call: Call): Promise<Reply> => {
  const query = readQuery(call.url.searchParams, {
    ...shape.query,
    ...{ filters, paginated: true, oldPageNames: ['limit', 'pageName'] },
  })
  const { status, set_id: set, card_id: card } = query.filters
  const filter = { status: status?.value, setId: set?.value, cardId: card?.value }
  const { rows, total } = await listCards(context.db, ownerOf(call), filter, spanOf(query))
  const data = rows.map((row) => renderCard(context.config.baseUrl, row, query.fields.get(shape.type)))
  return showPage(`${context.config.baseUrl}${path}`, query, { data, total }, call)
}

const retrieve = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  return showOne(renderCard(config.baseUrl, await getCard(db, ownerOf(call), pathId(call)), fields), call)
}

const create = async (context: Context, call: Call): Promise<Reply> => {
  refuseUnknown(call.url.searchParams)
  const owner = ownerOf(call)
  const { created, ids, missing } = await putCards(context, owner, [await readWish(call)], {
    keeps: true,
    now: call.now,
  })
  const pointer = '/data/attributes/card_id'
  if (missing.length > 0) throw validationFailed([noSuch('card', { pointer })])
  if (created === 0) throw conflict('The collection has this card already. Change it instead.', { pointer })
  return showNew(renderCard(context.config.baseUrl, await getCard(context.db, owner, ids[0] ?? '')))
}

const change = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  const owner = ownerOf(call)
  const { id } = await getCard(db, owner, pathId(call))
  await changeCard(db, owner, id, { ...(await readChange(call, pathId(call))), at: call.now.toISOString() })
  return showOne(renderCard(config.baseUrl, await getCard(db, owner, id), fields), call)
}

const remove = async ({ db }: Context, call: Call): Promise<Reply> => {
  refuseUnknown(call.url.searchParams)
  await removeCard(db, ownerOf(call), pathId(call))
  return { status: 204 }
}

const putMany = async (context: Context, call: Call): Promise<Reply> => {
  refuseUnknown(call.url.searchParams)
  const { wishes, keeps } = await readBatch(call)
  const { ids: _, ...put } = await putCards(context, ownerOf(call), wishes, { keeps, now: call.now })
  return { status: 200, body: put }
}

/** Everything at once, or only the state if that is the one that the caller knows. */
const showMarks = async ({ db }: Context, call: Call): Promise<Reply> => {
  refuseUnknown(call.url.searchParams, ['state'])
  const owner = ownerOf(call)
  const state = await stateOf(db, owner.userId)
  const isKnown = call.url.searchParams.get('state') === state
  return { status: 200, body: { state, sets: isKnown ? null : await readCollectionMarks(db, owner) } }
}

const example = renderCard(exampleUrl, {
  ...{ id: exampleId, card_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', set_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f' },
  ...{ status: 'have', quantity: 2, note: 'One of them signed' },
  ...{ created_at: '2026-11-21T12:00:00.000Z', updated_at: '2026-11-21T12:00:00.000Z' },
})
const exampleCard = example.attributes.card_id
const creation = shape.written('CollectionCardCreation', writable)
const update = shape.written('CollectionCardUpdate', changeable, { id: uuid() })

const count = (description: string) => Type.Integer({ minimum: 0, description })
const outcome = Type.Object(
  {
    created: count('Cards that came into the collection.'),
    updated: count('Cards that were there and are changed.'),
    kept: count('Cards that were there and stay as they are.'),
    deleted: count('Cards that were taken out.'),
    missing: Type.Array(uuid(), { description: 'Ids that name no card of the catalog.' }),
    before: Type.String({ description: 'The state before. If it is that of your copy, the copy misses nothing.' }),
    state: Type.String({ description: 'The state now.' }),
  },
  { $id: 'CollectionBatchOutcome' },
)
const marks = Type.Object(
  {
    state: Type.String({ description: 'Another one after each change.' }),
    sets: nullable(Type.Array(Type.Object({ set_id: uuid(), have: Type.Array(uuid()), want: Type.Array(uuid()) }))),
  },
  { $id: 'CollectionMarks' },
)

const shared: Pick<Route, 'tag' | 'access'> = { tag: 'Collection', access: 'session' }

/** The collection of the signed-in user. */
export const collectionRoutes: Route[] = [
  {
    ...{ ...shared, method: 'GET', path },
    operationId: 'listCollection',
    summary: 'List your collection',
    description: 'In the order in which cards came. A card that isn’t public at the moment is kept, but not shown.',
    query: {
      ...shape.parameters,
      ...{ ...pageParameters('cards'), ...limitParameter, ...pageNameParameter },
      'filter[status]': { schema: writable.status, description: 'Only what you have, or want.' },
      'filter[set_id]': { schema: uuid(), description: 'Only cards of this set.' },
      'filter[card_id]': { schema: uuid(), description: 'Only this card.' },
    },
    answers: { 200: { description: 'The cards.', schema: shape.page } },
    refusals: [400],
    handle: list,
  },
  {
    ...{ ...shared, method: 'POST', path },
    operationId: 'createCollectionCard',
    summary: 'Put a card into your collection',
    description: `As one that you have or want. A card can be in it once; it has at most ${sizes.collectedCards.most} cards.`,
    body: {
      ...{ schema: creation, maxBytes: smallBody },
      example: { data: { type: shape.type, attributes: { card_id: exampleCard, status: 'have', quantity: 2 } } },
    },
    answers: { 201: shape.one('The card.', example) },
    refusals: [409, 422],
    handle: create,
  },
  {
    ...{ ...shared, method: 'GET', path: `${path}/:id` },
    operationId: 'getCollectionCard',
    summary: 'Get a card of your collection',
    description: 'By its id in the collection, which isn’t the card’s.',
    query: shape.parameters,
    answers: { 200: shape.one('The card.', example) },
    refusals: [400],
    handle: retrieve,
  },
  {
    ...{ ...shared, method: 'PATCH', path: `${path}/:id` },
    operationId: 'updateCollectionCard',
    summary: 'Change a card of your collection',
    description: 'Its status, quantity or note.',
    query: shape.parameters,
    body: {
      ...{ schema: update, maxBytes: smallBody },
      example: { data: { type: shape.type, id: exampleId, attributes: { status: 'have', note: null } } },
    },
    answers: { 200: shape.one('The changed card.', example) },
    refusals: [400, 409, 422],
    handle: change,
  },
  {
    ...{ ...shared, method: 'DELETE', path: `${path}/:id` },
    operationId: 'deleteCollectionCard',
    summary: 'Take a card out of your collection',
    description: 'The card itself stays in the catalog.',
    answers: { 204: { description: 'Taken out.' } },
    handle: remove,
  },
  {
    ...{ ...shared, method: 'POST', path: `${path}/batch`, flat: true },
    operationId: 'putCollectionCards',
    summary: 'Put many cards into your collection',
    description: `Up to ${sizes.collectedAtOnce.most} at once: new ones come in, others are changed, and those with the status null are taken out. All of it or, with an error, nothing.`,
    body: {
      schema: batch,
      example: { cards: [{ card_id: exampleCard, status: 'have' }], keep: true },
    },
    answers: {
      200: {
        ...{ description: 'What was done.', schema: outcome },
        example: { created: 1, updated: 0, kept: 0, deleted: 0, missing: [], before: '0-', state: '1-1795348800000' },
      },
    },
    refusals: [409, 422],
    handle: putMany,
  },
  {
    ...{ ...shared, method: 'GET', path: `${path}/marks`, flat: true },
    operationId: 'getCollectionMarks',
    summary: 'Get all of your collection as ids',
    description:
      'By sets, for a program that keeps a copy. Send the `state` of your copy: if it is still that, `sets` is null.',
    query: { state: { schema: Type.String(), description: 'The state that you know.' } },
    answers: {
      200: {
        ...{ description: 'The cards’ ids by sets.', schema: marks },
        example: {
          state: '1-1795348800000',
          sets: [{ set_id: example.attributes.set_id, have: [exampleCard], want: [] }],
        },
      },
    },
    refusals: [400],
    handle: showMarks,
  },
]
