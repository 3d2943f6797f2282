import { eq } from 'drizzle-orm'
import { anyOf } from '../../../db/builder.ts'
import type { Transaction } from '../../../db/client.ts'
import { setTodos, workflows } from '../../../db/schema/index.ts'
import { countTodos } from '../../catalog/write/counts/settle.ts'
import type { TodosAdded } from '../../catalog/write/locks/order.ts'
import { openBefore } from '../../lib/workflow-steps.ts'
import type { LockedWorkflow, Todo } from './workflow.ts'

/**
 * Writes the current todos of a locked workflow: their rows, which of them are actionable, and the counts. A workflow without todos
 * is removed.
 */
export const writeTodos = async (
  tx: Transaction,
  workflow: LockedWorkflow,
  before: readonly Todo[],
  after: readonly Todo[],
  now: Date,
) => {
  const removed = before.filter(({ id }) => !after.some((todo) => todo.id === id))
  const gone = removed.map(({ id }) => id)
  if (gone.length > 0) await tx.orm.delete(setTodos).where(anyOf(setTodos.id, gone))
  const changed = after.filter((todo) => {
    const old = before.find(({ id }) => id === todo.id)
    return !old || !Bun.deepEquals(old, todo) || isActionable(old, before) !== isActionable(todo, after)
  })
  await upsert(tx, workflow, changed, after)
  const isOwn = eq(workflows.set_id, workflow.setId)
  if (after.length === 0) await tx.orm.delete(workflows).where(isOwn)
  else await tx.orm.update(workflows).set({ updated_at: now.toISOString() }).where(isOwn)
  await countTodos(tx, [...counted(workflow, before, -1), ...counted(workflow, after, 1)])
}

const isActionable = ({ step }: Todo, todos: readonly Todo[]) => openBefore(step, todos).length === 0

const counted = ({ yearId, genreId }: LockedWorkflow, todos: readonly Todo[], sign: 1 | -1): TodosAdded[] =>
  todos
    .filter((todo) => isActionable(todo, todos))
    .map(({ step, status }) => ({ step, status, yearId, genreId, todos: sign }))

const upsert = async (
  { sql }: Transaction,
  { setId, yearId, genreId }: LockedWorkflow,
  changed: readonly Todo[],
  all: readonly Todo[],
) => {
  if (changed.length === 0) return
  const rows = changed.map((todo) => ({ ...todo, actionable: isActionable(todo, all) }))
  await sql`
    insert into set_todos (id, set_id, step, status, sort_order, started_at, completed_at, completed_by, notes, issues_found,
      actionable, live, year_id, genre_id, created_at, updated_at)
    select r.id, ${setId}::uuid, r.step, r.status, r.sort_order, r.started_at, r.completed_at, r.completed_by, r.notes,
      r.issues_found, r.actionable, true, ${yearId}::uuid, ${genreId}::uuid, r.created_at, r.updated_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (
      id uuid, step text, status text, sort_order int, started_at timestamptz, completed_at timestamptz, completed_by text,
      notes text, issues_found boolean, actionable boolean, created_at timestamptz, updated_at timestamptz)
    on conflict (id) do update set status = excluded.status, started_at = excluded.started_at,
      completed_at = excluded.completed_at, completed_by = excluded.completed_by, notes = excluded.notes,
      issues_found = excluded.issues_found, actionable = excluded.actionable, updated_at = excluded.updated_at`
}
