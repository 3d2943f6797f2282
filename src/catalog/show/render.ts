/*
 * A row stays the text that PostgreSQL made of it (`show/rows.ts`) right up to the answer. This file copies attributes
 * that are columns out of that text, and parses it only if a value is needed. Long pages are rendered in slices, so
 * that other requests are answered in between.
 */

import { type Relationship, type ResourceObject, sparse } from '../../jsonapi/serialize.ts'
import { apiOf, type Identifier, type Related, type Rendering, type Resource, type Row } from '../model/resource.ts'
import { idOfText } from './rows.ts'

type Fields = Map<string, Set<string>>
type Relations = Record<string, Related | undefined>

/** A row as a resource object, with its address and times, and only the requested fields. */
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

/** A row as a resource object for the feed and bulk files, with the meta that copies need. */
export const renderCopy = (resource: Resource, row: Row, rendering: Rendering, fields = allFields) => ({
  ...renderRow(resource, row, rendering, fields),
  ...(resource.copyMeta ? { meta: resource.copyMeta(row) } : {}),
})

const allFields: Fields = new Map()

/** Parses a row from its text, and keeps the text in it. */
export const parseRow = (text: string): Row => {
  const row: Row = JSON.parse(text)
  row.text = text
  return row
}

/**
 * A row as the text of the resource object that `renderRow` makes. `related` replaces the relationships from the row. Attributes that
 * are columns (`Resource.attributes`) look the same in the row's text and in the document, so they are copied.
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

/** Like `renderText`, from the row's text alone. It is only parsed if something needs its values. */
export const renderRowText = (resource: Resource, text: string, rendering: Rendering, fields = allFields): string =>
  isPlain(resource) && !fields.has(resource.type)
    ? plainText(resource, text, {}, rendering)
    : renderText(resource, parseRow(text), rendering, fields)

/** Whether a resource shows nothing but its columns. Then rendering doesn't need their values. */
const isPlain = ({ attributes, schema: { relationships, shownRelationships }, includes }: Resource): boolean =>
  !attributes && [relationships, shownRelationships ?? {}, includes].every((each) => Object.keys(each).length === 0)

const urlOf = (resource: Resource, id: string, { baseUrl }: Rendering) =>
  `${baseUrl}${apiOf(resource)}/${resource.path}/${id}`

/** The attributes of a resource whose attributes are just the columns in its schema. */
export const plainAttributes =
  ({ schema }: Resource) =>
  (row: Row): Record<string, unknown> => {
    const attributes: Record<string, unknown> = {}
    for (const name in schema.read) attributes[name] = row[name]
    return attributes
  }

/**
 * Renders a row's text: `{"id":…,` then the attributes, then `"version":…,"created_at":…,"updated_at":…` and the other columns. Quotes
 * inside values are escaped, so searching for a quoted name can't match inside a value.
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

/** A resource identifier as text. Types and ids never need escaping. */
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

/** Turns a time as PostgreSQL writes it in text or JSON (UTC, up to milliseconds) into RFC 3339 with milliseconds. */
export const renderTime = (time: string): string => {
  const zone = time.indexOf('+', 19)
  const fraction = zone > 20 ? time.slice(20, zone).padEnd(3, '0') : '000'
  return `${time.slice(0, 10)}T${time.slice(11, 19)}.${fraction}Z`
}
