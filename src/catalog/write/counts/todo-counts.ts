import type { Transaction } from '../../../../db/client.ts'
import { lateOf } from '../locks/order.ts'

/** Stands for the year or genre of a set that has none. */
export const noPlace = '00000000-0000-0000-0000-000000000000'

/** Todos that come to the lists of actionable ones (or leave them, where `todos` is negative). */
export type TodosAdded = { step: string; status: string; yearId: string; genreId: string; todos: number }

/** Adds to the counts of actionable todos: at the end of a transaction of the door, in any other at once. */
export const countTodos = async (tx: Transaction, added: TodosAdded[]) => {
  const late = lateOf(tx)
  if (late) late.todos.push(...added)
  else await writeTodoCounts(tx, added)
}

/** Writes the counts, in one order for all writers; the last locks that a transaction takes. */
export const writeTodoCounts = async (tx: Transaction, added: TodosAdded[]) => {
  const merged = new Map<string, TodosAdded>()
  for (const one of added) {
    const key = [one.step, one.status, one.yearId, one.genreId].join(' ')
    merged.set(key, { ...one, todos: one.todos + (merged.get(key)?.todos ?? 0) })
  }
  const rows = [...merged.values()].filter(({ todos }) => todos !== 0)
  if (rows.length === 0) return
  await tx.sql`
    insert into todo_counts as c (step, status, year_id, genre_id, todos)
    select step, status, year_id, genre_id, todos
    from unnest(
      ${rows.map((row) => row.step)}::text[], ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.yearId)}::uuid[], ${rows.map((row) => row.genreId)}::uuid[],
      ${rows.map((row) => row.todos)}::int[]
    ) as d (step, status, year_id, genre_id, todos)
    order by step collate "C", status collate "C", year_id, genre_id
    on conflict (step, status, year_id, genre_id) do update set todos = c.todos + excluded.todos`
}
