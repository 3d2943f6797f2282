import { Type } from '@sinclair/typebox'
import { levelOf } from '../../../access/caller.ts'
import type { Context } from '../../../context.ts'
import type { Answer, Call, Reply, Route } from '../../../http/route.ts'
import { ApiError, resourceMerged } from '../../../jsonapi/errors.ts'
import { isUuid, uuid } from '../../../jsonapi/fields.ts'
import { jsonApiVersion } from '../../../jsonapi/schema.ts'
import type { Identifier } from '../../model/resource.ts'
import { resourcesInV2 } from '../../model/v2.ts'
import { findMerged } from '../../show/merged.ts'
import { withReferences } from './references.ts'

/**
 * Adds merged ids to the routes of /v1 and /v2 (decisions.md §13). Reading a merged id, or a path below it, returns a 301 to
 * the record that it was merged into, and writing it a 409. In documents and filters, it means that record. Only requests that
 * find nothing pay for this.
 */
export const followMerges = (routes: Route[]): Route[] =>
  routes.map((route) => {
    const [, path = '', below] = /^\/v[12]\/([^/:]+)(\/:id)?/.exec(route.path) ?? []
    if (!paths.has(path) && path !== 'search' && !path.startsWith('operations')) return route
    const handle = withReferences(route)
    if (!below) return { ...route, handle }
    const isRead = route.method === 'GET'
    return {
      ...route,
      ...(isRead ? { answers: { ...route.answers, 301: movedAnswer } } : {}),
      handle: (context, call) => handleMerged({ ...route, handle }, context, call),
    }
  })

const paths = new Set([...resourcesInV2.map(({ path }) => path), 'playerteams'])

const handleMerged = async (route: Route, context: Context, call: Call): Promise<Reply> => {
  const into = outlives(route) ? await findTarget(route, context, call) : undefined
  if (into) return movedReply(context, call, into)
  try {
    return await route.handle(context, call)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    const found = await findTarget(route, context, call)
    if (!found) throw error
    if (route.method !== 'GET') throw resourceMerged(found)
    return movedReply(context, call, found)
  }
}

/** A deleted record's history exists, so its redirect is looked up first. */
const outlives = ({ path }: Route) => path.endsWith('/revisions')

const findTarget = async ({ path }: Route, { db }: Context, { params, caller }: Call) => {
  const id = params.id?.toLowerCase() ?? ''
  const into = isUuid(id) ? (await findMerged(db, [id], levelOf(caller))).get(id) : undefined
  return into && typesAt(path).includes(into.type) ? into : undefined
}

const typesAt = (path: string): string[] =>
  resourcesInV2.filter((one) => [one.path, one.type].includes(path.split('/')[2] ?? '')).map(({ type }) => type)

const movedReply = ({ config }: Context, { url, params }: Call, into: Identifier): Reply => {
  const [from = '', ...below] = url.pathname.split(`/${params.id}`)
  const path = [from, ...below].join(`/${into.id}`)
  return {
    status: 301,
    headers: { Location: `${config.baseUrl}${path}${url.search}`, 'Cache-Control': 'no-cache' },
    body: { jsonapi: { version: '1.1' }, meta: { merged_into: into } },
  }
}

const movedAnswer: Answer = {
  description: 'The record was merged. `Location` is the same path for the record that it was merged into.',
  headers: { Location: 'The URL for the record that it was merged into.' },
  schema: Type.Object(
    {
      jsonapi: jsonApiVersion(),
      meta: Type.Object({ merged_into: Type.Object({ type: Type.String(), id: uuid() }) }),
    },
    { $id: 'Moved' },
  ),
}
