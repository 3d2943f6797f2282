/*
 * `todo_counts` says how many todos of a step and status can be done now, by the year and genre of their sets.
 * `set_todos` keeps year, genre, and whether no earlier step is open with each todo, in one index. A workflow's lock
 * is its row, and whoever holds it writes all three. A set that moves to another year or genre takes its todos along.
 * So `full_total` is the sum of a few rows, and the list reads no more of the index than it shows. Whether a year is
 * current depends on its name and the date, and isn't stored.
 */

import type { Transaction } from '../../../../db/client.ts'
import { countTodos, noPlace } from '../counts/settle.ts'
import type { TodosAdded } from '../locks/order.ts'
import type { SetChange, SetState } from '../record.ts'
import { audienceOfSet } from './rows.ts'

/** Moves the workflows of written sets along with them: to another year or genre, and to another audience. */
export const moveWorkflows = async (tx: Transaction, sets: SetChange[]) => {
  const moved = sets.filter(({ before, after }) => before && isElsewhere(before, after))
  if (moved.length === 0) return
  const workflows = await tx.sql<{ set_id: string }[]>`
    select set_id from workflows where set_id = any(${moved.map(({ id }) => id)}::uuid[])
    order by set_id for no key update`
  const withTodos = new Set(workflows.map((workflow) => workflow.set_id))
  const moving = moved.filter(({ id }) => withTodos.has(id))
  if (moving.length === 0) return
  const columns = [
    moving.map(({ id }) => id),
    moving.map(({ after }) => audienceOfSet(after)),
    moving.map(({ after }) => after.year_id),
    moving.map(({ after }) => after.genre_id),
  ]
  await tx.sql.unsafe(
    `update workflows w set audience = n.audience, year_id = n.year_id, genre_id = n.genre_id
     from ${fromColumns} where w.set_id = n.set_id`,
    columns,
    { prepare: true },
  )
  const todos = await tx.sql.unsafe<MovedTodo[]>(
    `with old as (
       select t.id, t.live, t.year_id, t.genre_id from set_todos t where t.set_id = any($1::uuid[])
     )
     update set_todos t
     set live = n.audience >= 1, year_id = coalesce(n.year_id, '${noPlace}'), genre_id = coalesce(n.genre_id, '${noPlace}')
     from old, ${fromColumns}
     where t.id = old.id and n.set_id = t.set_id
     returning t.step, t.status, t.actionable, old.live as was_live, old.year_id as old_year_id,
       old.genre_id as old_genre_id, t.live, t.year_id, t.genre_id`,
    columns,
    { prepare: true },
  )
  await countTodos(tx, todos.filter(({ actionable }) => actionable).flatMap(todosMoved))
}

type MovedTodo = {
  step: string
  status: string
  actionable: boolean
  was_live: boolean
  old_year_id: string
  old_genre_id: string
  live: boolean
  year_id: string
  genre_id: string
}

const isElsewhere = (before: SetState, after: SetState) =>
  before.year_id !== after.year_id ||
  before.genre_id !== after.genre_id ||
  audienceOfSet(before) !== audienceOfSet(after)

const todosMoved = (row: MovedTodo): TodosAdded[] => {
  const { step, status } = row
  return [
    ...(row.was_live ? [{ step, status, yearId: row.old_year_id, genreId: row.old_genre_id, todos: -1 }] : []),
    ...(row.live ? [{ step, status, yearId: row.year_id, genreId: row.genre_id, todos: 1 }] : []),
  ]
}

const fromColumns = `
  unnest($1::uuid[], $2::smallint[], $3::uuid[], $4::uuid[]) as n (set_id, audience, year_id, genre_id)`
