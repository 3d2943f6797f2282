import type { Step, TodoStatus } from '../../../../lib/workflow-steps.ts'
import { asking, patch } from '../../kit/api.ts'

/** A todo, as the API shows it. */
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

/** The path of a set's todos. */
export const todosOf = (setId: string) => `/internal/sets/${setId}/todos`

/** The path of the page of a set's workflow, without the id. */
export const setPath = '/operations/sets'

/** Changes a todo. Throws Refused, with 422 if an earlier step is open. */
export const changeTodo = (setId: string, id: string, change: Partial<Todo>) =>
  patch(`${todosOf(setId)}/${id}`, asking('set_todos', change))
