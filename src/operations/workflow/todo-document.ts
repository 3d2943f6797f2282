import { Type } from '@sinclair/typebox'
import { plainType } from '../../http/plain-type.ts'
import type { Call } from '../../http/route.ts'
import { type DocumentShape, readDocument } from '../../jsonapi/document.ts'
import { ApiError } from '../../jsonapi/errors.ts'
import { boolean, integer, line, longText, nullable, oneOf, optional, time } from '../../jsonapi/fields.ts'
import { readJson } from '../../jsonapi/json.ts'
import { steps, todoStatuses } from '../../lib/workflow-steps.ts'
import { type NewTodo, refuseSecond, type TodoChange } from './change-todos.ts'
import type { Todo } from './workflow.ts'

const step = () => oneOf([...steps])
const status = () => oneOf([...todoStatuses])
const sortOrder = () => integer(-(2 ** 31), 2 ** 31 - 1)

/** The input of a POST. */
export const creatable = {
  step: step(),
  status: status(),
  sort_order: optional(nullable(sortOrder())),
  notes: optional(nullable(longText())),
  completed_by: optional(nullable(line())),
}

/** The input of a PATCH. */
export const changeable = {
  status: status(),
  notes: optional(nullable(longText())),
  completed_by: optional(nullable(line())),
  issues_found: optional(nullable(boolean())),
}

export const shape = plainType({
  type: 'set_todos',
  name: 'SetTodo',
  attributes: {
    step: step(),
    status: status(),
    sort_order: sortOrder(),
    started_at: nullable(time()),
    completed_at: nullable(time()),
    completed_by: nullable(Type.String()),
    notes: nullable(Type.String()),
    issues_found: nullable(boolean()),
    created_at: time(),
    updated_at: time(),
  },
  fields: ['step', 'status'],
})

/** The URL of a set's todos. */
export const todosAddress = (baseUrl: string, setId: string) => `${baseUrl}/internal/sets/${setId}/todos`

/** A todo as a resource object. `address` is the URL of the set's todos. */
export const renderTodo = (address: string, todo: Todo, fields?: Set<string>) =>
  shape.render(`${address}/${todo.id}`, todo.id, todo, fields)

/**
 * Reads a POST. `findTodos` throws 404 if there is no such set, which takes precedence over all faults except a 400. A step that
 * already has a todo is a 409, which takes precedence over faulty fields.
 */
export const readNewTodo = async (call: Call, findTodos: () => Promise<Todo[]>): Promise<NewTodo> =>
  (await read(call, { attributes: creatable }, async (body, status) => {
    const todos = await findTodos()
    if (status === 422) refuseSecond(todos, stepIn(body))
  })) as NewTodo

const stepIn = (body: Uint8Array) =>
  (readJson(body) as { data: { attributes?: { step?: unknown } } }).data.attributes?.step

/** Reads a PATCH. `requireTodo` throws 404, which takes precedence over all faults except a 400. */
export const readTodoChange = async (call: Call, id: string, requireTodo: () => Promise<unknown>) =>
  (await read(call, { id, idMayLack: true, attributes: changeable }, requireTodo)) as TodoChange

type Asked = Pick<DocumentShape, 'id' | 'idMayLack' | 'attributes'>

const read = async (
  call: Call,
  asked: Asked,
  requireTarget: (body: Uint8Array, status: number) => Promise<unknown>,
): Promise<object> => {
  const body = await call.body()
  try {
    return readDocument(body, {
      type: shape.type,
      relationships: {},
      readOnly: shape.names,
      typeMayLack: true,
      ...asked,
    }).attributes
  } catch (error) {
    if (error instanceof ApiError && error.status !== 400) await requireTarget(body, error.status)
    throw error
  }
}

/** The set and todo in the OpenAPI document's examples. */
export const exampleSetId = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d30'
export const exampleTodo: Todo = {
  id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d31',
  step: 'fetch',
  status: 'in_progress',
  sort_order: 2,
  started_at: '2026-11-21T12:30:00.000Z',
  completed_at: null,
  completed_by: null,
  notes: 'Two of three sources answer',
  issues_found: null,
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:30:00.000Z',
}
