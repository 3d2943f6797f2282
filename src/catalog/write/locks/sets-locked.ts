import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { askSets, lateOf } from './order.ts'

/** A set as a writer of its cards needs it: its place in checklist order, who sees it, how many live cards it has. */
export type LockedSet = { id: string; no: number; audience: number; liveCards: number }

/**
 * Locks sets against every other writer of their cards or status, in the order of `no`; the first lock that a
 * transaction of the door takes. Sets that do not exist are not in the answer.
 */
export const lockSets = async (tx: Transaction, ids: string[]): Promise<Map<string, LockedSet>> => {
  if (ids.length === 0) return new Map()
  askSets(tx, ids)
  const rows = await tx.sql<LockedSet[]>`
    select id, no, audience, live_cards as "liveCards" from sets
    where id = any(${ids}::uuid[]) order by no for no key update`
  return new Map(rows.map((row) => [row.id, row]))
}

/** The same of sets as they are at the moment, without a lock. */
export const readSets = async (db: Pick<Transaction, 'sql'>, ids: string[]): Promise<Map<string, LockedSet>> => {
  const rows = await db.sql<LockedSet[]>`
    select id, no, audience, live_cards as "liveCards" from sets where id = any(${arrayOf(ids)}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}

/** What a transaction adds to the live cards of sets: by id, with the set as it was locked. */
export type CardsAdded = Map<string, { set: LockedSet; cards: number }>

/** Adds to the live cards of locked sets and, where the set is live, to the blocks that they lie in. */
export const addCards = async (tx: Transaction, added: CardsAdded) => {
  const changed = [...added.values()].filter((one) => one.cards !== 0)
  if (changed.length === 0) return
  await tx.sql`
    update sets set live_cards = live_cards + a.cards
    from unnest(${changed.map((one) => one.set.id)}::uuid[], ${changed.map((one) => one.cards)}::int[]) as a (id, cards)
    where sets.id = a.id`
  const live = changed.filter((one) => one.set.audience >= 1)
  addToBlocks(
    tx,
    live.map(({ set, cards }) => ({ no: set.no, live: cards, published: set.audience === 2 ? cards : 0 })),
  )
}

/** Cards that come to a set, by its place. */
export type BlockChange = { no: number; live: number; published: number }

/** Adds cards, at the end of the transaction, to the blocks in which the sets with these numbers lie. */
export const addToBlocks = (tx: Transaction, parts: BlockChange[]) => void lateOf(tx)?.blocks.push(...parts)

/** Writes the blocks of 64 and of 4,096 sets. */
export const writeBlocks = async (tx: Transaction, parts: BlockChange[]) => {
  const merged = new Map<string, { level: number; block: number; live: number; published: number }>()
  for (const part of parts)
    for (const [level, shift] of [
      [1, 6],
      [2, 12],
    ] as const) {
      const key = `${level}:${part.no >> shift}`
      const row = merged.get(key) ?? { level, block: part.no >> shift, live: 0, published: 0 }
      row.live += part.live
      row.published += part.published
      merged.set(key, row)
    }
  const rows = [...merged.values()].filter(({ live, published }) => live !== 0 || published !== 0)
  if (rows.length === 0) return
  await tx.sql`
    insert into card_blocks as b (level, block, live, published)
    select level, block, live, published
    from unnest(
      ${rows.map((row) => row.level)}::smallint[], ${rows.map((row) => row.block)}::int[],
      ${rows.map((row) => row.live)}::int[], ${rows.map((row) => row.published)}::int[]
    ) as d (level, block, live, published)
    order by level, block
    on conflict (level, block) do update set live = b.live + excluded.live, published = b.published + excluded.published`
}
