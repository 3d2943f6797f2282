import { issueCredential } from '../../src/access/credentials.ts'
import { bodyTypesOf, type Route } from '../../src/http/route.ts'
import { jsonApi } from '../../src/jsonapi/negotiate.ts'
import type { TestApp } from './app.ts'
import type { Sent } from './callers.ts'
import { aUser } from './callers.ts'
import { aDocument } from './factories.ts'
import { currentMessage } from './mcp.ts'
import { aWorld, type World } from './worlds.ts'

/** URLs that routes answer. */
export type Places = { existing: (path: string) => string; unknownId: string }

const types: Record<string, keyof World> = {
  'player-teams': 'playerteams',
  'set-sources': 'set_sources',
  'card-images': 'card_images',
}

/** Creates a record of each kind, so that every path of the service has an existing one. */
export const placesOf = async (app: TestApp): Promise<Places> => {
  const world = await aWorld(app, 'published')
  const { context } = app
  const client = await issueCredential(context.db, 'oauth_client', await aUser(context), context.config, new Date())
  const todo = await app.operator.post(
    `/internal/sets/${world.sets.id}/todos`,
    aDocument('set_todos', { step: 'fetch', status: 'pending' }),
  )
  const webhook = await app.operator.post(
    '/internal/webhooks',
    aDocument('webhooks', { target_url: 'https://example.org/hook', events: ['catalog.changed'] }),
  )
  const collected = await app.operator.post(
    '/v1/user/collection',
    aDocument('collection-cards', { card_id: world.cards.id, status: 'have' }),
  )
  const idAt = (path: string) => {
    if (path.includes('/collection/:')) return collected.one.id
    if (path.includes('/webhooks/:')) return webhook.one.id
    if (path.startsWith('/internal/clients')) return client.id
    if (path.startsWith('/v1/stats')) return 'cards'
    const resource = path.split('/')[2] ?? ''
    return world[types[resource] ?? (resource as keyof World)]?.id ?? unknownId
  }
  return {
    unknownId,
    existing: (path) =>
      path
        .replace(':set', world.sets.id)
        .replace(':todo', todo.one.id)
        .replace(/:\w+/g, () => idAt(path)),
  }
}

const unknownId = 'd0000000-0000-4000-8000-000000000000'

const actionable = (path: string) => ({ [path]: '?step=none', [`${path}/count`]: '?step=none' })

const wrongQuery: Record<string, string> = {
  '/internal/analytics/customer-usage': '?from=yesterday',
  '/internal/analytics/sales-readiness': '?years=none',
  ...actionable('/internal/actionable-sets'),
  ...actionable('/internal/workflow/actionable-sets'),
}

const relatedTypes: Record<string, string> = {
  ...{ genre: 'genres', year: 'years', brand: 'brands', manufacturer: 'manufacturers', parent: 'sets', set: 'sets' },
  ...{ oncard: 'players', card_attributes: 'attributes' },
}

const isList = ['oncard', 'card_attributes']

/** The linkage of a record that can't exist. */
const impossibleLinkage = (name: string) => {
  const identifier = { type: relatedTypes[name], id: 'no UUID' }
  return isList.includes(name) ? [identifier] : identifier
}

const operationsOf = (op: string, resource: object) => ({ 'atomic:operations': [{ op, ...resource }] })

/** A request for something that doesn't exist. `path` names it where the route does. */
export const missingSample = (route: Route, path: string): Sent => {
  if (route.path === '/internal/reverts') {
    const body = JSON.stringify({ object_type: 'brands', object_id: unknownId, revision: '999999' })
    return { body, headers: { 'Content-Type': 'application/json' } }
  }
  if (route.path === '/mcp') return currentMessage('nothing')
  if (route.path !== '/v2/operations') return refusedSample(route, path)
  const ref = { type: 'brands', id: 'd0000000-0000-4000-8000-000000000000' }
  const headers = { 'Content-Type': bodyTypesOf(route)[0] as string }
  return { body: JSON.stringify(operationsOf('remove', { ref })), headers }
}

/** A readable request with a value that the route can't accept. */
export const refusedSample = (route: Route, path: string): Sent & { query?: string } => {
  if (wrongQuery[route.path]) return { query: wrongQuery[route.path] }
  const [mediaType = ''] = route.body ? bodyTypesOf(route) : []
  const headers = { 'Content-Type': mediaType }
  if (mediaType.startsWith('image/')) return { body: 'no image', headers }
  if (route.path === '/v2/operations') {
    const data = { type: 'brands', attributes: { nothing: 1 } }
    return { body: JSON.stringify(operationsOf('add', { data })), headers }
  }
  if (mediaType !== jsonApi) return { body: JSON.stringify({ code: 1, plan: 1, return_url: 1, set_ids: 1 }), headers }
  const [, relationship] = /\/relationships\/(\w+)$/.exec(route.path) ?? []
  if (relationship) return { body: JSON.stringify({ data: impossibleLinkage(relationship) }), headers }
  if (route.path === '/v2/cards/collection') return { body: JSON.stringify({ data: [] }), headers }
  const { type } = route.body?.schema.properties.data.properties ?? {}
  const id = route.path.endsWith('/:id') || route.path.endsWith('/:todo') ? { id: path.split('/').at(-1) } : {}
  return { body: JSON.stringify({ data: { type: type?.const, ...id, attributes: { nothing: 1 } } }), headers }
}
