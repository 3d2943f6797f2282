import { type TProperties, type TSchema, TypeGuard } from '@sinclair/typebox'
import { plainText, seenText } from '../lib/plain-text.ts'
import { badRequest, conflict, type Fault, forbidden, mostFaults, validationFailed } from './errors.ts'
import { faultsAt } from './field-faults.ts'
import { isId, isLine } from './fields.ts'
import { escapePointer, isObject, readJson } from './json.ts'
import { type Identifier, type RelationshipShape, readRelationships } from './relationships.ts'
import { typeAmong } from './type-names.ts'

export type DocumentShape = {
  type: string
  /** The id in the path, which the document must repeat. Without it, the document creates a record. */
  id?: string
  /** Whether the document may leave out the id. */
  idMayLack?: boolean
  /** Whether the document may leave out the type. */
  typeMayLack?: boolean
  /** Whether clients may choose the ids of new records. */
  clientIds?: boolean
  /** Whether an id is ignored, because the document only asks for an action (decisions.md §10). */
  ignoresId?: boolean
  attributes: TProperties
  relationships: Record<string, RelationshipShape>
  /** Attributes and relationships that are accepted and ignored, because clients send back what they read. */
  readOnly: string[]
  /** Attributes that only a new record takes. */
  onlyNew?: string[]
  /** Faults of attributes that don't go together. */
  together?: (attributes: Record<string, unknown>) => Fault[]
}

export type Document = {
  id?: string
  attributes: Record<string, unknown>
  relationships: Record<string, Identifier | Identifier[] | null | undefined>
}

/** Attributes that every representation has and nobody writes. Some clients also send links and meta back as attributes. */
const generated = ['created_at', 'updated_at', 'url', 'links', 'meta']

/**
 * Reads a create or update document (decisions.md §3), in this order of refusal: 400 if it isn't a document, 403 for an id that
 * the client may not choose, 409 for a wrong type or id, 422 with one error for each field and rule, at its pointer.
 */
export const readDocument = (body: Uint8Array, shape: DocumentShape): Document =>
  readResource(readData(body, shape), shape)

/** The same for just a resource object. Pointers are as if it were a document's `data`. */
export const readResource = (data: Data, shape: DocumentShape): Document => {
  const given = { attributes: readMembers(data, 'attributes'), relationships: readMembers(data, 'relationships') }
  refuseIdentity(data, shape)
  const faults: Fault[] = []
  const id = readId(data, shape, faults)
  const attributes = readAttributes(given.attributes, shape, faults)
  const relationships = readRelationships(given.relationships, shape, faults)
  if (faults.length > 0) throw validationFailed(faults)
  return { id, attributes, relationships }
}

type Data = { type: string; id?: unknown; attributes?: unknown; relationships?: unknown }

const mostMembers = 100_000

/** The `data` member of a body, with its type. Anything else is a 400. */
const readData = (body: Uint8Array, { type, typeMayLack }: DocumentShape): Data => {
  const document = readJson(body, mostMembers)
  if (!isObject(document) || !('data' in document)) throw badRequest('The body must be an object with a data member.')
  return checkData(document.data, typeMayLack ? type : undefined)
}

/** Checks that a value is a resource object with a type, unless there is a usual one. Anything else is a 400. */
export const checkData = (data: unknown, usualType?: string): Data => {
  if (!isObject(data)) throw badRequest('The data member must be a resource object.', { pointer: '/data' })
  if (usualType && data.type === undefined) return { ...data, type: usualType }
  if (typeof data.type !== 'string') throw badRequest('The resource object must have a type.', { pointer: '/data' })
  return data as Data
}

/** A member with fields, or an empty one if it is missing. 400 if it isn't an object. */
const readMembers = (data: Data, name: 'attributes' | 'relationships'): Record<string, unknown> => {
  const members = data[name] ?? {}
  if (isObject(members) && data[name] !== null) return members
  throw badRequest(`The ${name} member must be an object.`, { pointer: `/data/${name}` })
}

const refuseIdentity = (data: Data, { type, id, idMayLack, clientIds, ignoresId }: DocumentShape) => {
  const given = 'id' in data ? data.id : undefined
  const lacks = given === undefined
  if (id && lacks && !idMayLack) throw badRequest('The resource object must have an id.', { pointer: '/data' })
  if (!id && !clientIds && !ignoresId && isId(given))
    throw forbidden(`The service generates the ids of ${type}. Leave out data.id.`, { pointer: '/data/id' })
  if (!typeAmong([type], data.type)) throw conflict(`The type must be ${type}.`, { pointer: '/data/type' })
  if (id && !lacks && (typeof given !== 'string' || given.toLowerCase() !== id.toLowerCase()))
    throw conflict('The id must be that of the record to change.', { pointer: '/data/id' })
}

const readId = (data: Data, shape: DocumentShape, faults: Fault[]): string | undefined => {
  if (shape.id || shape.ignoresId || !('id' in data)) return shape.id
  if (isId(data.id)) return data.id.toLowerCase()
  faults.push({ pointer: '/data/id', detail: 'Must be a UUID.' })
  return undefined
}

/** A value as it is stored: a UUID in lower case, a single-line text without spaces at its ends. */
const asStored = (schema: TSchema, value: unknown) => {
  if (typeof value !== 'string') return value
  if (isLine(schema)) return value.trim()
  return schema.format === 'uuid' ? value.toLowerCase() : value
}

/** Single-line texts as one would type them (decisions.md §19): plain ones, but a title keeps its dashes and its width. */
const asTyped = (name: string, schema: TSchema, value: unknown): unknown => {
  if (Array.isArray(value) && schema.items) return value.map((each) => asTyped(name, schema.items as TSchema, each))
  if (typeof value !== 'string' || !isLine(schema)) return value
  return name === 'title' ? seenText(value) : plainText(value)
}

const readAttributes = (given: Record<string, unknown>, shape: DocumentShape, faults: Fault[]) => {
  const accepted: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(shape.attributes))
    if (!TypeGuard.IsOptional(schema) && !Object.hasOwn(given, name))
      faults.push({ pointer: `/data/attributes/${name}`, detail: 'Is required.' })
  for (const [name, value] of Object.entries(given)) {
    if (faults.length >= mostFaults) break
    const pointer = `/data/attributes/${escapePointer(name)}`
    const schema = Object.hasOwn(shape.attributes, name) ? shape.attributes[name] : undefined
    if (!schema) {
      if (shape.onlyNew?.includes(name))
        faults.push({ pointer, detail: `Can only be sent to create one of the ${shape.type}.` })
      else if (!shape.readOnly.includes(name) && !generated.includes(name))
        faults.push({ pointer, detail: `There is no attribute with this name on ${shape.type}.` })
      continue
    }
    const typed = asTyped(name, schema, value)
    const found = faultsAt(schema, typed, pointer)
    faults.push(...found)
    if (found.length === 0) accepted[name] = asStored(schema, typed)
  }
  faults.push(...(shape.together?.(given) ?? []))
  return accepted
}
