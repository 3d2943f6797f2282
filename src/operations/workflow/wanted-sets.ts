import type { Queryable } from '../../../db/client.ts'
import { everything, lists } from '../../catalog/model/counts.ts'

/** The wanted drafts: all, or those of a genre or a year (its name). */
type Drafts = { genreId?: string; year?: string }

/** The wanted sets: these ids, each once, or drafts. */
export type Wanted = { setIds: string[] } | { drafts: Drafts }

/** The first drafts that match, up to a limit, in order of creation. */
export const findDrafts = async (db: Queryable, drafts: Drafts, atMost: number): Promise<string[]> => {
  const rows = await db.sql<{ id: string }[]>`
    select id from sets s where s.audience = 1 and ${matches(db, drafts)} order by no limit ${atMost}`
  return rows.map(({ id }) => id)
}

/**
 * Reads the next drafts after a position in order of creation, up to a limit. Returns those that match, and the position where it
 * stopped, which is undefined if no draft is left.
 */
export const nextDrafts = async (db: Queryable, drafts: Drafts, after: number, atMost: number) => {
  const rows = await db.sql<{ id: string; no: number; matches: boolean }[]>`
    select s.id, s.no, ${matches(db, drafts)} as matches
    from sets s where s.audience = 1 and s.no > ${after} order by s.no limit ${atMost}`
  return { ids: rows.filter(({ matches }) => matches).map(({ id }) => id), last: rows.at(-1)?.no }
}

const matches = ({ sql }: Queryable, { genreId, year }: Drafts) => sql`(
  (${genreId ?? null}::uuid is null or s.genre_id = ${genreId ?? null}::uuid)
  and (${year ?? null}::text is null
    or exists (select 1 from years y where y.id = s.year_id and y.name = ${year ?? null}::text)))`

/** How many drafts there are now, and how many of them have a workflow. */
export const countDrafts = async (db: Queryable): Promise<{ drafts: number; withWorkflow: number }> => {
  const [row] = await db.sql<{ drafts: number; withWorkflow: number }[]>`
    select coalesce((select live - published from tallies where list = ${lists.sets} and id = ${everything}), 0)::int as drafts,
      (select count(*)::int from workflows where audience = 1) as "withWorkflow"`
  return row ?? { drafts: 0, withWorkflow: 0 }
}
