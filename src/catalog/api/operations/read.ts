import { ApiError, badRequest, insufficientScope, notFound, validationFailed } from '../../../jsonapi/errors.ts'
import { isId, isUuid } from '../../../jsonapi/fields.ts'
import { isObject, readJson } from '../../../jsonapi/json.ts'
import { sizes } from '../../../limits.ts'
import type { Resource } from '../../model/resource.ts'
import { findSentInV2, resourcesInV2 } from '../../model/v2.ts'
import { writesOf } from '../../write/documents.ts'
import {
  eitherIdOrLid,
  idInData,
  type Lids,
  lidName,
  nameOfLid,
  newLid,
  resolveLinkage,
  resolveResource,
} from './lids.ts'

/** The atomic operations extension of jsonapi.org. */
export const atomic = 'https://jsonapi.org/ext/atomic'

/** The most operations in a request. */
export const mostOperations = sizes.operations.most

const mostMembers = 100_000

/** What an operation is about: a resource, by its id or the local id that an earlier operation gave it, or a relationship. */
type Target = { resource: Resource; id?: string; lid?: string; relationship?: string }

export type Operation = {
  no: number
  op: 'add' | 'update' | 'remove'
  target: Target
  /** The operation's `data` as it was sent. */
  data: unknown
  hasData: boolean
}

const byPath = new Map(resourcesInV2.map((resource) => [resource.path, resource]))

/** The pointer to an operation in the request. */
const pointerOf = (no: number) => `/atomic:operations/${no}`

/**
 * Reads the operations of a request (decisions.md §11). 400 for malformed ones and for members that the extension rules out, 422
 * for too many. An `href` may begin with the service's URL, or with the host that the request was sent to.
 */
export const readOperations = (body: Uint8Array, baseUrl: string, host: string): Operation[] => {
  const bases = [baseUrl, `http://${host}`, `https://${host}`]
  const document = readJson(body, mostMembers)
  const members = isObject(document) ? document : {}
  const list = members['atomic:operations']
  if (!Array.isArray(list) || list.length === 0)
    throw badRequest('The body must be an object with an atomic:operations array that is not empty.', {
      pointer: '/atomic:operations',
    })
  for (const name of ['data', 'included'])
    if (name in members)
      throw badRequest(`A body with atomic:operations cannot have ${name}, too.`, { pointer: `/${name}` })
  if (list.length > mostOperations)
    throw validationFailed([
      { pointer: '/atomic:operations', detail: `Must have at most ${mostOperations} operations.` },
    ])
  const operations = list.map((given, no) => readOperation(given, no, bases))
  refuseLids(operations)
  return operations
}

/** Refuses local ids in data that no earlier operation defines, or that two define. Like all that is malformed, before any write. */
const refuseLids = (operations: Operation[]) => {
  const lids: Lids = new Map()
  for (const operation of operations)
    try {
      const name = refuseLidsIn(operation, lids)
      if (name !== undefined) lids.set(name, name)
    } catch (error) {
      throw atOperation(operation.no, error)
    }
}

/** Returns the name of the local id that the operation defines. */
const refuseLidsIn = ({ op, target: { resource, relationship }, data }: Operation, lids: Lids) => {
  if (relationship !== undefined) return void resolveLinkage(data, lids)
  if (op === 'remove') return undefined
  const name = op === 'add' ? newLid(data, resource.type, lids) : idInData(data, resource.type, lids)
  resolveResource(data, lids)
  return name
}

const readOperation = (given: unknown, no: number, bases: string[]): Operation => {
  const at = pointerOf(no)
  if (!isObject(given)) throw badRequest('An operation must be an object.', { pointer: at })
  const { op, ref, href, data } = given
  if (op !== 'add' && op !== 'update' && op !== 'remove')
    throw badRequest('Must be add, update or remove.', { pointer: `${at}/op` })
  if (ref !== undefined && href !== undefined)
    throw badRequest('An operation can have ref or href, but not both.', { pointer: at })
  const target =
    ref !== undefined ? readRef(ref, at) : href !== undefined ? readHref(href, at, bases) : readData(data, op, at)
  refuseForeign(op, target, at)
  return { no, op, target, data, hasData: 'data' in given }
}

const readRef = (ref: unknown, at: string): Target => {
  const pointer = `${at}/ref`
  if (!isObject(ref)) throw badRequest('A ref must be an object.', { pointer })
  const { relationship } = ref
  if (relationship !== undefined && typeof relationship !== 'string')
    throw badRequest('The name of a relationship must be a string.', { pointer: `${pointer}/relationship` })
  return { ...identified(ref, pointer, true), relationship }
}

const readHref = (href: unknown, at: string, bases: string[]): Target => {
  const pointer = `${at}/href`
  const address = String(href)
  const base = bases.find((one) => address.startsWith(`${one}/`)) ?? ''
  const [, path = '', id, relationship] =
    /^\/v2\/([^/?#]+)(?:\/([^/?#]+)(?:\/relationships\/([^/?#]+))?)?$/.exec(address.slice(base.length)) ?? []
  const resource = byPath.get(path)
  if (typeof href !== 'string' || !resource || (id !== undefined && !isUuid(id)))
    throw badRequest('Must be the URL of a /v2 resource, list or relationship.', { pointer })
  return { resource, id: id?.toLowerCase(), relationship }
}

const readData = (data: unknown, op: Operation['op'], at: string): Target => {
  if (op === 'remove') throw badRequest('A remove operation needs ref or href.', { pointer: at })
  if (!isObject(data)) throw badRequest('The data must be a resource object.', { pointer: `${at}/data` })
  const target = identified(data, `${at}/data`, op === 'update')
  return op === 'add' ? { resource: target.resource } : target
}

/** The resource of a type, and which of its records. A `lid` is valid only within this request. */
const identified = ({ type, id, lid }: Record<string, unknown>, pointer: string, isNeeded: boolean): Target => {
  const resource = findSentInV2(type)
  if (!resource) throw badRequest('There is no such type.', { pointer: `${pointer}/type` })
  if (!isNeeded) return { resource }
  if ((id === undefined) === (lid === undefined)) throw eitherIdOrLid(pointer)
  if (lid !== undefined) return { resource, lid: lidName(lid, `${pointer}/lid`) }
  if (!isId(id)) throw badRequest('Must be a UUID.', { pointer: `${pointer}/id` })
  return { resource, id: id.toLowerCase() }
}

/** Refuses operations that the resource doesn't have. */
const refuseForeign = (op: Operation['op'], { resource, id, lid, relationship }: Target, at: string) => {
  if (relationship !== undefined) {
    const shape = Object.hasOwn(resource.schema.relationships, relationship)
      ? resource.schema.relationships[relationship]
      : undefined
    if (!shape || !writesOf(resource).update)
      throw badRequest(`The relationship ${relationship} of ${resource.type} cannot be written.`, {
        pointer: at,
      })
    if (!shape.many && op !== 'update')
      throw badRequest('Use update for a to-one relationship.', { pointer: `${at}/op` })
    return
  }
  const isNamed = id !== undefined || lid !== undefined
  if (op !== 'add' && !isNamed)
    throw badRequest('The operation must name a record by ref, href or data.', { pointer: at })
  if (op === 'add' && isNamed) throw badRequest('Add a record to a list, not to an existing record.', { pointer: at })
  const { create, update, remove } = writesOf(resource)
  const can = { add: create, update, remove }[op]
  if (!can) throw badRequest(`${resource.type} do not support this operation.`, { pointer: `${at}/op` })
}

/** Refuses operations that the caller lacks the scope for. */
export const refuseScopes = (operations: Operation[], scopes: ReadonlySet<string>) => {
  for (const { op, target } of operations) {
    const scope = op === 'remove' && target.relationship === undefined ? 'delete' : 'write'
    if (!scopes.has(scope)) throw insufficientScope(scope)
  }
}

/** An operation's refusal, with pointers into the request. */
export const atOperation = (no: number, error: unknown): unknown => {
  if (!(error instanceof ApiError)) return error
  const errors = error.errors.map((one) => ({
    ...one,
    source: { pointer: `${pointerOf(no)}${one.source?.pointer ?? ''}` },
  }))
  return new ApiError(error.status, errors, error.headers)
}

/** The id of an operation's target. */
export const idOf = ({ resource, id, lid }: Target, lids: Lids): string => {
  const found = id ?? lids.get(nameOfLid(resource.type, lid))
  if (found === undefined) throw notFound('No earlier operation defines this lid.')
  return found
}
