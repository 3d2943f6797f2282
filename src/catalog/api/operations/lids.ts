import { badRequest } from '../../../jsonapi/errors.ts'
import { escapePointer, isObject } from '../../../jsonapi/json.ts'
import { foldType } from '../../../jsonapi/type-names.ts'

/** The ids of the records created in a request, by type and local id. */
export type Lids = Map<string, string>

/** The key of a local id, which two types may share. */
export const nameOfLid = (type: unknown, lid: string | undefined) => `${foldType(String(type))} ${lid}`

const longest = 255

/** Reads a local id, which must be a text. */
export const lidName = (lid: unknown, pointer: string): string => {
  if (typeof lid === 'string' && lid !== '' && lid.length <= longest) return lid
  throw badRequest(`A lid must be a string of 1 to ${longest} characters.`, { pointer })
}

/** 400: an identifier has both an id and a local id, or neither. */
export const eitherIdOrLid = (pointer: string) => badRequest('Must have either an id or a lid.', { pointer })

/** The id that an earlier operation gave to a local id. */
const idOfLid = (type: unknown, lid: unknown, lids: Lids, pointer: string): string => {
  const id = lids.get(nameOfLid(type, lidName(lid, pointer)))
  if (id === undefined) throw badRequest('No earlier operation defines this lid.', { pointer })
  return id
}

/** The id that an update's data names by a local id. Undefined if it has none. */
export const idInData = (data: unknown, type: string, lids: Lids): string | undefined => {
  if (!isObject(data) || !('lid' in data)) return undefined
  if ('id' in data) throw eitherIdOrLid('/data')
  return idOfLid(type, data.lid, lids, '/data/lid')
}

/** The name of the local id that a new record gets. 400 if an earlier operation has used it. */
export const newLid = (data: unknown, type: string, lids: Lids): string | undefined => {
  if (!isObject(data) || data.lid === undefined) return undefined
  const name = nameOfLid(type, lidName(data.lid, '/data/lid'))
  if (lids.has(name)) throw badRequest('An earlier operation already uses this lid.', { pointer: '/data/lid' })
  return name
}

/** An identifier with its `lid` replaced by the id. Anything else stays as it is. */
const resolve = (given: unknown, lids: Lids, pointer: string): unknown => {
  if (!isObject(given) || !('lid' in given)) return given
  if ('id' in given) throw eitherIdOrLid(pointer)
  return { type: given.type, id: idOfLid(given.type, given.lid, lids, `${pointer}/lid`) }
}

/** A relationship's data with local ids replaced. `pointer` is its position in the body. */
export const resolveLinkage = (data: unknown, lids: Lids, pointer = '/data'): unknown =>
  Array.isArray(data)
    ? data.map((one, index) => resolve(one, lids, `${pointer}/${index}`))
    : resolve(data, lids, pointer)

/**
 * A resource object with local ids replaced in its relationships. If an attribute also names the record (`references`, by
 * relationship), it gets the id, because an attribute has no room for a local id.
 */
export const resolveResource = (data: unknown, lids: Lids, references: Record<string, string> = {}): unknown => {
  if (!isObject(data) || !isObject(data.relationships)) return data
  const { attributes = {}, relationships: given } = data
  const relationships = Object.entries(given).map(([name, relationship]) => {
    if (!isObject(relationship) || !('data' in relationship)) return [name, relationship]
    const pointer = `/data/relationships/${escapePointer(name)}/data`
    return [name, { ...relationship, data: resolveLinkage(relationship.data, lids, pointer) }]
  })
  const resolved = { ...data, relationships: Object.fromEntries(relationships) }
  const named = Object.entries(references).flatMap(([name, attribute]) =>
    hasLid(given[name]) ? [[attribute, resolved.relationships[name].data.id]] : [],
  )
  if (named.length === 0 || !isObject(attributes)) return resolved
  return { ...resolved, attributes: { ...attributes, ...Object.fromEntries(named) } }
}

const hasLid = (relationship: unknown) =>
  isObject(relationship) && isObject(relationship.data) && 'lid' in relationship.data
