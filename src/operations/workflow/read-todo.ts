import { pathId } from '../../http/path-id.ts'
import type { Call } from '../../http/route.ts'
import { type DocumentShape, readDocument } from '../../jsonapi/document.ts'
import { ApiError } from '../../jsonapi/errors.ts'
import type { NewTodo, TodoChange } from './change-todos.ts'
import { attributeNames, changeable, creatable, type } from './todo-document.ts'

/** The set that a path names; 404 for what is no UUID. */
export const setIdOf = (call: Call): string => pathId(call, 'set')
/** The todo that a path names; 404 for what is no UUID. */
export const todoIdOf = (call: Call): string => pathId(call, 'todo')

/** Reads a document that creates a todo; `requireSet` throws 404, which goes before all that is wrong but a 400. */
export const readNewTodo = async (call: Call, requireSet: () => Promise<unknown>): Promise<NewTodo> => {
  const { step, status, sort_order, notes, completed_by } = await read(call, { attributes: creatable }, requireSet)
  return { step, status, sortOrder: sort_order, notes, completedBy: completed_by } as NewTodo
}

/** Reads a document that changes a todo; `requireTodo` throws 404, which goes before all that is wrong but a 400. */
export const readTodoChange = async (
  call: Call,
  id: string,
  requireTodo: () => Promise<unknown>,
): Promise<TodoChange> => {
  const shape = { id, idMayLack: true, attributes: changeable }
  const { status, notes, completed_by, issues_found } = await read(call, shape, requireTodo)
  return { status, notes, completedBy: completed_by, issuesFound: issues_found } as TodoChange
}

const read = async (
  call: Call,
  shape: Pick<DocumentShape, 'id' | 'idMayLack' | 'attributes'>,
  requireTarget: () => Promise<unknown>,
) => {
  const body = await call.body()
  try {
    return readDocument(body, { type, relationships: {}, readOnly: attributeNames, ...shape }).attributes
  } catch (error) {
    if (error instanceof ApiError && error.status !== 400) await requireTarget()
    throw error
  }
}
