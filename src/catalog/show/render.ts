import { type Relationship, type ResourceObject, sparse } from '../../jsonapi/serialize.ts'
import { apiOf, type Related, type Rendering, type Resource, type Row } from '../model/resource.ts'

/** What rendering needs of the read: the fields that were asked for, and relationship data that was found beside the rows. */
export type Shown = {
  rendering: Rendering
  fields: Map<string, Set<string>>
  related?: Record<string, Related>
}

/** A row as a resource object, with its own address and times; sparse where the reader asked so. */
export const renderRow = (resource: Resource, row: Row, { rendering, fields, related }: Shown): ResourceObject => {
  const url = `${rendering.baseUrl}${apiOf(resource)}/${resource.path}/${row.id}`
  const wanted = fields.get(resource.type)
  const attributes = sparse(
    {
      ...resource.attributes(row, rendering),
      created_at: renderTime(row.created_at),
      updated_at: renderTime(row.updated_at),
      url,
    },
    wanted,
  )
  const relationships = sparse(renderRelationships(resource, row, rendering, related), wanted)
  return {
    type: resource.type,
    id: row.id,
    attributes,
    ...(Object.keys(relationships).length > 0 ? { relationships } : {}),
    links: { self: url, ...resource.links?.(row, rendering) },
  }
}

/** A row as a resource object for those who keep a copy: with what places it among others. */
export const renderCopy = (resource: Resource, row: Row, rendering: Rendering, fields = allFields) => ({
  ...renderRow(resource, row, { rendering, fields }),
  ...(resource.copyMeta ? { meta: resource.copyMeta(row) } : {}),
})

const allFields = new Map<string, Set<string>>()

const renderRelationships = (
  resource: Resource,
  row: Row,
  rendering: Rendering,
  found: Record<string, Related> | undefined,
): Record<string, Relationship> => {
  const relationships: Record<string, Relationship> = {}
  const all = { ...resource.relationships(row), ...found }
  for (const name in all) {
    const related = all[name]
    if (!related) continue
    const relationship: Relationship = { data: related.data }
    if (related.total !== undefined) {
      relationship.meta = { total: related.total, truncated: true }
      const place = resource.includes[name]?.related?.(row.id)
      if (place) relationship.links = { related: `${rendering.baseUrl}${place}` }
    }
    relationships[name] = relationship
  }
  return relationships
}

/** A time as PostgreSQL writes it, as text or in JSON (UTC, up to milliseconds), in RFC 3339 with milliseconds. */
const renderTime = (time: string): string => {
  const zone = time.indexOf('+', 19)
  const fraction = zone > 20 ? time.slice(20, zone).padEnd(3, '0') : '000'
  return `${time.slice(0, 10)}T${time.slice(11, 19)}.${fraction}Z`
}
