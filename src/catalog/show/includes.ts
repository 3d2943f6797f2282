import type { Database } from '../../../db/client.ts'
import { mapInSlices } from '../../lib/turn.ts'
import type { Identifier, Related, Rendering, Resource } from '../model/resource.ts'
import { findListed } from './children.ts'
import { renderRowText } from './render.ts'
import { loadRows } from './rows.ts'

/** What a read brings beside its rows: relationship data by parent id and name, and the texts of the included records. */
export type Included = { related: Map<string, Record<string, Related>>; texts: string[] }

/** A record whose relationships are followed. */
export type Parent = { id: string; related: Record<string, Related | undefined> }

/** Who reads, and how what is read is shown. */
export type Reader = {
  level: number
  rendering: Rendering
  fields: Map<string, Set<string>>
  resourceOf: (type: string) => Resource
}

const nothing: Included = { related: new Map(), texts: [] }

/**
 * The includes of /v1 (those of /v2 are graph.ts). Reads what is included: all types in one statement over all parents, and one more for each relationship that has data
 * only when included. A record that is included stands once, and never beside itself as primary data.
 */
export const readIncluded = async (
  db: Database,
  resource: Resource,
  parents: Parent[],
  include: string[],
  reader: Reader,
): Promise<Included> => {
  if (include.length === 0 || parents.length === 0) return nothing
  const related = await findRelated(db, resource, parents, include, reader.level)
  const wanted = new Map<string, Set<string>>()
  let type = ''
  let ids = new Set<string>()
  const want = (one: Identifier) => {
    if (one.type !== type) {
      type = one.type
      ids = wanted.get(type) ?? new Set()
      wanted.set(type, ids)
    }
    ids.add(one.id)
  }
  for (const name of include)
    for (const parent of parents) {
      const data = (related.get(parent.id)?.[name] ?? parent.related[name])?.data
      if (Array.isArray(data)) for (const one of data) want(one)
      else if (data) want(data)
    }
  for (const { id } of parents) wanted.get(resource.type)?.delete(id)
  return { related, texts: await renderWanted(db, wanted, reader) }
}

/** The relationships that have data only when included, by parent and name. */
const findRelated = async (
  db: Database,
  resource: Resource,
  parents: { id: string }[],
  include: string[],
  level: number,
): Promise<Included['related']> => {
  const related: Included['related'] = new Map()
  const found = await Promise.all(
    include.flatMap((name) => {
      const include = resource.includes[name]
      const ids = parents.map(({ id }) => id)
      if (!include?.listedBy) return []
      const found = findListed(ids.length > 1 ? db.heavy : db, include, ids, level)
      return [found.then((byParent) => ({ name, byParent }))]
    }),
  )
  for (const { name, byParent } of found)
    for (const { id } of parents) related.set(id, { ...related.get(id), [name]: byParent.get(id) ?? { data: [] } })
  return related
}

/** The texts of what is wanted, in the order of its first mention. */
const renderWanted = async (
  db: Database,
  wanted: Map<string, Set<string>>,
  { level, rendering, fields, resourceOf }: Reader,
): Promise<string[]> => {
  const parts = [...wanted]
    .filter(([, ids]) => ids.size > 0)
    .map(([type, ids]) => ({ resource: resourceOf(type), ids: [...ids] }))
  if (parts.length === 0) return []
  const found = await loadRows(db, parts, level)
  const texts = parts.flatMap(({ resource, ids }) => {
    const rows = found.get(resource.type)
    return ids.flatMap((id) => {
      const text = rows?.get(id)
      return text === undefined ? [] : [{ resource, text }]
    })
  })
  return mapInSlices(texts, ({ resource, text }) => renderRowText(resource, text, rendering, fields))
}
