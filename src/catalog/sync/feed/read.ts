import { arrayOfTexts } from '../../../../db/arrays.ts'
import type { Database, Queryable } from '../../../../db/client.ts'

/**
 * Where a reader of the feed stands: the number of the change that comes next, and how many of its ids were read. The mark
 * is of the last change that was read from: where another one has its number, the database was restored from a backup.
 */
export type FeedPlace = { no: number; taken: number; mark?: string }

/** What happened to one resource, as a reader saw it. */
export type Entry = {
  type: string
  id: string
  action: 'upsert' | 'delete'
  changedAt: string
  /** Where the reader stands behind it. */
  next: FeedPlace
}

/**
 * Where the feed begins and ends: the oldest number that is kept, and the last that was given, with its mark if it is kept;
 * `isBehind` where changes have committed that have no number yet.
 */
export type Ends = { oldest: number; last: number; mark?: string; isBehind: boolean }

export type FeedRequest = { level: number; size: number; types?: string[] }

type Row = { no: string; mark: string; type: string; ids: string; after: number; changed_at: string }

/** How many rows a statement reads, and how many numbers it looks through where a filter or the level leaves most out. */
const [rowsAtOnce, numbersAtOnce] = [100, 20_000]
/** How often a request looks on before it answers a page that is short, or empty. */
const mostLooks = 10

/** Where the feed begins and ends now. */
export const readEnds = async ({ sql }: Queryable): Promise<Ends> => {
  const [ends] = await sql<{ last: string; oldest: string | null; mark: string | null; behind: boolean }[]>`
    select last, (select right(id::text, 8) from changes where no = last) as mark,
      (select no from changes where no is not null order by no limit 1) as oldest,
      exists (select 1 from changes where no is null) as behind
    from feed`
  const last = Number(ends?.last ?? 0)
  const oldest = Number(ends?.oldest ?? last + 1)
  return { last, oldest, mark: ends?.mark ?? undefined, isBehind: ends?.behind ?? false }
}

/** What tells a change from others that might have its number; undefined where it is not kept. */
export const findMark = async ({ sql }: Queryable, no: number): Promise<string | undefined> => {
  const [row] = await sql<{ mark: string }[]>`select right(id::text, 8) as mark from changes where no = ${no}::bigint`
  return row?.mark
}

/** Whether a place is one of this feed, as far as the change before it is kept. */
export const isOfFeed = async (db: Queryable, { no, taken, mark }: FeedPlace, ends: Ends): Promise<boolean> => {
  if (mark === undefined) return true
  const before = taken > 0 ? no : no - 1
  const found = before === ends.last ? ends.mark : await findMark(db, before)
  return found === undefined || found === mark
}

/**
 * The entries from a place on that a reader at this level saw happen, in the order of the feed, and where the reader stands
 * behind them. A page that is not full need not be the end of the feed: the place says how far it was looked through.
 */
export const readEntries = async (
  db: Database,
  from: FeedPlace,
  { last, mark }: Ends,
  { level, size, types }: FeedRequest,
): Promise<{ entries: Entry[]; next: FeedPlace }> => {
  const entries: Entry[] = []
  let place = from
  for (let look = 0; look < mostLooks && place.no <= last && entries.length < size; look++) {
    const upTo = Math.min(last, place.no + numbersAtOnce - 1)
    const rows = await readRows(db, place.no, upTo, level, types)
    for (const row of rows) {
      const skipped = Number(row.no) === place.no ? place.taken : 0
      const told = entriesOf(row, level, skipped).slice(0, size - entries.length)
      entries.push(...told)
      place = told.at(-1)?.next ?? { no: Number(row.no) + 1, taken: 0, mark: row.mark }
      if (entries.length === size) break
    }
    if (entries.length < size && rows.length < rowsAtOnce)
      place = { no: upTo + 1, taken: 0, mark: upTo === last ? mark : undefined }
  }
  return { entries, next: place }
}

const readRows = ({ sql }: Database, from: number, upTo: number, level: number, types: string[] | undefined) => sql<
  Row[]
>`
  select no, right(id::text, 8) as mark, type, array_to_string(ids, ',') as ids, audience_after as after,
    to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as changed_at
  from changes
  where no between ${from}::bigint and ${upTo}::bigint and greatest(audience_before, audience_after) >= ${level}::int
    and ${types ? sql`type = any(${arrayOfTexts(types)}::text::text[])` : sql`true`}
  order by no limit ${rowsAtOnce}`

const entriesOf = ({ no, mark, type, ids, after, changed_at }: Row, level: number, skipped: number): Entry[] => {
  const all = ids.split(',')
  return all.slice(skipped).map((id, index) => {
    const taken = skipped + index + 1
    return {
      ...{ type, id, action: after >= level ? 'upsert' : 'delete', changedAt: changed_at },
      next: taken < all.length ? { no: Number(no), taken, mark } : { no: Number(no) + 1, taken: 0, mark },
    }
  })
}
