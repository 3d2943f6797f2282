import { Type } from '@sinclair/typebox'
import type { Route } from '../../http/route.ts'
import { createBody, updateBody } from '../../jsonapi/schema.ts'
import type { Resource } from '../model/resource.ts'
import { writesOf } from '../write/documents.ts'
import {
  aNoun,
  createExample,
  describeAction,
  recordAnswer,
  suffix,
  tagOf,
  title,
  updateExample,
} from './documented.ts'
import { parametersInV1, shapesInV1 } from './query-v1.ts'
import { create, remove, update } from './write-handlers.ts'

/** The routes that write a resource. */
export const writeRoutes = (resource: Resource, path: string): Route[] => {
  const { noun } = resource
  const common = { tag: tagOf(resource), access: 'catalog' as const }
  const writes = writesOf(resource)
  const routes: Route[] = []
  if (writes.create)
    routes.push({
      ...common,
      method: 'POST',
      path,
      operationId: `create${title(resource)}${suffix(resource)}`,
      summary: `Create ${aNoun(resource)}`,
      description: describeAction(resource, 'create'),
      scope: 'write',
      body: { schema: createBody(resource), example: createExample(resource) },
      query: parametersInV1(resource, shapesInV1(resource).write),
      answers: { 201: recordAnswer(resource, `The new ${noun}.`) },
      refusals: [400, 409, 422],
      handle: create(resource, writes.create),
    })
  if (writes.update)
    routes.push({
      ...common,
      method: 'PATCH',
      path: `${path}/:id`,
      operationId: `update${title(resource)}${suffix(resource)}`,
      summary: `Change ${aNoun(resource)}`,
      description: describeAction(resource, 'update'),
      scope: 'write',
      body: { schema: updateBody(resource), example: updateExample(resource) },
      query: parametersInV1(resource, shapesInV1(resource).write),
      answers: { 200: recordAnswer(resource, `The ${noun} as it is now.`) },
      precondition: 'If-Match',
      refusals: [400, 404, 409, 412, 422],
      handle: update(resource, writes.update),
    })
  if (writes.remove)
    routes.push({
      ...common,
      method: 'DELETE',
      path: `${path}/:id`,
      operationId: `delete${title(resource)}${suffix(resource)}`,
      summary: `Delete ${aNoun(resource)}`,
      description: describeAction(resource, 'remove'),
      scope: 'delete',
      query:
        resource.type === 'sets'
          ? {
              force: {
                schema: Type.Boolean({ default: false }),
                description: 'Remove the set and its cards permanently.',
              },
            }
          : undefined,
      answers: { 204: { description: 'Deleted.' } },
      precondition: 'If-Match',
      refusals: [400, 404, 409, 412],
      handle: remove(resource, writes.remove),
    })
  return routes
}
