import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { everything, lists, setKindIds, type TallyName, tallyNumbers } from '../../model/counts.ts'
import type { EntityType } from '../record.ts'
import { askTallies, pendingOf, type Tallies, type Tally } from './order.ts'

/** A tally after it was written. `published` is the new count, `change` what was added to it. */
export type Counted = Pick<Tally, 'list' | 'id' | 'owner' | 'live' | 'published'> & { change: number }

/** Adds to a count. Adding nothing still locks the row when the tallies are applied. */
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

/** What a row with this audience adds to (live, published). */
export const countsOf = (audience: number): [live: number, published: number] => [
  audience >= Audience.draft ? 1 : 0,
  audience >= Audience.published ? 1 : 0,
]

/** What moving a row from one audience to another adds to (live, published). */
export const difference = (before: number, after: number): [live: number, published: number] => {
  const [liveBefore, publishedBefore] = countsOf(before)
  const [liveAfter, publishedAfter] = countsOf(after)
  return [liveAfter - liveBefore, publishedAfter - publishedBefore]
}

/**
 * Whether a tally is the lock of a player, set, brand …, whose counts decide what may be done to it. All other tallies only
 * count, and are written at the end of a transaction.
 */
const isLock = ({ list, id }: Tally) =>
  list === 'names' || list === 'cards' || (list === 'sets' && id !== everything && !kinds.has(id))

const kinds: ReadonlySet<string> = new Set(Object.values(setKindIds))

/** Whose numbers of cards processes remember for search (search/known). */
const remembered: ReadonlySet<string> = new Set(['players', 'teams', 'attributes'])

/**
 * Adds the tallies to the table: those of owners at once, which locks them in order, the others at the end of the transaction.
 * Returns the owners' current counts.
 */
export const applyTallies = async (tx: Transaction, tallies: Tallies): Promise<Counted[]> => {
  const pending = pendingOf(tx)
  const locks: Tally[] = []
  for (const tally of tallies.values()) {
    const { list, owner, id, live, published, liveRoots, publishedRoots } = tally
    if (isLock(tally)) locks.push(tally)
    else if (pending) count(pending.tallies, list, owner, id, live, published, liveRoots, publishedRoots)
    if (list === 'cards' && remembered.has(owner) && (live !== 0 || published !== 0)) pending?.recounted.add(id)
  }
  if (locks.length === 0) return []
  askTallies(tx, locks)
  return lockTallies(tx, locks)
}

/**
 * Adds to rows of the table in order, and returns them as they are then. The rows are sent as two arrays in that order, because
 * a chunk of cards has thousands of tallies, and reading them row by row takes longer than adding them.
 */
const lockTallies = async (tx: Transaction, tallies: Tally[]): Promise<Counted[]> => {
  const rows = tallies.toSorted(byListThenId)
  const [stored] = await tx.sql<{ live: string; published: string }[]>`
    with written as (${addAll(tx, rows)} returning t.list, t.id, t.live, t.published)
    select string_agg(live::text, ',' order by list, id) as live, string_agg(published::text, ',' order by list, id) as published
    from written`
  const [live, published] = [stored?.live.split(',') ?? [], stored?.published.split(',') ?? []]
  return rows.map((row, at) => ({
    ...{ list: row.list, id: row.id, owner: row.owner, change: row.published },
    ...{ live: Number(live[at]), published: Number(published[at]) },
  }))
}

/** Adds to rows of the table in the one order. */
export const writeTallies = async (tx: Transaction, tallies: Tally[]) => {
  if (tallies.length > 0) await addAll(tx, tallies.toSorted(byListThenId))
}

const addAll = ({ sql }: Transaction, rows: Tally[]) => sql`
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
    published_roots = t.published_roots + excluded.published_roots`

const byListThenId = (a: Tally, b: Tally) =>
  tallyNumbers[a.list] - tallyNumbers[b.list] || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** What has names (codes, identifiers) that only one live record may have. */
export type NamedOnce = EntityType | 'identifiers'

/** The types whose names only one live record may have, in any case, and identifiers. */
const unique: ReadonlySet<NamedOnce> = new Set([
  'attributes',
  'brands',
  'genres',
  'manufacturers',
  'years',
  'identifiers',
])

/** The names of a type share this many locks, so two different names rarely wait for each other. */
const locksOfType = 256

/**
 * Adds the locks for names that records of a type get. Two writers of the same name would otherwise meet in its index, after
 * all other locks. This way, they meet in the fixed order.
 */
export const countNames = (tallies: Tallies, type: NamedOnce, names: (string | null | undefined)[]) => {
  if (!unique.has(type)) return
  for (const name of names) if (name) count(tallies, 'names', type, idOfName(type, name))
}

/** Only letters and digits count here, because the database may lower-case other characters differently than we do. */
const idOfName = (type: NamedOnce, name: string) => {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const part = Bun.hash.crc32(letters) % locksOfType
  return `00000000-0000-0000-${String(lists[type]).padStart(4, '0')}-${String(part).padStart(12, '0')}`
}

/** Locks names that records of a type get. Tallies of owners must be locked first. */
export const lockNames = async (tx: Transaction, type: NamedOnce, names: (string | null | undefined)[]) => {
  const tallies: Tallies = new Map()
  countNames(tallies, type, names)
  await applyTallies(tx, tallies)
}
