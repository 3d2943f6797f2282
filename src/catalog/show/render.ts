import { type Relationship, type ResourceObject, sparse } from '../../jsonapi/serialize.ts'
import { apiOf, type Identifier, type Related, type Rendering, type Resource, type Row } from '../model/resource.ts'
import { idOfText } from './rows.ts'

type Fields = Map<string, Set<string>>
type Relations = Record<string, Related | undefined>

/** A row as a resource object, with its own address and times, and only the fields that the reader named. */
const renderRow = (
  resource: Resource,
  row: Row,
  rendering: Rendering,
  fields: Fields,
  related = resource.relationships(row),
): ResourceObject => {
  const url = urlOf(resource, row.id, rendering)
  const wanted = fields.get(resource.type)
  const attributes = sparse(
    {
      ...(resource.attributes ?? plainAttributes(resource))(row, rendering),
      created_at: renderTime(row.created_at),
      updated_at: renderTime(row.updated_at),
      url,
    },
    wanted,
  )
  const relationships = sparse(renderRelationships(resource, row.id, related, rendering), wanted)
  return {
    type: resource.type,
    id: row.id,
    attributes,
    ...(Object.keys(relationships).length > 0 ? { relationships } : {}),
    links: { self: url, ...resource.links?.(row, rendering) },
  }
}

/** A row as a resource object for the feed and bulk files, with its place among others. */
export const renderCopy = (resource: Resource, row: Row, rendering: Rendering, fields = allFields) => ({
  ...renderRow(resource, row, rendering, fields),
  ...(resource.copyMeta ? { meta: resource.copyMeta(row) } : {}),
})

const allFields: Fields = new Map()

/** A row parsed from its text, with the text kept beside it. */
export const parseRow = (text: string): Row => {
  const row: Row = JSON.parse(text)
  row.text = text
  return row
}

/**
 * A row as the text of its resource object, the same as `renderRow` makes, with relationships beyond those that the row has.
 * Attributes that are columns stand in the row's text as they do in the document (`Resource.attributes`), and are copied from there.
 */
export const renderText = (
  resource: Resource,
  row: Row,
  rendering: Rendering,
  fields = allFields,
  related?: Relations,
): string =>
  row.text !== undefined && !resource.attributes && !fields.has(resource.type)
    ? plainText(resource, row.text, related ?? resource.relationships(row), rendering)
    : JSON.stringify(renderRow(resource, row, rendering, fields, related))

/** As `renderText`, from the row's text alone; parsed only if something needs its values. */
export const renderRowText = (resource: Resource, text: string, rendering: Rendering, fields = allFields): string =>
  isPlain(resource) && !fields.has(resource.type)
    ? plainText(resource, text, {}, rendering)
    : renderText(resource, parseRow(text), rendering, fields)

/** Whether all that is shown of a resource are its columns: then nobody needs their values. */
const isPlain = ({ attributes, schema: { relationships, shownRelationships }, includes }: Resource): boolean =>
  !attributes && [relationships, shownRelationships ?? {}, includes].every((each) => Object.keys(each).length === 0)

const urlOf = (resource: Resource, id: string, { baseUrl }: Rendering) =>
  `${baseUrl}${apiOf(resource)}/${resource.path}/${id}`

/** The attributes of a resource whose attributes are columns: those that its schema names. */
const plainAttributes =
  ({ schema }: Resource) =>
  (row: Row): Record<string, unknown> => {
    const attributes: Record<string, unknown> = {}
    for (const name in schema.read) attributes[name] = row[name]
    return attributes
  }

/**
 * `{"id":…,` the attributes, `"version":…,"created_at":…,"updated_at":…`, and what else the resource selects: quotes stand
 * unescaped around names alone, so that a name that is found is one.
 */
const plainText = (resource: Resource, row: string, relations: Relations, rendering: Rendering): string => {
  const id = idOfText(row)
  const attributesEnd = row.indexOf(',"version":', 44)
  const created = row.indexOf('"created_at":"', attributesEnd) + 14
  const createdEnd = row.indexOf('"', created)
  const updated = createdEnd + '","updated_at":"'.length
  const times = `"created_at":"${renderTime(row.slice(created, createdEnd))}","updated_at":"${renderTime(row.slice(updated, row.indexOf('"', updated)))}"`
  const url = urlOf(resource, id, rendering)
  const relationships = relationshipsText(resource, id, relations, rendering)
  return `{"type":"${resource.type}","id":"${id}","attributes":{${row.slice(45, attributesEnd)},${times},"url":"${url}"}${relationships},"links":{"self":"${url}"}}`
}

const relationshipsText = (resource: Resource, id: string, relations: Relations, rendering: Rendering): string => {
  let members = ''
  for (const name in relations) {
    const related = relations[name]
    if (!related) continue
    const value =
      related.total === undefined
        ? `{"data":${linkageText(related.data)}}`
        : JSON.stringify(relationshipOf(resource, id, name, related, rendering))
    members += `${members ? ',' : ''}"${name}":${value}`
  }
  return members ? `,"relationships":{${members}}` : ''
}

const linkageText = (data: Related['data']): string => {
  if (!Array.isArray(data)) return data ? identifierText(data) : 'null'
  return `[${data.map(identifierText).join(',')}]`
}

/** An identifier in a document; neither type nor id has anything to escape. */
export const identifierText = ({ type, id }: Identifier): string => `{"type":"${type}","id":"${id}"}`

const renderRelationships = (
  resource: Resource,
  id: string,
  relations: Relations,
  rendering: Rendering,
): Record<string, Relationship> => {
  const relationships: Record<string, Relationship> = {}
  for (const name in relations) {
    const related = relations[name]
    if (related) relationships[name] = relationshipOf(resource, id, name, related, rendering)
  }
  return relationships
}

const relationshipOf = (
  resource: Resource,
  id: string,
  name: string,
  { data, total }: Related,
  { baseUrl }: Rendering,
): Relationship => {
  if (total === undefined) return { data }
  const place = resource.includes[name]?.related?.(id)
  const links = place ? { links: { related: `${baseUrl}${place}` } } : {}
  return { data, meta: { total, truncated: true }, ...links }
}

/** A time as PostgreSQL writes it, as text or in JSON (UTC, up to milliseconds), in RFC 3339 with milliseconds. */
const renderTime = (time: string): string => {
  const zone = time.indexOf('+', 19)
  const fraction = zone > 20 ? time.slice(20, zone).padEnd(3, '0') : '000'
  return `${time.slice(0, 10)}T${time.slice(11, 19)}.${fraction}Z`
}
