import { Type } from '@sinclair/typebox'
import { levelOf } from '../../access/caller.ts'
import { plainType } from '../../http/plain-type.ts'
import type { Call } from '../../http/route.ts'
import { readDocument } from '../../jsonapi/document.ts'
import { type Fault, validationFailed } from '../../jsonapi/errors.ts'
import { boolean, integer, longText, nullable, oneOf, optional, time, uuid } from '../../jsonapi/fields.ts'
import { flatFaults, readFlat } from '../../jsonapi/flat-body.ts'
import { isObject } from '../../jsonapi/json.ts'
import { sizes } from '../../limits.ts'
import type { CollectedCard, Owner, Status } from './cards.ts'
import type { Wish } from './put.ts'

/** Where the collection is. */
export const path = '/v1/user/collection'

const status = () => oneOf(['have', 'want'])

/** What a PATCH may change. */
export const changeable = {
  status: optional(status()),
  quantity: optional({ ...integer(1, 9999), description: 'How many of it. 1 unless said.' }),
  note: optional(nullable(longText())),
}

/** What may be set on a new card. */
export const writable = {
  ...changeable,
  card_id: { ...uuid(), description: 'The card. One that was merged is the one that it became.' },
  status: status(),
}

/** What may be said of each card in a batch. */
export const batched = {
  ...writable,
  status: { ...nullable(status()), description: 'Null takes the card out.' },
}

/** The type of a collection's cards. */
export const shape = plainType({
  type: 'collection-cards',
  name: 'CollectionCard',
  description: 'A card that an account has or wants.',
  attributes: {
    card_id: uuid(),
    set_id: uuid(),
    status: status(),
    quantity: integer(1, 9999),
    note: nullable(Type.String()),
    created_at: time(),
    updated_at: time(),
  },
  fields: ['card_id', 'status'],
})

/** One of them as a resource object. */
export const renderCard = (baseUrl: string, card: CollectedCard, fields?: Set<string>) =>
  shape.render(`${baseUrl}${path}/${card.id}`, card.id, card, fields)

/** Whose collection a request is about. Operators collect drafts, too; everyone else sees what is published. */
export const ownerOf = ({ caller }: Call): Owner => ({
  userId: caller.userId ?? '',
  level: Math.min(2, levelOf(caller)),
})

type Given = { card_id: string; status: Status | null; quantity?: number; note?: string | null }

const wishOf = ({ card_id: cardId, ...given }: Given): Wish => ({ ...given, cardId: cardId.toLowerCase() })

/** Reads a document that puts a card into the collection. */
export const readWish = async (call: Call): Promise<Wish> => {
  const { attributes } = readDocument(await call.body(), {
    ...{ type: shape.type, attributes: writable, relationships: {}, readOnly: shape.names },
  })
  return wishOf(attributes as Given)
}

/** Reads a document that changes one of its cards. */
export const readChange = async (call: Call, id: string) =>
  readDocument(await call.body(), {
    ...{ type: shape.type, id, attributes: changeable, relationships: {}, readOnly: shape.names },
  }).attributes as { status?: Status; quantity?: number; note?: string | null }

/** What a batch says: some cards, and whether those that are there stay as they are. */
export const batch = Type.Object(
  {
    cards: Type.Array(Type.Object(batched), { minItems: 1, maxItems: sizes.collectedAtOnce.most }),
    keep: optional({ ...boolean(), description: 'Cards that are there stay as they are, as in a first merge.' }),
  },
  { $id: 'CollectionBatch' },
)

/** Reads a batch. 422 with a fault for each row, member and rule. */
export const readBatch = async (call: Call): Promise<{ wishes: Wish[]; keeps: boolean }> => {
  const members = readFlat(await call.body(), 10 * sizes.collectedAtOnce.most)
  const rows: unknown[] = Array.isArray(members.cards) ? members.cards : []
  const faults = [...flatFaults(batch, members), ...rows.flatMap(faultsOfRow)]
  if (faults.length > 0) throw validationFailed(faults)
  return { wishes: (rows as Given[]).map(wishOf), keeps: members.keep === true }
}

const row = Type.Object(batched)

const faultsOfRow = (given: unknown, place: number): Fault[] =>
  isObject(given)
    ? flatFaults(row, given).map(({ pointer, detail }) => ({ pointer: `/cards/${place}${pointer}`, detail }))
    : []
