import type { Route } from '../../http/route.ts'
import { cursorPageType } from '../../jsonapi/cursor-profile.ts'
import { cursorDocument } from '../../jsonapi/cursor-schema.ts'
import { jsonApi } from '../../jsonapi/negotiate.ts'
import { resourceSchema, schemaName, singleDocument } from '../../jsonapi/schema.ts'
import { capital } from '../../lib/capital.ts'
import { typesIn } from '../model/fields.ts'
import type { Resource } from '../model/resource.ts'
import { resourceInV2, resourcesInV2 } from '../model/v2.ts'
import { collectionRoute } from './collection-route.ts'
import { describedQuery } from './described.ts'
import { cursorPageExample, singleExample } from './examples.ts'
import { aNoun, plural, title } from './operation-names.ts'
import { cardsRoute } from './owned-cards.ts'
import { listPage, retrieveOne } from './read-v2.ts'
import { relationshipRoutes } from './relationship-routes.ts'
import { notModified, writeRoutes } from './routes.ts'
import { queryShapes } from './shapes.ts'

/** The reads of a resource in /v2. */
const readRoutes = (resource: Resource): Route[] => {
  const { noun, path } = resource
  const words = path.replaceAll('-', ' ')
  const { list, read } = queryShapes(resource)
  const shape = resourceSchema(resource)
  const common = { tag: capital(words), access: 'catalog', scope: 'read' } as const
  return [
    {
      ...common,
      method: 'GET',
      path: `/v2/${path}`,
      operationId: `list${plural(resource)}V2`,
      summary: `List ${words} by cursor`,
      description: `${resource.description} Pages follow the cursor pagination profile: a walk sees every record that stays exactly once.`,
      query: describedQuery(resource, list, typesIn(resource, list.include)),
      answers: {
        200: {
          description: `A page of ${words}.`,
          schema: cursorDocument(schemaName(resource), shape),
          mediaType: cursorPageType,
          example: cursorPageExample(resource),
        },
      },
      refusals: [400],
      handle: listPage(resource),
    },
    {
      ...common,
      method: 'GET',
      path: `/v2/${path}/:id`,
      operationId: `get${title(resource)}V2`,
      summary: `Retrieve ${aNoun(resource)}`,
      description: 'What is deleted or hidden from the caller is a 404.',
      query: describedQuery(resource, read, typesIn(resource, read.include)),
      answers: {
        200: {
          description: `The ${noun}.`,
          schema: singleDocument(resource, shape),
          mediaType: jsonApi,
          example: singleExample(resource),
          headers: { ETag: '' },
        },
        304: notModified,
      },
      precondition: 'If-None-Match',
      refusals: [400, 404],
      handle: retrieveOne(resource),
    },
  ]
}

/** Every route of the catalog's resources under /v2. */
export const catalogRoutesInV2: Route[] = [
  ...resourcesInV2.flatMap((resource) => [
    ...readRoutes(resource),
    ...writeRoutes(resource, `/v2/${resource.path}`),
    ...(resource.type === 'cards' ? [collectionRoute(resource)] : []),
  ]),
  ...relationshipRoutes,
  ...['players', 'teams'].map((type) => cardsRoute(resourceInV2(type))),
]
