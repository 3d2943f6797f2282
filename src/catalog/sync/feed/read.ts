import { arrayOfTexts } from '../../../../db/arrays.ts'
import type { Database } from '../../../../db/client.ts'
import type { Ends, FeedPlace } from './place.ts'

/** A change of one record, as a reader saw it. */
export type Entry = {
  type: string
  id: string
  action: 'upsert' | 'delete'
  changedAt: string
  /** The reader's place after this entry. */
  next: FeedPlace
}

type FeedRequest = { level: number; size: number; types?: string[] }

type Row = { no: string; mark: string; type: string; ids: string; after: number; changed_at: string }

/** How many rows a statement reads, and how many numbers it scans if most changes are filtered out or hidden. */
const [rowsAtOnce, numbersAtOnce] = [100, 20_000]
/** How many statements a request may use before it answers with a short or empty page. */
const mostLooks = 10

/**
 * The entries from a place on that a reader at this level could see, in the order of the feed, and the reader's place after them. A page
 * that isn't full isn't always the end of the feed, but the place says how far the feed was read.
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
      const seen = entriesOf(row, level, skipped).slice(0, size - entries.length)
      entries.push(...seen)
      place = seen.at(-1)?.next ?? { no: Number(row.no) + 1, taken: 0, mark: row.mark }
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
