import { Type } from '@sinclair/typebox'
import type { Route } from '../../http/route.ts'
import { createBody, resourceSchema, singleDocument, updateBody } from '../../jsonapi/schema.ts'
import { capital } from '../../lib/capital.ts'
import type { Resource } from '../model/resource.ts'
import { writesOf } from '../write/documents.ts'
import { aNoun, createExample, describeAction, singleExample, suffix, title, updateExample } from './documented.ts'
import { parametersOf, writeShape } from './query-v1.ts'
import { create, remove, update } from './write-handlers.ts'

/** The routes that write a resource. */
export const writeRoutes = (resource: Resource, path: string): Route[] => {
  const { noun } = resource
  const common = { tag: capital(resource.path.replaceAll('-', ' ')), access: 'catalog' as const }
  const shape = resourceSchema(resource)
  const single = {
    schema: singleDocument(resource, shape),
    example: singleExample(resource),
    headers: { ETag: '' },
  }
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
      query: parametersOf(resource, writeShape(resource)),
      answers: { 201: { description: `The new ${noun}.`, ...single } },
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
      query: parametersOf(resource, writeShape(resource)),
      answers: { 200: { description: `The ${noun} as it is now.`, ...single } },
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
