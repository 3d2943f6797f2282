import type { Queryable, Transaction } from '../../../db/client.ts'
import { noPlace } from '../../catalog/write/counts/settle.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { type Step, steps, type TodoStatus } from '../../lib/workflow-steps.ts'

/** A step of a set's workflow and how far it is. Times are RFC 3339 in UTC with milliseconds. */
export type Todo = {
  id: string
  step: Step
  status: TodoStatus
  sortOrder: number
  startedAt: string | null
  completedAt: string | null
  completedBy: string | null
  notes: string | null
  issuesFound: boolean | null
  createdAt: string
  updatedAt: string
}

/** A set and its way to publication; `workflow` is null, and there are no todos, where it has none. */
export type SetWorkflow = {
  setId: string
  yearName: string | null
  workflow: { id: string; createdAt: string; updatedAt: string } | null
  /** By `sort_order`, then in the order of the steps. */
  todos: Todo[]
}

type Row = {
  year_name: string | null
  workflow_id: string | null
  workflow_created_at: string
  workflow_updated_at: string
  id: string | null
  step: Step
  status: TodoStatus
  sort_order: number
  started_at: string | null
  completed_at: string | null
  completed_by: string | null
  notes: string | null
  issues_found: boolean | null
  created_at: string
  updated_at: string
}

/** The workflow of a set, draft or published; 404 where there is no such set. */
export const getWorkflow = async ({ sql }: Queryable, setId: string): Promise<SetWorkflow> => {
  const rows = await sql<Row[]>`
    select y.name as year_name, w.id as workflow_id, w.created_at as workflow_created_at,
      w.updated_at as workflow_updated_at, t.id, t.step, t.status, t.sort_order, t.started_at, t.completed_at,
      t.completed_by, t.notes, t.issues_found, t.created_at, t.updated_at
    from sets s
    left join years y on y.id = s.year_id
    left join workflows w on w.set_id = s.id
    left join set_todos t on t.set_id = s.id
    where s.id = ${setId} and s.audience >= 1`
  const [first] = rows
  if (!first) throw notFound()
  const { workflow_id: id, workflow_created_at: createdAt, workflow_updated_at: updatedAt } = first
  return {
    setId,
    yearName: first.year_name,
    workflow: id ? { id, createdAt: asTime(createdAt), updatedAt: asTime(updatedAt) } : null,
    todos: rows.flatMap((row) => (row.id ? [readTodo(row.id, row)] : [])).sort(inOrder),
  }
}

/** A todo of a set; 404 where there is none, or it belongs to another set. */
export const requireTodo = ({ todos }: SetWorkflow, id: string): Todo => {
  const todo = todos.find((one) => one.id === id)
  if (!todo) throw notFound()
  return todo
}

/** A workflow that is locked against every other writer of its todos, with the year and genre under which they are counted. */
export type LockedWorkflow = { setId: string; yearId: string; genreId: string }

/** Locks the workflow of a live set; undefined where it has none. */
export const lockWorkflow = async ({ sql }: Transaction, setId: string): Promise<LockedWorkflow | undefined> => {
  const [locked] = await sql<LockedWorkflow[]>`
    select set_id as "setId", coalesce(year_id, ${noPlace}::uuid) as "yearId",
      coalesce(genre_id, ${noPlace}::uuid) as "genreId"
    from workflows where set_id = ${setId} and audience >= 1 for no key update`
  return locked
}

/** Locks the workflow of a set and makes it where there is none; 404 where there is no such set. */
export const lockOrMakeWorkflow = async (tx: Transaction, setId: string, now: Date): Promise<LockedWorkflow> => {
  const locked = (await lockWorkflow(tx, setId)) ?? (await makeWorkflow(tx, setId, now))
  if (!locked) throw notFound()
  return locked
}

/** The set is locked, so that year and genre stay what they are; one that somebody else just made is locked too. */
const makeWorkflow = async ({ sql }: Transaction, setId: string, now: Date) => {
  const [made] = await sql<LockedWorkflow[]>`
    with place as (
      select id, audience, year_id, genre_id from sets where id = ${setId} and audience >= 1 for share
    )
    insert into workflows as w (set_id, id, audience, year_id, genre_id, created_at, updated_at)
    select id, ${Bun.randomUUIDv7()}::uuid, audience, year_id, genre_id, ${now.toISOString()}::timestamptz,
      ${now.toISOString()}::timestamptz
    from place
    on conflict (set_id) do update set updated_at = excluded.updated_at
    returning w.set_id as "setId", coalesce(w.year_id, ${noPlace}::uuid) as "yearId",
      coalesce(w.genre_id, ${noPlace}::uuid) as "genreId"`
  return made
}

const inOrder = (a: Todo, b: Todo) => a.sortOrder - b.sortOrder || steps.indexOf(a.step) - steps.indexOf(b.step)

const readTodo = (id: string, row: Row): Todo => ({
  id,
  step: row.step,
  status: row.status,
  sortOrder: row.sort_order,
  startedAt: row.started_at && asTime(row.started_at),
  completedAt: row.completed_at && asTime(row.completed_at),
  completedBy: row.completed_by,
  notes: row.notes,
  issuesFound: row.issues_found,
  createdAt: asTime(row.created_at),
  updatedAt: asTime(row.updated_at),
})

/** A todo by the names of its columns, which are those of its attributes, too. */
export const columnsOf = (todo: Todo) => ({
  step: todo.step,
  status: todo.status,
  sort_order: todo.sortOrder,
  started_at: todo.startedAt,
  completed_at: todo.completedAt,
  completed_by: todo.completedBy,
  notes: todo.notes,
  issues_found: todo.issuesFound,
  created_at: todo.createdAt,
  updated_at: todo.updatedAt,
})

const asTime = (text: string) => new Date(text).toISOString()
