import { isObject } from '../../../jsonapi/json.ts'
import { findInV2 } from '../../model/v2.ts'
import type { Times } from '../../write/record.ts'

/** A resource object from the source. Only its type, id and times have been checked. */
export type SourceRecord = Times & {
  type: string
  id: string
  attributes: Record<string, unknown>
  relationships: Record<string, unknown>
  meta: Record<string, unknown>
}

/** The type and id of a record. */
export type Reference = { type: string; id: string }

/** The source sent something that Cardstock never sends. */
export class Unreadable extends Error {}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const instant = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Reads a resource object of /v2. This and the readers below throw Unreadable. */
export const readRecord = (value: unknown): SourceRecord => {
  const { type, id, attributes, relationships, meta } = objectOf(value, 'a resource object')
  if (typeof type !== 'string' || !findInV2(type)) throw new Unreadable(`the type ${JSON.stringify(type)}`)
  const own = objectOf(attributes, 'attributes')
  const record = {
    ...{ type, id: readId(id), attributes: own, relationships: objectOf(relationships ?? {}, 'relationships') },
    meta: objectOf(meta ?? {}, 'meta'),
    createdAt: readText(own, 'created_at'),
    updatedAt: readText(own, 'updated_at'),
  }
  if (!instant.test(record.createdAt) || !instant.test(record.updatedAt)) throw new Unreadable('a time')
  return record
}

/** Reads an object. */
export const objectOf = (value: unknown, what: string): Record<string, unknown> => {
  if (!isObject(value)) throw new Unreadable(what)
  return value
}

/** Reads a UUID. */
export const readId = (value: unknown): string => {
  if (typeof value !== 'string' || !uuid.test(value)) throw new Unreadable(`the id ${JSON.stringify(value)}`)
  return value
}

/** Reads a member that is a text. */
export const readText = (from: Record<string, unknown>, name: string): string => {
  const value = from[name]
  if (typeof value !== 'string' || value.includes('\0')) throw new Unreadable(`the member ${name}`)
  return value
}

/** Reads a member that is a text or null. A missing one is null. */
export const readNullable = (from: Record<string, unknown>, name: string): string | null =>
  from[name] === null || from[name] === undefined ? null : readText(from, name)

/** Reads a member that is a whole number. */
export const readWhole = (from: Record<string, unknown>, name: string): number => {
  const value = from[name]
  if (!Number.isSafeInteger(value)) throw new Unreadable(`the member ${name}`)
  return value as number
}

/** Reads the reference of a to-one relationship. */
export const readOne = ({ relationships }: SourceRecord, name: string): Reference | null => {
  const { data } = objectOf(relationships[name], `the relationship ${name}`)
  return data === null ? null : readReference(data)
}

/** Reads the references of a to-many relationship, in order. */
export const readMany = ({ relationships }: SourceRecord, name: string): Reference[] => {
  const { data } = objectOf(relationships[name], `the relationship ${name}`)
  if (!Array.isArray(data)) throw new Unreadable(`the relationship ${name}`)
  return data.map(readReference)
}

const readReference = (value: unknown): Reference => {
  const { type, id } = objectOf(value, 'an identifier')
  if (typeof type !== 'string' || !findInV2(type)) throw new Unreadable(`the type ${JSON.stringify(type)}`)
  return { type, id: readId(id) }
}
