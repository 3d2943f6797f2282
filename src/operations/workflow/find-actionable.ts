import type { Database, Queryable, Transaction } from '../../../db/client.ts'
import { withDeadline } from '../../../db/deadline.ts'
import { hasCode } from '../../../db/faults.ts'
import { unavailable } from '../../jsonapi/errors.ts'
import type { ActionableFilter } from './actionable-query.ts'
import { currentYears } from './current-years.ts'

/** A set that has something to be done, with the todo that says what. */
export type ActionableSet = {
  todoId: string
  setId: string
  setName: string
  genre: string | null
  year: string | null
  step: string
  priority: 0 | 1
  cardCount: number
  hasSources: boolean
  notes: string | null
  updatedAt: string
}

/** When the question is asked, by the service's clock, and how long it may take. */
export type Asked = { now: Date; deadlineMilliseconds: number }

/**
 * The first of the sets that match, and how many there are: current ones before the backlog, then the newest year, then
 * genres by name, and there those whose todos have waited longest. 503 where that takes too long.
 */
export const findActionable = async (db: Database, filter: ActionableFilter, limit: number, asked: Asked) => {
  const rows = await inTime(db, asked, (tx) => readRows(tx, filter, limit, asked.now))
  const sets = rows.map(
    ({ total: _, updatedAt, ...row }): ActionableSet => ({
      ...row,
      updatedAt: new Date(updatedAt).toISOString(),
    }),
  )
  return { sets, fullTotal: rows[0]?.total ?? 0 }
}

/** How many sets match: the sum of the same parts that the list reads. 503 where that takes too long. */
export const countActionable = (db: Database, filter: ActionableFilter, asked: Asked): Promise<number> =>
  inTime(db, asked, async (tx) => {
    const [row] = await tx.sql<{ total: number }[]>`
      with ${parts(tx, filter, asked.now)}
      select coalesce(sum(todos), 0)::int as total from parts`
    return row?.total ?? 0
  })

const inTime = async <T>(db: Database, { deadlineMilliseconds }: Asked, ask: (tx: Transaction) => Promise<T>) => {
  try {
    return await withDeadline(db, deadlineMilliseconds, ask)
  } catch (error) {
    if (hasCode(error, '57014'))
      throw unavailable(`This took longer than ${deadlineMilliseconds} ms: try again in a moment.`)
    throw error
  }
}

/**
 * Todos are counted by year and genre, and lie together by them in the index. So the counts give the total, and say in
 * which parts the first rows lie: no more of them are read than are shown.
 */
const parts = ({ sql }: Queryable, { step, status, priority, genreId, year }: ActionableFilter, now: Date) => sql`
  current_years as materialized (select id from years where name ~ ${currentYears(now)}),
  parts as (
    select c.year_id, c.genre_id, c.todos, y.name as year, g.name as genre, y.name_key as year_key, g.name_key as genre_key,
      (n.id is not null)::int as priority
    from todo_counts c
    left join years y on y.id = c.year_id
    left join genres g on g.id = c.genre_id
    left join current_years n on n.id = c.year_id
    where c.step = ${step} and c.status = ${status} and c.todos > 0
      and (${genreId ?? null}::uuid is null or c.genre_id = ${genreId ?? null}::uuid)
      and (${year ?? null}::text is null or y.name = ${year ?? null}::text)
      and (${priority} = 'all' or (n.id is not null) = (${priority} = 'current'))
  )`

type Row = ActionableSet & { total: number }

const readRows = (tx: Transaction, filter: ActionableFilter, limit: number, now: Date) => tx.sql<Row[]>`
  with ${parts(tx, filter, now)},
  placed as (
    select p.*, sum(todos) over ()::int as total,
      row_number() over (order by priority desc, year_key collate "C" desc nulls last, genre_key collate "C", year_id, genre_id) as place,
      sum(todos) over (order by priority desc, year_key collate "C" desc nulls last, genre_key collate "C", year_id, genre_id) - todos as before
    from parts p
  ),
  found as (
    select t.id, t.set_id, t.notes, t.updated_at, p.genre, p.year, p.priority, p.place, p.total
    from placed p cross join lateral (
      select t.id, t.set_id, t.notes, t.updated_at from set_todos t
      where t.step = ${filter.step} and t.status = ${filter.status} and t.year_id = p.year_id and t.genre_id = p.genre_id
        and t.actionable and t.live
      order by t.updated_at, t.id limit 100
    ) t
    where p.before < ${limit}
    order by p.place, t.updated_at, t.id limit ${limit}
  )
  select f.id as "todoId", f.set_id as "setId", s.name as "setName", f.genre, f.year, ${filter.step} as step, f.priority,
    s.live_cards as "cardCount",
    exists (select 1 from set_sources x where x.set_id = f.set_id and x.audience >= 1) as "hasSources",
    f.notes, f.updated_at as "updatedAt", f.total
  from found f join sets s on s.id = f.set_id
  order by f.place, f.updated_at, f.id`
