import type { Reference } from './reference.ts'
import type { Include, Type } from './resource.ts'
import type { Schema } from './schema.ts'
import type { CallOptions } from './transport.ts'

/** The members to answer with, for each type. Others are then missing from the records. */
export type Fields = {
  [T in Type]?: readonly (keyof (Schema[T]['attributes'] & Schema[T]['one'] & Schema[T]['many']) & string)[]
}

/** What every read of records takes. */
export interface ReadOptions<I extends string> extends CallOptions {
  include?: readonly I[]
  fields?: Fields
}

/** A page: its size and, from a page before, where it begins or ends. */
export interface PageOptions {
  size?: number
  after?: string
  before?: string
}

/** What a list of a type takes. */
export interface ListOptions<T extends Type, I extends string = Include<T>> extends ReadOptions<I> {
  filter?: Schema[T]['filter']
  /** The most important first; `-` turns one around. */
  sort?: Sort<T> | readonly Sort<T>[]
  page?: PageOptions
}

/** What a type is sorted by. */
export type Sort<T extends Type> = Schema[T]['sort'] | `-${Schema[T]['sort']}`

/** The query of a read. Members that are undefined are left out. */
export const queryOf = (asked: Record<string, unknown>): URLSearchParams => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked)) add(query, name, value)
  return query
}

/** `{ filter: { number: { null: true } } }` is `filter[number][null]=true`. */
const add = (query: URLSearchParams, name: string, value: unknown): void => {
  if (value === undefined) return
  if (Array.isArray(value)) {
    const isFilter = name.startsWith('filter')
    query.set(name, value.map((one) => (isFilter ? literal(one) : String(one))).join(','))
  } else if (isNested(value)) {
    for (const [inner, one] of Object.entries(value)) add(query, `${name}[${inner}]`, one)
  } else query.set(name, takesList(name) ? literal(value) : String(value))
}

const takesList = (name: string) => /^filter\[\w+\](\[ne\])?$/.test(name)

const literal = (value: unknown) => String(isNested(value) ? value.id : value).replaceAll(',', '\\,')

const isNested = (value: unknown): value is Partial<Reference> => typeof value === 'object' && value !== null
