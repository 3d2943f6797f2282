import type { Reference } from './reference.ts'
import type { Schema } from './schema.ts'

/** The types of the catalog's resources. */
export type Type = keyof Schema

/** What `include` takes for a type. */
export type Include<T extends Type> = Schema[T]['include']

type Head<I extends string> = I extends `${infer First}.${string}` ? First : I
type Rest<I extends string, Name extends string> = I extends `${Name}.${infer Further}` ? Further : never
type NameOf<Part> = keyof Part & string

/**
 * A record of a type, flat: its attributes and relationships stand beside `type` and `id`. A relationship that `I` includes is
 * the record itself, another one its type and id.
 */
export type Resource<T extends Type = Type, I extends string = never> = T extends Type
  ? Reference<T> & Schema[T]['attributes'] & One<Schema[T]['one'], I> & Many<Schema[T]['many'], I> & Own
  : never

type One<Part, I extends string> = {
  [Name in NameOf<Part>]: Related<Part[Name], I, Name> | null
}

type Many<Part, I extends string> = {
  [Name in NameOf<Part>]: Name extends Head<I>
    ? Related<Part[Name], I, Name>[]
    : Related<Part[Name], I, Name>[] | undefined
}

type Related<Target, I extends string, Name extends string> = Target extends Type
  ? Name extends Head<I>
    ? Resource<Target, Rest<I, Name>>
    : Reference<Target>
  : never

interface Own {
  /** What the answer says about the record: its `score` in a search, its `place` in a bulk file. */
  meta?: Record<string, unknown>
  /** Only on a record that was asked for by id or written: for `ifMatch`. */
  etag?: string
  /** The resource object, as the service sent it. */
  toJSON(): ResourceObject
}

/** A resource object of JSON:API. */
export interface ResourceObject {
  type: string
  id: string
  attributes?: Record<string, unknown>
  relationships?: Record<string, { data?: Reference | Reference[] | null }>
  links?: Record<string, string>
  meta?: Record<string, unknown>
}

/** A document of JSON:API, as far as it is read here. */
export interface Document {
  data?: ResourceObject | ResourceObject[] | null
  included?: ResourceObject[]
  links?: Record<string, string | null>
  meta?: Record<string, unknown>
}

/** The records of a document, flat, with those that are included in their places. Each is one object, wherever it stands. */
export const resolve = <R = Resource>({ data, included = [] }: Document): R[] => {
  const given = data ? [data].flat() : []
  const records = new Map<string, Record<string, unknown>>()
  for (const object of [...included, ...given]) records.set(nameOf(object), flatten(object))
  const find = (reference: Reference) => records.get(nameOf(reference)) ?? reference
  for (const object of [...included, ...given]) {
    const record = records.get(nameOf(object)) as Record<string, unknown>
    for (const [name, { data: related }] of Object.entries(object.relationships ?? {}))
      if (related !== undefined) record[name] = Array.isArray(related) ? related.map(find) : related && find(related)
  }
  return given.map((object) => records.get(nameOf(object)) as R)
}

const nameOf = ({ type, id }: Reference) => `${type} ${id}`

const flatten = (object: ResourceObject): Record<string, unknown> => {
  const { type, id, attributes, meta } = object
  const record = { ...attributes, ...(meta ? { meta } : {}), type, id }
  Object.defineProperty(record, 'toJSON', { value: () => object })
  return record
}
