import { and, eq, gte } from 'drizzle-orm'
import { shown } from '../../../db/builder.ts'
import type { Queryable, Transaction } from '../../../db/client.ts'
import { type Row, sets, setTodos, workflows, years } from '../../../db/schema/index.ts'
import { noPlace } from '../../catalog/write/counts/settle.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { steps } from '../../lib/workflow-steps.ts'

const { id, step, status, sort_order, started_at, completed_at, completed_by, notes, issues_found, ...times } = setTodos
const columns = {
  id,
  step,
  status,
  sort_order,
  started_at,
  completed_at,
  completed_by,
  notes,
  issues_found,
  created_at: times.created_at,
  updated_at: times.updated_at,
}

/** A step of a set's workflow and its status. Times are RFC 3339 in UTC with milliseconds. */
export type Todo = Pick<Row<typeof setTodos>, keyof typeof columns>

/** A set and its workflow. If it has none, `workflow` is null and there are no todos. */
export type SetWorkflow = {
  setId: string
  yearName: string | null
  workflow: Pick<Row<typeof workflows>, 'id' | 'created_at' | 'updated_at'> | null
  /** By `sort_order`, then in the order of the steps. */
  todos: Todo[]
}

/** The workflow of a set, draft or published. Throws 404 if there is no such set. */
export const getWorkflow = async (db: Queryable, setId: string): Promise<SetWorkflow> => {
  const rows = await db.orm
    .select({
      year: years.name,
      workflow: shown({ id: workflows.id, created_at: workflows.created_at, updated_at: workflows.updated_at }),
      todo: shown(columns),
    })
    .from(sets)
    .leftJoin(years, eq(years.id, sets.year_id))
    .leftJoin(workflows, eq(workflows.set_id, sets.id))
    .leftJoin(setTodos, eq(setTodos.set_id, sets.id))
    .where(and(eq(sets.id, setId), gte(sets.audience, 1)))
  const [first] = rows
  if (!first) throw notFound()
  const todos = rows.flatMap(({ todo }) => todo ?? []).sort(inOrder)
  return { setId, yearName: first.year, workflow: first.workflow, todos }
}

/** A todo of a set. Throws 404 if there is none or it belongs to another set. */
export const requireTodo = ({ todos }: SetWorkflow, id: string): Todo => {
  const todo = todos.find((one) => one.id === id)
  if (!todo) throw notFound()
  return todo
}

/** A workflow locked against other writers of its todos, with the year and genre that their counts use. */
export type LockedWorkflow = { setId: string; yearId: string; genreId: string }

/** Locks the workflow of a live set. Undefined if it has none. */
export const lockWorkflow = async ({ sql }: Transaction, setId: string): Promise<LockedWorkflow | undefined> => {
  const [locked] = await sql<LockedWorkflow[]>`
    select set_id as "setId", coalesce(year_id, ${noPlace}::uuid) as "yearId",
      coalesce(genre_id, ${noPlace}::uuid) as "genreId"
    from workflows where set_id = ${setId} and audience >= 1 for no key update`
  return locked
}

/** Locks the workflow of a set, and starts it if there is none. Throws 404 if there is no such set. */
export const lockOrMakeWorkflow = async (tx: Transaction, setId: string, now: Date): Promise<LockedWorkflow> => {
  const locked = (await lockWorkflow(tx, setId)) ?? (await makeWorkflow(tx, setId, now))
  if (!locked) throw notFound()
  return locked
}

/** Creates a workflow. Locks the set, so that year and genre can't change. If someone else just started one, locks that one. */
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

const inOrder = (a: Todo, b: Todo) => a.sort_order - b.sort_order || steps.indexOf(a.step) - steps.indexOf(b.step)
