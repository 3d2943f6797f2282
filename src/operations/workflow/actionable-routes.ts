import { Type } from '@sinclair/typebox'
import { findTargets, replaced } from '../../catalog/show/merged.ts'
import type { Context } from '../../context.ts'
import { type Call, flatForOperators, type Reply, type Route } from '../../http/route.ts'
import { integer, oneOf } from '../../jsonapi/fields.ts'
import { steps, todoStatuses } from '../../lib/workflow-steps.ts'
import { type ActionableFilter, actionableParameters, priorities, readActionable } from './actionable-query.ts'
import { type ActionableSet, type Asked, actionableSet, countActionable, findActionable } from './find-actionable.ts'
import { exampleSetId, exampleTodo } from './todo-document.ts'

const asked = { step: oneOf([...steps]), status: oneOf([...todoStatuses]), priority_filter: oneOf([...priorities]) }

const listSchema = Type.Object(
  {
    data: Type.Array(actionableSet),
    meta: Type.Object({
      total: Type.Integer({ minimum: 0, description: 'How many are listed.' }),
      full_total: Type.Integer({ minimum: 0, description: 'How many sets match.' }),
      ...asked,
    }),
  },
  { $id: 'ActionableSets' },
)

const countSchema = Type.Object({ count: integer(0), meta: Type.Object(asked) }, { $id: 'ActionableSetCount' })

const metaOf = ({ step, status, priority }: ActionableFilter) => ({ step, status, priority_filter: priority })

const askedBy = ({ config }: Context, { now }: Call): Asked => ({
  now,
  deadlineMilliseconds: config.actionableTimeoutMilliseconds,
})

/** Reads the query. A merged genre is replaced by the one it was merged into. */
const readFollowed = async ({ db }: Context, { url }: Call) => {
  const { filter, limit } = readActionable(url.searchParams)
  const { genreId } = filter
  const targets = genreId ? await findTargets(db, [genreId]) : new Map()
  return { filter: replaced(filter, targets), limit }
}

const list = async (context: Context, call: Call): Promise<Reply> => {
  const { filter, limit } = await readFollowed(context, call)
  const { sets, fullTotal } = await findActionable(context.db, filter, limit, askedBy(context, call))
  const meta = { total: sets.length, full_total: fullTotal, ...metaOf(filter) }
  return { status: 200, body: { data: sets, meta } }
}

const count = async (context: Context, call: Call): Promise<Reply> => {
  const { filter } = await readFollowed(context, call)
  const count = await countActionable(context.db, filter, askedBy(context, call))
  return { status: 200, body: { count, meta: metaOf(filter) } }
}

const exampleFilter: ActionableFilter = { step: 'fetch', status: 'pending', priority: 'current' }
const example: ActionableSet = {
  todo_id: exampleTodo.id,
  set_id: exampleSetId,
  set_name: '2025-26 Hoops',
  genre: 'Basketball',
  year: '2025-26',
  step: 'fetch',
  priority: 1,
  card_count: 0,
  has_sources: true,
  notes: null,
  updated_at: exampleTodo.updated_at,
}

const shared: Omit<Route, 'path' | 'operationId' | 'summary' | 'answers' | 'handle'> = {
  ...flatForOperators,
  method: 'GET',
  query: actionableParameters,
  refusals: [400, 422, 503],
}

/** What to do next, and how much there is to do. */
export const actionableRoutes: Route[] = [
  {
    ...shared,
    path: '/internal/actionable-sets',
    operationId: 'listActionableSets',
    summary: 'List the sets that are ready for a step',
    description:
      'Lists sets whose todo for the step has the given status. For a pipeline step, their earlier todos must be completed or skipped. Current sets come first, then by newest year, genre name, and longest wait. Returns 503 if the query takes too long.',
    answers: {
      200: {
        description: 'The sets, and their total.',
        schema: listSchema,
        example: { data: [example], meta: { total: 1, full_total: 1, ...metaOf(exampleFilter) } },
      },
    },
    handle: list,
  },
  {
    ...shared,
    path: '/internal/actionable-sets/count',
    operationId: 'countActionableSets',
    summary: 'Count the sets that are ready for a step',
    description: 'The `full_total` of the list with the same parameters.',
    answers: {
      200: {
        description: 'The count.',
        schema: countSchema,
        example: { count: 1, meta: metaOf(exampleFilter) },
      },
    },
    handle: count,
  },
]
