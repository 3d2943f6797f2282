import { levelOf } from '../../access/caller.ts'
import { pathId } from '../../http/path-id.ts'
import { fromReplicas, type Route } from '../../http/route.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { collectionDocument } from '../../jsonapi/schema.ts'
import { capital } from '../../lib/capital.ts'
import { resourceOf, resources, shownIn } from '../model/index.ts'
import type { Resource } from '../model/resource.ts'
import { loadRow } from '../show/rows.ts'
import {
  aNoun,
  describeAction,
  exampleId,
  notModified,
  pageExample,
  plural,
  recordAnswer,
  tagOf,
  title,
  wordsFor,
} from './documented.ts'
import { parametersInV1, shapesInV1 } from './query-v1.ts'
import { list, retrieve } from './read-v1.ts'
import { writeRoutes } from './write-routes.ts'

/** A resource's five routes, made from its declaration. There is no route for what it can't do. */
const routesOf = (resource: Resource, path = `/v1/${resource.path}`): Route[] => {
  const common = { tag: tagOf(resource), access: 'catalog' as const }
  return [
    {
      ...common,
      method: 'GET',
      path,
      operationId: `list${plural(resource)}`,
      summary: `List ${wordsFor(resource)}`,
      description: resource.description,
      scope: 'read',
      query: parametersInV1(resource, shapesInV1(resource).list),
      answers: {
        200: {
          description: `A page of ${wordsFor(resource)}.`,
          schema: collectionDocument(resource, shownIn(resource)),
          example: pageExample(resource),
        },
      },
      refusals: [400],
      handle: list(resource),
      ...(resource.type === 'sets' ? { heedsIgnoreStatus: true as const } : {}),
    },
    {
      ...common,
      method: 'GET',
      path: `${path}/:id`,
      operationId: `get${title(resource)}`,
      summary: `Retrieve ${aNoun(resource)}`,
      description: describeAction(resource, 'retrieve'),
      scope: 'read',
      query: parametersInV1(resource, shapesInV1(resource).read),
      precondition: 'If-None-Match',
      answers: { 200: recordAnswer(resource, `The ${resource.noun}.`), 304: notModified },
      refusals: [400, 404],
      handle: retrieve(resource),
    },
    ...writeRoutes(resource, path),
  ]
}

/** The cards of a player or a team, with the same filters as the list of cards. */
const cardsOf = (owner: Resource): Route => {
  const cards = resourceOf('cards')
  const { noun, path } = owner
  return {
    method: 'GET',
    path: `/v1/${path}/:id/cards`,
    operationId: `list${capital(noun)}Cards`,
    summary: `List the cards of a ${noun}`,
    description: `Every card with this ${noun}, on their own or in a player-team, in checklist order.`,
    tag: capital(path),
    access: 'catalog',
    scope: 'read',
    query: parametersInV1(cards, shapesInV1(cards).list),
    answers: {
      200: {
        description: 'A page of cards.',
        schema: collectionDocument(cards),
        example: pageExample(cards, `/v1/${path}/${exampleId(owner.type)}/cards`),
      },
    },
    refusals: [400, 404],
    handle: async (context, call) => {
      readQuery(call.url.searchParams, shapesInV1(cards).list)
      const id = pathId(call)
      if (!(await loadRow(context.db, owner, id, levelOf(call.caller)))) throw notFound()
      return list(cards, () => [{ name: noun, operator: 'eq', values: [id] }])(context, call)
    },
  }
}

/** `/v1/playerteams`, the path before 1.0: the same routes, marked as deprecated. */
const deprecatedAlias = (resource: Resource, path: string): Route[] =>
  routesOf(resource, path).map((route) => ({
    ...route,
    operationId: `${route.operationId}ByOldPath`,
    deprecated: true as const,
    summary: `${route.summary} (old path)`,
    description: `Deprecated: use \`/v1/${resource.path}\`.`,
  }))

/** Every route of the catalog's resources. */
export const catalogRoutesInV1: Route[] = fromReplicas([
  ...resources.flatMap((resource) => routesOf(resource)),
  ...deprecatedAlias(resourceOf('playerteams'), '/v1/playerteams'),
  cardsOf(resourceOf('players')),
  cardsOf(resourceOf('teams')),
])
