import { type Static, Type } from '@sinclair/typebox'
import type { Database, Queryable, Transaction } from '../../../db/client.ts'
import { withDeadline } from '../../../db/deadline.ts'
import { hasCode } from '../../../db/faults.ts'
import { noPlace } from '../../catalog/write/counts/settle.ts'
import { unavailable } from '../../jsonapi/errors.ts'
import { integer, nullable, oneOf, time, uuid } from '../../jsonapi/fields.ts'
import { steps } from '../../lib/workflow-steps.ts'
import type { ActionableFilter } from './actionable-query.ts'
import { currentYears } from './current-years.ts'

/** A set with something to do and its todo, as the list shows them. */
export const actionableSet = Type.Object({
  todo_id: uuid(),
  set_id: uuid(),
  set_name: Type.String(),
  genre: nullable(Type.String()),
  year: nullable(Type.String()),
  step: oneOf([...steps]),
  priority: Type.Integer({ minimum: 0, maximum: 1, description: '1 is current, 0 is backlog.' }),
  card_count: integer(0),
  has_sources: Type.Boolean(),
  notes: nullable(Type.String()),
  updated_at: time(),
})
export type ActionableSet = Static<typeof actionableSet>

/** The time of the query by the service's clock, and how long it may take. */
export type Asked = { now: Date; deadlineMilliseconds: number }

/**
 * The first matching sets, and how many match. Current ones come before the backlog, then by newest year, genre name, and longest
 * wait. Throws 503 if that takes too long.
 */
export const findActionable = async (db: Database, filter: ActionableFilter, limit: number, asked: Asked) => {
  const rows = await inTime(db, asked, (tx) => readRows(tx, filter, limit, asked.now))
  const sets = rows.map(
    ({ total: _, updated_at, ...row }): ActionableSet => ({ ...row, updated_at: new Date(updated_at).toISOString() }),
  )
  return { sets, fullTotal: rows[0]?.total ?? 0 }
}

/** How many sets match: the sum of the same counts that the list reads. Throws 503 if that takes too long. */
export const countActionable = (db: Database, filter: ActionableFilter, asked: Asked): Promise<number> =>
  inTime(db, asked, async (tx) => {
    const [row] = await tx.sql<{ total: number }[]>`
      select coalesce(sum(c.todos), 0)::int as total from todo_counts c where ${matches(tx, filter, asked.now)}`
    return row?.total ?? 0
  })

const inTime = async <T>(db: Database, { deadlineMilliseconds }: Asked, ask: (tx: Transaction) => Promise<T>) => {
  try {
    return await withDeadline(db, deadlineMilliseconds, ask)
  } catch (error) {
    if (!hasCode(error, '57014')) throw error
    throw unavailable(`This took longer than ${deadlineMilliseconds} ms. Try again in a moment.`)
  }
}

const matches = ({ sql }: Queryable, { step, status, priority, genreId, year }: ActionableFilter, now: Date) => {
  const current = sql`c.year_id = any(array(select id from years where name ~ ${currentYears(now)}))`
  return sql`c.step = ${step} and c.status = ${status} and c.todos > 0
    ${genreId ? sql`and c.genre_id = ${genreId} and c.genre_id <> ${noPlace}` : sql``}
    ${year === undefined ? sql`` : sql`and c.year_id = (select id from years where name = ${year} and audience >= 1)`}
    ${priority === 'all' ? sql`` : priority === 'current' ? sql`and ${current}` : sql`and not ${current}`}`
}

type Row = ActionableSet & { total: number }

/**
 * Todos are counted by year and genre, and the index groups them the same way. So the counts give the total, and tell in which years
 * and genres the first rows are. No more rows are read than are shown.
 */
const readRows = (tx: Transaction, filter: ActionableFilter, limit: number, now: Date) => tx.sql<Row[]>`
  with counted as (
    select c.year_id, c.genre_id, c.todos from todo_counts c where ${matches(tx, filter, now)}
  ), years_in_order as (
    select c.year_id, y.name as year, y.priority, sum(c.todos) over ()::int as total, row_number() over placed as place,
      sum(c.todos) over placed - c.todos as before
    from (select year_id, sum(todos)::int as todos from counted group by year_id) c
    left join (
      select id, name, name_key, (name ~ ${currentYears(now)})::int as priority from years
    ) y on y.id = c.year_id
    window placed as (order by coalesce(y.priority, 0) desc, y.name_key collate "C" desc nulls last)
  ), parts as (
    select y.year_id, c.genre_id, y.year, y.priority, y.total, g.name as genre, row_number() over placed as place,
      y.before + sum(c.todos) over (partition by y.place order by g.name_key collate "C", c.genre_id) - c.todos as before
    from years_in_order y join counted c on c.year_id = y.year_id left join genres g on g.id = c.genre_id
    where y.before < ${limit}
    window placed as (order by y.place, g.name_key collate "C", c.genre_id)
  ), found as (
    select t.id, t.set_id, t.notes, t.updated_at, p.genre, p.year, p.priority, p.place, p.total
    from parts p cross join lateral (
      select t.id, t.set_id, t.notes, t.updated_at from set_todos t
      where t.step = ${filter.step} and t.status = ${filter.status} and t.year_id = p.year_id and t.genre_id = p.genre_id
        and t.actionable and t.live
      order by t.updated_at, t.id limit 100
    ) t
    where p.before < ${limit}
    order by p.place, t.updated_at, t.id limit ${limit}
  )
  select f.id as todo_id, f.set_id, s.name as set_name, f.genre, f.year, ${filter.step} as step,
    coalesce(f.priority, 0) as priority, s.live_cards as card_count,
    exists (select 1 from set_sources x where x.set_id = f.set_id and x.audience >= 1) as has_sources,
    f.notes, f.updated_at, f.total
  from found f join sets s on s.id = f.set_id
  order by f.place, f.updated_at, f.id`
