import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { idsOf } from '../../../../db/rows.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import { claimsOf } from '../../write/locks/claims.ts'
import { moveAttached } from '../../write/merge/attached.ts'
import type { CardPlan, CardState, Writer } from '../../write/record.ts'
import { audiencesOf } from './live.ts'
import { writeManyCards } from './many-cards.ts'
import type { Merger } from './record.ts'

/** Cards: the images, values, identifiers and child cards of one become those of the other. */
export const cardMerger: Merger = {
  claims: async (tx, { from, into }) => {
    const cards = [...from, into, ...(await childrenOf(tx, from))]
    const named = cards.map((id) => ({ type: 'cards', id }))
    return claimsOf(tx, named, [])
  },
  work: async (tx, { from, into }, writer) => {
    await mergeCards(tx, new Map(from.map((id) => [id, into])), writer)
    return []
  },
}

/**
 * Merges cards into others (`targets` by id). The targets get what belongs to the cards and keep their own fields, but take an
 * image if they have none. The cards in `moved` go to another set.
 */
export const mergeCards = async (
  tx: Transaction,
  targets: ReadonlyMap<string, string>,
  writer: Writer,
  moved: { cards: ReadonlySet<string>; setId?: string } = { cards: new Set() },
) => {
  const gone = [...targets.keys()]
  const into = [...new Set(targets.values())]
  const images = await findImages(tx, gone)
  await moveAttached(tx, 'cards', { targets, audiences: await audiencesOf(tx, 'cards', into) }, writer)
  const imageOf = (id: string) => gone.flatMap((one) => (targets.get(one) === id ? (images.get(one) ?? []) : []))[0]
  const followed = ({ parent_id }: CardState, id: string) => {
    const parent = targets.get(parent_id ?? '') ?? parent_id
    return parent === id ? null : parent
  }
  const kept = [...new Set([...into, ...(await childrenOf(tx, gone))])].filter((id) => !targets.has(id))
  const plans = [
    ...gone.map((id): CardPlan => ({ id, change: (now) => (now ? { ...now, deleted: true } : notFound()) })),
    ...kept.map((id): CardPlan => {
      const setId = moved.cards.has(id) ? moved.setId : undefined
      const merged = (now: CardState) => ({
        ...now,
        set_id: setId ?? now.set_id,
        parent_id: followed(now, id),
        image_uuid: now.image_uuid ?? imageOf(id) ?? null,
      })
      return { id, setId, change: (now) => (now ? merged(now) : notFound()) }
    }),
  ]
  await writeManyCards(tx, plans, writer)
}

const findImages = async (tx: Transaction, ids: string[]): Promise<Map<string, string>> => {
  const rows = await tx.sql<{ id: string; image: string }[]>`
    select id, image_uuid as image from cards
    where id = any(${arrayOf(ids)}::text::uuid[]) and image_uuid is not null`
  return new Map(rows.map((row) => [row.id, row.image]))
}

/** The live cards that were made from these cards. */
export const childrenOf = (tx: Transaction, ids: string[]): Promise<string[]> =>
  idsOf(tx.sql<{ id: string }[]>`
    select id from cards where parent_id = any(${arrayOf(ids)}::text::uuid[]) and deleted_at is null`)
