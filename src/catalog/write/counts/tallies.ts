import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { everything, type TallyName, tallyNumbers } from '../../model/counts.ts'
import { askTallies, lateOf } from '../locks/order.ts'

/** Who is counted: `owner` is the resource type of the id, so that a count that crosses zero finds its row. */
export type Tally = {
  list: TallyName
  id: string
  owner: string
  live: number
  published: number
  liveRoots: number
  publishedRoots: number
}

/** A tally after it was applied: `published` is the new count, `change` what was added to it. */
export type Counted = { list: TallyName; id: string; owner: string; live: number; published: number; change: number }

/** What one transaction adds to the counts, merged by list and id. */
export type Tallies = Map<string, Tally>

/** Adds to a count; adding nothing still locks the row when the tallies are applied. */
export const count = (
  tallies: Tallies,
  list: TallyName,
  owner: string,
  id: string | null | undefined,
  live = 0,
  published = 0,
  liveRoots = 0,
  publishedRoots = 0,
) => {
  if (!id) return
  const key = `${list}:${id}`
  const tally = tallies.get(key)
  if (!tally) {
    tallies.set(key, { list, id, owner, live, published, liveRoots, publishedRoots })
    return
  }
  tally.live += live
  tally.published += published
  tally.liveRoots += liveRoots
  tally.publishedRoots += publishedRoots
}

/** What a row with this audience adds to (live, published): 0 nobody, 1 readers of drafts, 2 everyone. */
export const countsOf = (audience: number): [live: number, published: number] => [
  audience >= 1 ? 1 : 0,
  audience >= 2 ? 1 : 0,
]

/**
 * Whether a tally is the lock of a player, set, brand …, whose counts decide what may be done to it. All others only say how
 * many there are: they are written at the end of a transaction.
 */
const isOfOwner = ({ list, id }: Tally) =>
  list === 'names' || ((list === 'sets' || list === 'cards') && id !== everything && !id.startsWith(kindIds))

const kindIds = '00000000-0000-0000-0000-00000000000'

const byListThenId = (a: Tally, b: Tally) =>
  tallyNumbers[a.list] - tallyNumbers[b.list] || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * Adds the tallies to the table: those of owners at once, which locks them in the one order, the others at the end of the
 * transaction. Answers the counts of the owners as they are now.
 */
export const applyTallies = async (tx: Transaction, tallies: Tallies): Promise<Counted[]> => {
  const late = lateOf(tx)?.tallies
  const rows: Tally[] = []
  for (const tally of tallies.values())
    if (isOfOwner(tally)) rows.push(tally)
    else if (late)
      count(late, tally.list, tally.owner, tally.id, tally.live, tally.published, tally.liveRoots, tally.publishedRoots)
  if (rows.length === 0) return []
  askTallies(tx, rows)
  const counted = await writeTallies(tx, rows)
  const names = new Map(rows.map((row) => [`${tallyNumbers[row.list]}:${row.id}`, row]))
  return counted.map((row) => {
    const tally = names.get(`${row.list}:${row.id}`) as Tally
    return {
      list: tally.list,
      id: row.id,
      owner: tally.owner,
      live: Number(row.live),
      published: Number(row.published),
      change: tally.published,
    }
  })
}

type Stored = { list: number; id: string; live: string; published: string }

/** Adds to rows of the table in the one order. */
export const writeTallies = async (tx: Transaction, tallies: Tally[]): Promise<Stored[]> => {
  if (tallies.length === 0) return []
  const rows = tallies.toSorted(byListThenId)
  return tx.sql<Stored[]>`
    insert into tallies as t (list, id, live, published, live_roots, published_roots)
    select list, id, live, published, live_roots, published_roots
    from unnest(
      ${arrayOf(rows.map((row) => tallyNumbers[row.list]))}::smallint[], ${arrayOf(rows.map((row) => row.id))}::uuid[],
      ${arrayOf(rows.map((row) => row.live))}::bigint[], ${arrayOf(rows.map((row) => row.published))}::bigint[],
      ${arrayOf(rows.map((row) => row.liveRoots))}::bigint[], ${arrayOf(rows.map((row) => row.publishedRoots))}::bigint[]
    ) as d (list, id, live, published, live_roots, published_roots)
    order by list, id
    on conflict (list, id) do update set
      live = t.live + excluded.live,
      published = t.published + excluded.published,
      live_roots = t.live_roots + excluded.live_roots,
      published_roots = t.published_roots + excluded.published_roots
    returning t.list, t.id, t.live, t.published`
}

/** The counted whose published number left or reached zero, and which way. */
export const crossings = (counted: Counted[]) =>
  counted
    .filter(({ published, change }) => published > 0 !== published - change > 0)
    .map(({ owner, id, published }) => ({ owner, id, audience: published > 0 ? 2 : 1 }))
