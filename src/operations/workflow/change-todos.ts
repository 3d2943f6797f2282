import type { Database, Transaction } from '../../../db/client.ts'
import { type Act, type Entry, writeAudit } from '../../audit/write.ts'
import { conflict, notFound, validationFailed } from '../../jsonapi/errors.ts'
import { isDone, openBefore, steps, type TodoStatus } from '../../lib/workflow-steps.ts'
import {
  getWorkflow,
  type LockedWorkflow,
  lockOrMakeWorkflow,
  lockWorkflow,
  requireTodo,
  type Todo,
} from './workflow.ts'
import { writeTodos } from './write-todos.ts'

/** The input for a new todo. Without a `sort_order`, it gets its step's. */
export type NewTodo = Pick<Todo, 'step' | 'status'> & Partial<Pick<Todo, 'sort_order' | 'notes' | 'completed_by'>>

/** The changes to a todo. Whatever is left out stays. */
export type TodoChange = Pick<Todo, 'status'> & Partial<Pick<Todo, 'notes' | 'completed_by' | 'issues_found'>>

/** Adds a todo to a set, and starts its workflow if it has none. Throws 409 if it already has a todo for the step. */
export const createTodo = (db: Database, setId: string, given: NewTodo, act: Act): Promise<Todo> =>
  db.transaction(async (tx) => {
    const { now } = act
    const locked = await lockOrMakeWorkflow(tx, setId, now)
    const { todos } = await getWorkflow(tx, setId)
    refuseSecond(todos, given.step)
    const at = now.toISOString()
    const todo: Todo = {
      id: Bun.randomUUIDv7(),
      step: given.step,
      status: given.status,
      sort_order: given.sort_order ?? steps.indexOf(given.step) + 1,
      ...timesOf({ started_at: null, completed_at: null }, given.status, at),
      completed_by: given.completed_by ?? null,
      notes: given.notes ?? null,
      issues_found: null,
      created_at: at,
      updated_at: at,
    }
    await writeTodos(tx, locked, todos, [...todos, todo], now)
    await writeAudit(tx, act, entryOf('created', setId, todo))
    return todo
  })

/** Refuses a second todo for a step: 409. */
export const refuseSecond = (todos: readonly Todo[], step: unknown) => {
  if (todos.some((todo) => todo.step === step))
    throw conflict(`The set already has a todo for ${step}.`, { pointer: '/data/attributes/step' })
}

/**
 * Changes a todo. A pipeline step's todo can only change if all earlier steps are completed or skipped (422). A second writer of
 * the same workflow waits for the first, and sees its changes.
 */
export const changeTodo = (db: Database, setId: string, todoId: string, change: TodoChange, act: Act): Promise<Todo> =>
  withTodo(db, setId, todoId, async ({ tx, locked, todos, todo }) => {
    refuseBlocked(todo, todos)
    const { status, notes = todo.notes, completed_by = todo.completed_by, issues_found = todo.issues_found } = change
    const changed = { ...todo, status, notes, completed_by, issues_found }
    if (Bun.deepEquals(changed, todo)) return todo
    const at = act.now.toISOString()
    const after = { ...changed, ...timesOf(todo, status, at), updated_at: at }
    const left = todos.map((one) => (one === todo ? after : one))
    await writeTodos(tx, locked, todos, left, act.now)
    await writeAudit(tx, act, entryOf('updated', setId, after, todo))
    return after
  })

/** Removes a todo. Removing the last one also removes the workflow. */
export const removeTodo = (db: Database, setId: string, todoId: string, act: Act): Promise<void> =>
  withTodo(db, setId, todoId, async ({ tx, locked, todos, todo }) => {
    const left = todos.filter((one) => one !== todo)
    await writeTodos(tx, locked, todos, left, act.now)
    await writeAudit(tx, act, entryOf('deleted', setId, todo))
  })

const entryOf = (what: 'created' | 'updated' | 'deleted', setId: string, todo: Todo, before?: Todo): Entry => ({
  eventType: `set_todo.${what}`,
  auditableType: 'set_todo',
  auditableId: todo.id,
  data: { set_id: setId, step: todo.step, status: todo.status, ...(before && { previous_status: before.status }) },
})

type Found = {
  tx: Transaction
  locked: LockedWorkflow
  todos: Todo[]
  todo: Todo
}

const withTodo = <T>(db: Database, setId: string, todoId: string, work: (found: Found) => Promise<T>) =>
  db.transaction(async (tx) => {
    const locked = await lockWorkflow(tx, setId)
    if (!locked) throw notFound()
    const workflow = await getWorkflow(tx, setId)
    return work({ tx, locked, todos: workflow.todos, todo: requireTodo(workflow, todoId) })
  })

const refuseBlocked = ({ step }: Todo, todos: Todo[]) => {
  const open = openBefore(step, todos)
  if (open.length === 0) return
  const detail = `The step ${step} waits for ${open.join(', ')}: those before it must be completed or skipped.`
  throw validationFailed([{ pointer: '/data/attributes/status', detail }])
}

/** `started_at` is the first start; `completed_at` is set while the todo is done (decisions.md §6). */
const timesOf = (
  { started_at, completed_at }: Pick<Todo, 'started_at' | 'completed_at'>,
  status: TodoStatus,
  at: string,
) => ({
  started_at: started_at ?? (status === 'in_progress' ? at : null),
  completed_at: isDone(status) ? (completed_at ?? at) : null,
})
