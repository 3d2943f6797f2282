import { Type } from '@sinclair/typebox'
import { fieldsParameter } from '../../http/parameters.ts'
import { boolean, integer, line, longText, nullable, oneOf, optional, time, uuid } from '../../jsonapi/fields.ts'
import { plainDocument, plainResource } from '../../jsonapi/plain-schema.ts'
import { document, sparse } from '../../jsonapi/serialize.ts'
import { steps, todoStatuses } from '../../lib/workflow-steps.ts'
import { columnsOf, type Todo } from './workflow.ts'

export const type = 'set_todos'

const step = () => oneOf([...steps])
const status = () => oneOf([...todoStatuses])
const sortOrder = () => integer(-(2 ** 31), 2 ** 31 - 1)

/** What a POST takes. */
export const creatable = {
  step: step(),
  status: status(),
  sort_order: optional(nullable(sortOrder())),
  notes: optional(nullable(longText())),
  completed_by: optional(nullable(line())),
}

/** What a PATCH takes. */
export const changeable = {
  status: status(),
  notes: optional(nullable(longText())),
  completed_by: optional(nullable(line())),
  issues_found: optional(nullable(boolean())),
}

const shown = {
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
}

/** The names of the attributes. */
export const attributeNames = Object.keys(shown)

const resource = plainResource(type, shown, { $id: 'SetTodo' })

/** The document of one todo. */
export const single = plainDocument(resource, { $id: 'SetTodoDocument' })

/** The document of a set's todos. */
export const collection = plainDocument(Type.Array(resource), { $id: 'SetTodoCollection' })

/** The body of a POST. */
export const createBody = Type.Object(
  { data: Type.Object({ type: Type.Literal(type), attributes: Type.Object(creatable) }) },
  { $id: 'SetTodoCreate' },
)

/** The body of a PATCH. */
export const changeBody = Type.Object(
  { data: Type.Object({ type: Type.Literal(type), id: optional(uuid()), attributes: Type.Object(changeable) }) },
  { $id: 'SetTodoUpdate' },
)

/** The query parameter that thins the attributes. */
export const readParameters = fieldsParameter(type, attributeNames, ['step', 'status'])

/** Where the todos of a set are. */
export const todosAddress = (baseUrl: string, setId: string) => `${baseUrl}/internal/sets/${setId}/todos`

/** A todo as a resource object; `address` is that of the set's todos. */
export const renderTodo = (address: string, todo: Todo, fields?: Set<string>) => ({
  type,
  id: todo.id,
  attributes: sparse<unknown>(columnsOf(todo), fields),
  links: { self: `${address}/${todo.id}` },
})

/** The set of the examples of the OpenAPI document. */
export const exampleSetId = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d30'
/** Its todo. */
export const exampleTodo: Todo = {
  ...{ id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d31', step: 'fetch', status: 'in_progress', sortOrder: 2 },
  ...{ startedAt: '2026-11-21T12:30:00.000Z', completedAt: null, completedBy: null },
  ...{ notes: 'Two of three sources answer', issuesFound: null },
  ...{ createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:30:00.000Z' },
}
const exampleAddress = todosAddress('https://cards.example.org', exampleSetId)
const exampleResource = renderTodo(exampleAddress, exampleTodo)
/** The document of that todo, and that of its set's todos. */
export const exampleSingle = document(exampleResource.links.self, { data: exampleResource })
export const exampleCollection = document(exampleAddress, { data: [exampleResource] })
