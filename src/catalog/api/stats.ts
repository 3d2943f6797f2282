import type { Database, Queryable } from '../../../db/client.ts'
import type { Clock } from '../../lib/clock.ts'
import { everything, type ListName, lists } from '../model/counts.ts'

/** What is counted, in the order of the answers; each but the cards from the tally of its list. */
const counted = {
  cards: undefined,
  sets: 'sets',
  players: 'players',
  teams: 'teams',
  brands: 'brands',
  manufacturers: 'manufacturers',
  genres: 'genres',
  years: 'years',
  card_images: 'card_images',
} as const satisfies Record<string, ListName | undefined>

export const countNames = Object.keys(counted) as CountName[]
type CountName = keyof typeof counted
type Counts = Record<CountName, number>
type DayCounts = { date: string } & Counts

const tallyOf = (list: ListName) =>
  `coalesce((select published from tallies where list = ${lists[list]} and id = '${everything}'), 0)`

/** Cards have no tally: the blocks of 4,096 sets hold them. */
const publishedCards = '(select coalesce(sum(published), 0)::bigint from card_blocks where level = 2)'

const countsObject = `jsonb_build_object(${Object.entries(counted)
  .map(([name, list]) => `'${name}', ${list ? tallyOf(list) : publishedCards}`)
  .join(', ')})`

/** How much is published now, from the maintained counts alone (decisions.md §10). */
export const readCounts = async (db: Queryable): Promise<Counts> => {
  const [row] = await db.sql<{ counts: Counts }[]>`select ${db.sql.unsafe(countsObject)} as counts`
  return ordered((row as { counts: Counts }).counts)
}

/** Stores the counts as those of today (UTC). The last of a day wins; replicas may do it at the same time. */
export const snapshotToday = async (db: Database, clock: Clock) => {
  const { sql } = db
  await sql`
    insert into stats_days (day, counts) values (${dayOf(clock.now())}::date, ${sql.unsafe(countsObject)})
    on conflict (day) do update set counts = excluded.counts`
}

/** The counts of each of the last days that has a snapshot, oldest first, and of today as they are now. */
export const readSnapshots = async (db: Queryable, now: Date, days: number): Promise<DayCounts[]> => {
  const { sql } = db
  const today = dayOf(now)
  const [rows, counts] = await Promise.all([
    sql<{ date: string; counts: Counts }[]>`
      select to_char(day, 'YYYY-MM-DD') as date, counts from stats_days
      where day > ${today}::date - ${days}::int and day < ${today}::date order by day`,
    readCounts(db),
  ])
  return [...rows, { date: today, counts }].map((row) => ({ date: row.date, ...ordered(row.counts) }))
}

/**
 * What each of the last days added to the counts: the difference to the snapshot before it, or to nothing on the first
 * day of all.
 */
export const readGrowth = async (db: Queryable, now: Date, days: number): Promise<DayCounts[]> => {
  const { sql } = db
  const [snapshots, [before]] = await Promise.all([
    readSnapshots(db, now, days),
    sql<{ counts: Counts }[]>`
      select counts from stats_days where day <= ${dayOf(now)}::date - ${days}::int order by day desc limit 1`,
  ])
  return snapshots.map(({ date, ...counts }, index) => ({
    date,
    ...difference(counts, snapshots[index - 1] ?? before?.counts),
  }))
}

const difference = (counts: Counts, before: Counts | undefined): Counts =>
  eachCount((name) => counts[name] - (before?.[name] ?? 0))

/** jsonb has its own order of keys; a count that a day does not have yet is 0. */
const ordered = (counts: Counts): Counts => eachCount((name) => counts[name] ?? 0)

const eachCount = (value: (name: CountName) => number) =>
  Object.fromEntries(countNames.map((name) => [name, value(name)])) as Counts

const dayOf = (now: Date) => now.toISOString().slice(0, 10)
