import { Type } from '@sinclair/typebox'
import { actOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { pathId } from '../../http/path-id.ts'
import { showOne } from '../../http/plain-type.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { optional, uuid } from '../../jsonapi/fields.ts'
import { plainDocument } from '../../jsonapi/plain-schema.ts'
import { document } from '../../jsonapi/serialize.ts'
import { changeTodo, createTodo, removeTodo } from './change-todos.ts'
import {
  changeable,
  creatable,
  exampleSetId,
  exampleTodo,
  readNewTodo,
  readTodoChange,
  renderTodo,
  shape,
  todosAddress,
} from './todo-document.ts'
import { getWorkflow, requireTodo, type Todo } from './workflow.ts'

const { type, readFields } = shape

const list = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = readFields(call)
  const { setId, todos } = await getWorkflow(db, pathId(call, 'set'))
  const address = todosAddress(config.baseUrl, setId)
  const data = todos.map((todo) => renderTodo(address, todo, fields))
  return { status: 200, body: document(`${address}${call.url.search}`, { data }) }
}

const retrieve = async (context: Context, call: Call): Promise<Reply> => {
  const fields = readFields(call)
  const todo = requireTodo(await getWorkflow(context.db, pathId(call, 'set')), pathId(call, 'todo'))
  return answer(context, call, todo, fields)
}

const create = async (context: Context, call: Call): Promise<Reply> => {
  const fields = readFields(call)
  const setId = pathId(call, 'set')
  const given = await readNewTodo(call, async () => (await getWorkflow(context.db, setId)).todos)
  const todo = await createTodo(context.db, setId, given, actOf(call))
  const reply = answer(context, call, todo, fields)
  return { ...reply, status: 201, headers: { Location: `${todosAddress(context.config.baseUrl, setId)}/${todo.id}` } }
}

const change = async (context: Context, call: Call): Promise<Reply> => {
  const fields = readFields(call)
  const setId = pathId(call, 'set')
  const id = pathId(call, 'todo')
  const wanted = await readTodoChange(call, id, async () => requireTodo(await getWorkflow(context.db, setId), id))
  return answer(context, call, await changeTodo(context.db, setId, id, wanted, actOf(call)), fields)
}

const remove = async ({ db }: Context, call: Call): Promise<Reply> => {
  await removeTodo(db, pathId(call, 'set'), pathId(call, 'todo'), actOf(call))
  return { status: 204 }
}

const answer = ({ config }: Context, call: Call, todo: Todo, fields: Set<string> | undefined) =>
  showOne(renderTodo(todosAddress(config.baseUrl, pathId(call, 'set')), todo, fields), call)

/** A document may leave out the type. */
const usualType = { type: optional(Type.Literal(type)) }

const path = '/internal/sets/:set/todos'
const shared = { ...forOperators, query: shape.parameters }
const exampleAddress = todosAddress('https://cards.example.org', exampleSetId)
const example = renderTodo(exampleAddress, exampleTodo)
const one = shape.one('The todo.', example)

/** The todos of a set. */
export const todoRoutes: Route[] = [
  {
    ...shared,
    method: 'GET',
    path,
    operationId: 'listSetTodos',
    summary: 'List the todos of a set',
    description: 'Sorted by `sort_order`. Empty if the set has no workflow.',
    answers: {
      200: {
        description: 'The todos.',
        schema: plainDocument(Type.Array(shape.resource), { $id: 'SetTodoCollection' }),
        example: document(exampleAddress, { data: [example] }),
      },
    },
    refusals: [400, 404],
    handle: list,
  },
  {
    ...shared,
    method: 'POST',
    path,
    operationId: 'createSetTodo',
    summary: 'Add a todo to a set',
    description:
      'Each step can have one todo. For a second one, returns 409. The first todo starts the set’s workflow. Without a `sort_order`, a todo is sorted by its step.',
    body: {
      schema: shape.written('SetTodoCreate', creatable, usualType),
      example: { data: { type, attributes: { step: 'fetch', status: 'pending', notes: 'From the sell sheet' } } },
    },
    answers: { 201: one },
    refusals: [400, 404, 409, 422],
    handle: create,
  },
  {
    ...shared,
    method: 'GET',
    path: `${path}/:todo`,
    operationId: 'getSetTodo',
    summary: 'Get a todo',
    description: 'Returns 404 if the todo belongs to another set.',
    answers: { 200: one },
    refusals: [400, 404],
    handle: retrieve,
  },
  {
    ...shared,
    method: 'PATCH',
    path: `${path}/:todo`,
    operationId: 'updateSetTodo',
    summary: 'Change the status of a todo',
    description:
      'The steps `discover_sources`, `fetch`, `parse`, `populate`, `validate` and `publish` run in order: a todo can’t change until those of all earlier steps are `completed` or `skipped` (422). `cleanup` and `audit` can change any time. `started_at` is set when a todo first becomes `in_progress`. `completed_at` is set when it becomes `completed` or `skipped`, and cleared when it no longer is.',
    body: {
      schema: shape.written('SetTodoUpdate', changeable, { ...usualType, id: optional(uuid()) }),
      example: {
        data: {
          type,
          id: exampleTodo.id,
          attributes: { status: 'completed', completed_by: 'ana', issues_found: false },
        },
      },
    },
    answers: { 200: shape.one('The changed todo.', example) },
    refusals: [400, 404, 409, 422],
    handle: change,
  },
  {
    ...shared,
    method: 'DELETE',
    path: `${path}/:todo`,
    operationId: 'deleteSetTodo',
    summary: 'Delete a todo',
    description: 'Deleting the last one ends the set’s workflow.',
    query: undefined,
    answers: { 204: { description: 'Deleted.' } },
    refusals: [400, 404],
    handle: remove,
  },
]
