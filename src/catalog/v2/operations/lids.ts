import { badRequest } from '../../../jsonapi/errors.ts'
import { escapePointer, isObject } from '../../../jsonapi/json.ts'

/** The ids of what was made in a request, by type and local id. */
export type Lids = Map<string, string>

const longest = 255

/** A local id, which is a text. */
export const lidName = (lid: unknown, pointer: string): string => {
  if (typeof lid === 'string' && lid !== '' && lid.length <= longest) return lid
  throw badRequest(`A lid is a text of 1 to ${longest} characters.`, { pointer })
}

/** An identifier with the id that its `lid` stands for; whatever else it is stays as it is. */
const resolve = (given: unknown, lids: Lids, pointer: string): unknown => {
  if (!isObject(given) || !('lid' in given) || 'id' in given) return given
  const id = lids.get(`${given.type} ${lidName(given.lid, `${pointer}/lid`)}`)
  if (id === undefined) throw badRequest('No earlier operation gave this lid.', { pointer: `${pointer}/lid` })
  return { type: given.type, id }
}

/** The data of a relationship with ids in the place of local ids; `pointer` is where it stands. */
export const resolveLinkage = (data: unknown, lids: Lids, pointer = '/data'): unknown =>
  Array.isArray(data)
    ? data.map((one, index) => resolve(one, lids, `${pointer}/${index}`))
    : resolve(data, lids, pointer)

/** A resource object with ids in the place of local ids in its relationships. */
export const resolveResource = (data: unknown, lids: Lids): unknown => {
  if (!isObject(data) || !isObject(data.relationships)) return data
  const relationships = Object.entries(data.relationships).map(([name, relationship]) => {
    if (!isObject(relationship) || !('data' in relationship)) return [name, relationship]
    const pointer = `/data/relationships/${escapePointer(name)}/data`
    return [name, { ...relationship, data: resolveLinkage(relationship.data, lids, pointer) }]
  })
  return { ...data, relationships: Object.fromEntries(relationships) }
}
