import type { Step, TodoStatus } from '../../../../lib/workflow-steps.ts'
import { asking, patch } from '../../kit/api.ts'

/** What the API tells of a todo. */
export type Todo = {
  step: Step
  status: TodoStatus
  started_at: string | null
  completed_at: string | null
  completed_by: string | null
  notes: string | null
  issues_found: boolean | null
}
export type TodoOf = { id: string; attributes: Todo }

/** The path of the todos of a set. */
export const todosOf = (setId: string) => `/internal/sets/${setId}/todos`

/** The page of a set's workflow, before its id. */
export const setPath = '/operations/sets'

/** Changes a todo; throws Refused, with 422 where an earlier step is open. */
export const changeTodo = (setId: string, id: string, change: Partial<Todo>) =>
  patch(`${todosOf(setId)}/${id}`, asking('set_todos', change))
