import type { Database, Transaction } from '../../../db/client.ts'
import { type Act, type Entry, writeAudit } from '../../audit/write.ts'
import { conflict, notFound, validationFailed } from '../../jsonapi/errors.ts'
import { isDone, openBefore, type Step, steps, type TodoStatus } from '../../lib/workflow-steps.ts'
import {
  getWorkflow,
  type LockedWorkflow,
  lockOrMakeWorkflow,
  lockWorkflow,
  requireTodo,
  type Todo,
} from './workflow.ts'
import { writeTodos } from './write-todos.ts'

/** What a new todo is made of; without a place of its own it takes that of its step. */
export type NewTodo = {
  step: Step
  status: TodoStatus
  sortOrder?: number | null
  notes?: string | null
  completedBy?: string | null
}

/** What may change of a todo; what is left out stays. */
export type TodoChange = {
  status: TodoStatus
  notes?: string | null
  completedBy?: string | null
  issuesFound?: boolean | null
}

/** Gives a set a todo, and a workflow where it has none; 409 where it has one for the step. */
export const createTodo = (db: Database, setId: string, given: NewTodo, act: Act): Promise<Todo> =>
  db.transaction(async (tx) => {
    const { now } = act
    const locked = await lockOrMakeWorkflow(tx, setId, now)
    const { todos } = await getWorkflow(tx, setId)
    if (todos.some(({ step }) => step === given.step))
      throw conflict(`The set has a todo for ${given.step} already.`, { pointer: '/data/attributes/step' })
    const at = now.toISOString()
    const todo: Todo = {
      ...{ id: Bun.randomUUIDv7(), step: given.step, status: given.status },
      sortOrder: given.sortOrder ?? steps.indexOf(given.step) + 1,
      ...{ notes: given.notes ?? null, completedBy: given.completedBy ?? null, issuesFound: null },
      ...timesOf({ startedAt: null, completedAt: null }, given.status, at),
      ...{ createdAt: at, updatedAt: at },
    }
    await writeTodos(tx, locked, todos, [...todos, todo], now)
    await writeAudit(tx, act, entryOf('created', setId, todo))
    return todo
  })

/**
 * Changes a todo. One of the pipeline changes only while all steps before it are completed or skipped (422); a second
 * writer of the same workflow waits until the first is through, and is held to what that one left.
 */
export const changeTodo = (db: Database, setId: string, todoId: string, change: TodoChange, act: Act): Promise<Todo> =>
  withTodo(db, setId, todoId, async ({ tx, locked, todos, todo }) => {
    refuseBlocked(todo, todos)
    const { status, notes = todo.notes, completedBy = todo.completedBy, issuesFound = todo.issuesFound } = change
    const changed = { ...todo, status, notes, completedBy, issuesFound }
    if (Bun.deepEquals(changed, todo)) return todo
    const at = act.now.toISOString()
    const after = { ...changed, ...timesOf(todo, status, at), updatedAt: at }
    const left = todos.map((one) => (one === todo ? after : one))
    await writeTodos(tx, locked, todos, left, act.now)
    await writeAudit(tx, act, entryOf('updated', setId, after, todo))
    return after
  })

/** Removes a todo, and with the last one the workflow. */
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

/** `started_at` is that of the first start, `completed_at` there as long as the todo is done (decisions.md §6). */
const timesOf = (
  { startedAt, completedAt }: Pick<Todo, 'startedAt' | 'completedAt'>,
  status: TodoStatus,
  at: string,
) => ({
  startedAt: startedAt ?? (status === 'in_progress' ? at : null),
  completedAt: isDone(status) ? (completedAt ?? at) : null,
})
