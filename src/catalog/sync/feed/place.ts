import type { Queryable } from '../../../../db/client.ts'
import type { Context } from '../../../context.ts'
import { type Cursors, cursorsOf } from '../../../jsonapi/cursor.ts'

/** The path of the feed. */
export const path = '/v2/changes'

/**
 * A reader's place in the feed: the number of the next change, and how many of its ids were read. `mark` is that of the last change read.
 * If that number has a different mark now, the database was restored from a backup.
 */
export type FeedPlace = { no: number; taken: number; mark?: string }

/**
 * The ends of the feed: the oldest number that is kept, and the last number given, with its mark if that change is kept. `isBehind`: some
 * committed changes have no number yet.
 */
export type Ends = { oldest: number; last: number; mark?: string; isBehind: boolean }

/** Reads the current ends of the feed. */
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

/** The mark that tells a change from another one with the same number. Undefined if it isn't kept anymore. */
const findMark = async ({ sql }: Queryable, no: number): Promise<string | undefined> => {
  const [row] = await sql<{ mark: string }[]>`select right(id::text, 8) as mark from changes where no = ${no}::bigint`
  return row?.mark
}

/** Whether a place belongs to this feed. It is assumed to if the change before it isn't kept anymore. */
export const isOfFeed = async (db: Queryable, { no, taken, mark }: FeedPlace, ends: Ends): Promise<boolean> => {
  if (mark === undefined) return true
  const before = taken > 0 ? no : no - 1
  const found = before === ends.last ? ends.mark : await findMark(db, before)
  return found === undefined || found === mark
}

/** The cursors of the feed. They are only bound to its path (decisions.md §11). */
export const feedCursors = ({ secret }: Pick<Context, 'secret'>): Cursors => cursorsOf(secret, path)

/** The cursor of a place in the feed. */
export const writePlace = (cursors: Cursors, { no, taken, mark }: FeedPlace): string =>
  cursors.write(mark === undefined ? [no, taken] : [no, taken, mark])

/** The cursor that continues with the change of this number. */
export const cursorFrom = async (context: Pick<Context, 'db' | 'secret'>, no: number): Promise<string> =>
  writePlace(feedCursors(context), { no, taken: 0, mark: await findMark(context.db, no - 1) })
