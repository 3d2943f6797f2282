import type { Database, Queryable } from '../../../db/client.ts'
import { type Clock, dayOf } from '../../lib/clock.ts'
import { everything, type ListName, lists } from '../model/counts.ts'

/** What is counted, in the order of the answers. Everything but the cards comes from the tally of its list. */
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
export type CountName = keyof typeof counted
export type Counts = Record<CountName, number>
type DayCounts = { date: string } & Counts

const tallyOf = (list: ListName, count = 'published') =>
  `coalesce((select ${count} from tallies where list = ${lists[list]} and id = '${everything}'), 0)`

/** Cards have no tally. Their counts are in the blocks of 4,096 sets. */
const publishedCards = '(select coalesce(sum(published), 0)::bigint from card_blocks where level = 2)'

const countsObject = `jsonb_build_object(${Object.entries(counted)
  .map(([name, list]) => `'${name}', ${list ? tallyOf(list) : publishedCards}`)
  .join(', ')})`

/** How much is published now, read from maintained counts (decisions.md §10). */
export const readCounts = async (db: Queryable): Promise<Counts> => {
  const [row] = await db.sql<{ counts: Counts }[]>`select ${db.sql.unsafe(countsObject)} as counts`
  return ordered((row as { counts: Counts }).counts)
}

/** How much is a draft now. */
export const readDrafts = async (db: Queryable): Promise<Counts> => {
  const cards = '(select coalesce(sum(live - published), 0)::bigint from card_blocks where level = 2)'
  const each = Object.entries(counted).map(
    ([name, list]) => `'${name}', ${list ? tallyOf(list, 'live - published') : cards}`,
  )
  const [row] = await db.sql<
    { counts: Counts }[]
  >`select jsonb_build_object(${db.sql.unsafe(each.join(', '))}) as counts`
  return ordered((row as { counts: Counts }).counts)
}

/** Stores the counts as today's (UTC). The last snapshot of a day wins, and replicas may store it at the same time. */
export const snapshotToday = async (db: Database, clock: Clock) => {
  const { sql } = db
  await sql`
    insert into stats_days (day, counts) values (${dayOf(clock.now())}::date, ${sql.unsafe(countsObject)})
    on conflict (day) do update set counts = excluded.counts`
}

/** The counts of each of the last days with a snapshot, oldest first, and today's current counts. */
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
 * What each of the last days added to the counts: the difference from the snapshot before it, or from zero on the very first
 * day.
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

/** jsonb has its own key order. Counts that a day doesn't have yet are 0. */
const ordered = (counts: Counts): Counts => eachCount((name) => counts[name] ?? 0)

const eachCount = (value: (name: CountName) => number) =>
  Object.fromEntries(countNames.map((name) => [name, value(name)])) as Counts
