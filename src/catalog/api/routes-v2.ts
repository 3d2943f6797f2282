import { fromReplicas, type Route } from '../../http/route.ts'
import { capital } from '../../lib/capital.ts'
import { typesIn } from '../model/fields.ts'
import type { Resource } from '../model/resource.ts'
import { resourceInV2, resourcesInV2 } from '../model/v2.ts'
import { collectionRoute } from './collection.ts'
import {
  aNoun,
  cursorPageExample,
  notModified,
  pageAnswer,
  plural,
  recordAnswer,
  tagOf,
  title,
  wordsFor,
} from './documented.ts'
import { parametersInV2, shapesInV2 } from './query-v2.ts'
import { listPage, retrieveOne } from './read-v2.ts'
import { ownerOf } from './relationships/related.ts'
import { relationshipRoutes } from './relationships/routes.ts'
import { writeRoutes } from './write-routes.ts'

/** The /v2 reads of a resource. */
const readRoutes = (resource: Resource): Route[] => {
  const { noun, path } = resource
  const words = wordsFor(resource)
  const { list, read } = shapesInV2(resource)
  const common = { tag: tagOf(resource), access: 'catalog', scope: 'read' } as const
  return [
    {
      ...common,
      method: 'GET',
      path: `/v2/${path}`,
      operationId: `list${plural(resource)}V2`,
      summary: `List ${words} by cursor`,
      description: `${resource.description} Pages follow the cursor pagination profile, so walking through them shows every unchanged record exactly once.`,
      query: parametersInV2(resource, list, typesIn(resource, list.include)),
      answers: {
        200: { ...pageAnswer(resource, `A page of ${words}.`), example: cursorPageExample(resource) },
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
      description: 'Returns 404 if the record is deleted or hidden from you.',
      query: parametersInV2(resource, read, typesIn(resource, read.include)),
      answers: {
        200: recordAnswer(resource, `The ${noun}.`),
        304: notModified,
      },
      precondition: 'If-None-Match',
      refusals: [400, 404],
      handle: retrieveOne(resource),
    },
  ]
}

/** GET of a player's or a team's cards, as a list like /v2/cards. */
const cardsRoute = (owner: Resource): Route => {
  const cards = resourceInV2('cards')
  const { list } = shapesInV2(cards)
  const { noun, path } = owner
  return {
    tag: capital(path),
    access: 'catalog',
    scope: 'read',
    method: 'GET',
    path: `/v2/${path}/:id/cards`,
    operationId: `list${capital(noun)}CardsV2`,
    summary: `List the cards of a ${noun} by cursor`,
    description: `Every card with this ${noun}, on their own or in a player-team, in checklist order.`,
    query: parametersInV2(cards, list, typesIn(cards, list.include)),
    answers: { 200: pageAnswer(cards, 'A page of cards.') },
    refusals: [400, 404],
    handle: listPage(cards, {
      fixed: async (context, call) => {
        const { row } = await ownerOf(context, call, owner)
        return [{ name: noun, operator: 'eq', values: [row.id] }]
      },
    }),
  }
}

/** Every route of the catalog's resources under /v2. */
export const catalogRoutesInV2: Route[] = fromReplicas([
  ...resourcesInV2.flatMap((resource) => [
    ...readRoutes(resource),
    ...writeRoutes(resource, `/v2/${resource.path}`),
    ...(resource.type === 'cards' ? [collectionRoute(resource)] : []),
  ]),
  ...relationshipRoutes,
  ...['players', 'teams'].map((type) => cardsRoute(resourceInV2(type))),
])
