import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import { pathId } from '../../http/path-id.ts'
import { type Call, flatForOperators, type Reply, type Route } from '../../http/route.ts'
import { integer, nullable, oneOf, time, uuid } from '../../jsonapi/fields.ts'
import { currentStep, pipeline, steps, todoStatuses } from '../../lib/workflow-steps.ts'
import { priorityOf } from './current-years.ts'
import { exampleSetId, exampleTodo } from './todo-document.ts'
import { getWorkflow, type SetWorkflow, type Todo } from './workflow.ts'

const schema = Type.Object(
  {
    workflow: nullable(
      Type.Object({
        id: uuid(),
        set_id: uuid(),
        priority: Type.Integer({
          minimum: 0,
          maximum: 1,
          description: '1 (current) if the set’s year names this or the last calendar year, otherwise 0 (backlog).',
        }),
        current_step: nullable(
          Type.Unsafe<string>({
            ...oneOf([...pipeline]),
            description: 'The first pipeline step that isn’t completed or skipped. Null if all are.',
          }),
        ),
        todos: Type.Array(
          Type.Object({
            id: uuid(),
            step: oneOf([...steps]),
            status: oneOf([...todoStatuses]),
            sort_order: integer(),
            started_at: nullable(time()),
            completed_at: nullable(time()),
            notes: nullable(Type.String()),
          }),
        ),
        created_at: time(),
        updated_at: time(),
      }),
    ),
  },
  { $id: 'SetWorkflow' },
)

const render = ({ setId, yearName, workflow, todos }: SetWorkflow, now: Date) => ({
  workflow: workflow && {
    id: workflow.id,
    set_id: setId,
    priority: priorityOf(yearName, now),
    current_step: currentStep(todos),
    todos: todos.map(renderPart),
    created_at: workflow.created_at,
    updated_at: workflow.updated_at,
  },
})

const renderPart = ({ id, step, status, sort_order, started_at, completed_at, notes }: Todo) => ({
  id,
  step,
  status,
  sort_order,
  started_at,
  completed_at,
  notes,
})

const retrieve = async ({ db }: Context, call: Call): Promise<Reply> => ({
  status: 200,
  body: render(await getWorkflow(db, pathId(call, 'set')), call.now),
})

const { created_at, updated_at } = exampleTodo
const example: SetWorkflow = {
  setId: exampleSetId,
  yearName: '2026',
  todos: [exampleTodo],
  workflow: { id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d32', created_at, updated_at },
}

/** A set's workflow with its todos. */
export const workflowRoute: Route = {
  ...flatForOperators,
  method: 'GET',
  path: '/internal/sets/:set/workflow',
  operationId: 'getSetWorkflow',
  summary: 'Get the workflow of a set',
  description: '`workflow` is null if the set has none.',
  answers: {
    200: {
      description: 'The workflow, with its todos by `sort_order`.',
      schema,
      example: render(example, new Date(updated_at)),
    },
  },
  refusals: [400, 404],
  handle: retrieve,
}
