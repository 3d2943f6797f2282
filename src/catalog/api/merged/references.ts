import { levelOf } from '../../../access/caller.ts'
import type { Context } from '../../../context.ts'
import { type Call, isBytes, type Reply, type Route } from '../../../http/route.ts'
import { ApiError, resourceMerged } from '../../../jsonapi/errors.ts'
import { isUuid } from '../../../jsonapi/fields.ts'
import { isObject, readJson } from '../../../jsonapi/json.ts'
import type { Identifier } from '../../model/resource.ts'
import { findMerged, replaced } from '../../show/merged.ts'

type Handle = Route['handle']
type Merged = Map<string, Identifier>

/**
 * A route where merged ids in the query and the document mean the records that they were merged into. If nothing is found, the
 * route is called again with those. If the answer could look right without them, as in a search or a list of several ids, they
 * are looked up first.
 */
export const withReferences = (route: Route): Handle => {
  if (route.method === 'GET')
    return (context, call) => (call.url.search ? readAgain(route.handle, context, call) : route.handle(context, call))
  if (!route.body || route.path.endsWith('/collection')) return route.handle
  return (context, call) => writeAgain(route, context, call)
}

const readAgain = async (handle: Handle, context: Context, call: Call): Promise<Reply> => {
  const ids = idsIn(call.url.search)
  if (ids.length === 0) return handle(context, call)
  const isSure = ids.length === 1 && !/(\[|%5B)ne(\]|%5D)|[?&]q=/i.test(call.url.search)
  if (isSure) {
    const reply = await handle(context, call)
    if (!isEmpty(reply)) return reply
    const merged = await lookUp(context, call, ids)
    return merged.size === 0 ? reply : handle(context, withQuery(call, merged))
  }
  const merged = await lookUp(context, call, ids)
  return handle(context, merged.size === 0 ? call : withQuery(call, merged))
}

/**
 * Whether the answer is a list without records. Its own data is the first member of that name, before those of relationships.
 */
const isEmpty = ({ body }: Reply): boolean => {
  if (typeof body !== 'string' && !isBytes(body)) return false
  const at = body.indexOf(dataName) + dataName.length
  return body.slice(at, at + 2).toString() === '[]'
}

const dataName = '"data":'

const lookUp = (context: Context, { caller }: Call, ids: string[]): Promise<Merged> =>
  findMerged(context.db, ids, levelOf(caller))

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

const idsIn = (text: string) => [...new Set((text.match(uuid) ?? []).map((id) => id.toLowerCase()))]

const withQuery = (call: Call, merged: Merged): Call => {
  const url = new URL(`http://cardstock${call.url.pathname}${call.url.search}`)
  url.search = url.search.replace(uuid, (id) => merged.get(id.toLowerCase())?.id ?? id)
  return { ...call, url }
}

/** Whether members are removed from a relationship, where unknown ids aren't a fault. */
const removesMembers = async ({ method, path }: Route, call: Call) => {
  if (!path.startsWith('/v2/operations')) return method === 'DELETE' && path.includes('/relationships/')
  const text = new TextDecoder().decode(await call.body())
  return text.includes('"remove"') && text.includes('relationship')
}

const writeAgain = async (route: Route, context: Context, asked: Call): Promise<Reply> => {
  const call = (await removesMembers(route, asked)) ? await withDocument(route, context, asked) : asked
  try {
    return await route.handle(context, call)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 404 && route.path === '/v2/operations')
      throw (await mergedTarget(context, call, error)) ?? error
    if (error.status !== 422) throw error
    const next = await withDocument(route, context, call)
    if (next === call) throw error
    return route.handle(context, next)
  }
}

const mostMembers = 100_000

/** The call with references to merged records replaced by their targets. The same call if there are none. */
const withDocument = async (route: Route, context: Context, call: Call): Promise<Call> => {
  const body = await call.body()
  const ids = idsIn(new TextDecoder().decode(body))
  const merged = await lookUp(context, call, ids)
  if (merged.size === 0) return call
  const document = readJson(body, mostMembers)
  const next = new TextEncoder().encode(JSON.stringify(renamed(document, merged, isLinkage(route))))
  return { ...call, body: async () => next }
}

const isLinkage = ({ path }: Route) => path.includes('/relationships/')

/** A document with only its references replaced, not the id of the resource that it is about. */
const renamed = (document: unknown, merged: Merged, isWhole: boolean): unknown => {
  if (!isObject(document)) return document
  const operations = document['atomic:operations']
  if (Array.isArray(operations))
    return { ...document, 'atomic:operations': operations.map((one) => renamed(one, merged, isOnRelationship(one))) }
  const { data } = document
  if (isWhole) return { ...document, data: replaced(data, merged) }
  if (!isObject(data)) return document
  const { attributes, relationships } = data
  return {
    ...document,
    data: {
      ...data,
      ...(attributes === undefined ? {} : { attributes: replaced(attributes, merged) }),
      ...(relationships === undefined ? {} : { relationships: replaced(relationships, merged) }),
    },
  }
}

const isOnRelationship = (operation: unknown) =>
  isObject(operation) &&
  ((isObject(operation.ref) && operation.ref.relationship !== undefined) ||
    String(operation.href ?? '').includes('/relationships/'))

/** The 409 for an operation on a merged record. */
const mergedTarget = async (context: Context, call: Call, error: ApiError): Promise<ApiError | undefined> => {
  const [, no] = /^\/atomic:operations\/(\d+)/.exec(error.errors[0]?.source?.pointer ?? '') ?? []
  const document = readJson(await call.body(), mostMembers)
  const operations = isObject(document) ? document['atomic:operations'] : undefined
  const operation = Array.isArray(operations) ? operations[Number(no)] : undefined
  if (!isObject(operation)) return undefined
  const { ref, data, href } = operation
  const named = isObject(ref) ? ref.id : isObject(data) && href === undefined ? data.id : idsIn(String(href))[0]
  const id = String(named).toLowerCase()
  if (!isUuid(id)) return undefined
  const into = (await lookUp(context, call, [id])).get(id)
  return into && resourceMerged(into, { pointer: `/atomic:operations/${no}` })
}
