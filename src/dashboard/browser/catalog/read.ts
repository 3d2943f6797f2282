import { get } from '../kit/api.ts'
import type { PageMeta } from '../kit/pager.tsx'
import { usePerson } from '../kit/person.tsx'
import { settings } from '../kit/settings.ts'

export type Identifier = { type: string; id: string }
export type Related = { data?: Identifier | Identifier[] | null; meta?: { total: number } }

/** A resource object of the catalog, with the attributes that the pages read. */
export type Resource<A = object> = Identifier & { attributes: A; relationships?: Record<string, Related> }

export type CardSet = Resource<{
  name: string
  description: string | null
  status: 'draft' | 'published'
  kind: 'base' | 'parallel' | 'insert' | 'autograph' | 'variation'
  release_date: string | null
  cards_count: number
}>
export type Card = Resource<{
  name: string
  number: string | null
  serial_number: string | null
  title: string | null
  notes: string | null
}>
export type Named = Resource<{ name: string }>
export type Player = Resource<{ name: string; position: string | null }>
export type Attribute = Resource<{ attribute: string; name: string }>
export type CardImage = Resource<{
  width: number
  height: number
  download_url: string
  variants: { name: string; width: number; height: number; url: string }[]
}>

export type One<T> = { data: T; included?: Resource[] }
export type Many<T> = { data: T[]; included?: Resource[]; meta: PageMeta }

/**
 * How the catalog is read: visitors read what is published by the pages' own addresses; operators, and whoever signed in
 * where the catalog is not public, by the API. Undefined where the catalog is closed to who asks.
 */
export const useCatalog = () => {
  const { person } = usePerson()
  const isApi = person && (person.operator || !settings.catalogIsPublic)
  if (!isApi && !settings.catalogIsPublic) return undefined
  return isApi ? readByApi : readPublic
}

/** Reads a resource of /v1 by its name, or a whole path such as `/v2/search`. */
export type Read = <T>(path: string, query?: Record<string, string>, signal?: AbortSignal) => Promise<T>

const readFrom =
  (base: string, headers?: Record<string, string>): Read =>
  (path, query = {}, signal) =>
    get(
      `${base}${path.startsWith('/') ? path : `/v1/${path}`}${Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
      { signal, headers },
    )

const brand = settings.brand.charAt(0).toUpperCase() + settings.brand.slice(1)
const readPublic = readFrom('/pages')
const readByApi = readFrom('', { [`X-${brand}-Ignore-Status`]: 'true' })

/** The records of a relationship that came along, in its order. */
export const along = <T extends Resource>(of: Resource, name: string, included: Resource[] = []): T[] => {
  const data = of.relationships?.[name]?.data ?? []
  return [data].flat().flatMap(({ type, id }) => {
    const found = included.find((one) => one.id === id && one.type === type)
    return found ? [found as T] : []
  })
}

/** The id at the other end of a relationship to one. */
export const idOf = (of: Resource, name: string): string | undefined => {
  const data = of.relationships?.[name]?.data
  return data && !Array.isArray(data) ? data.id : undefined
}

/** So many records are read by their ids at once. */
const mostIds = 100

/** What came along, and what does not come by itself: the parents of sets in it, and the sets of cards. */
export const withSets = async (read: Read, known: Resource[], signal: AbortSignal): Promise<Resource[]> => {
  const has = new Set(known.map(({ id }) => id))
  const meant = known.flatMap((one) => idOf(one, one.type === 'cards' ? 'set' : 'parent') ?? [])
  const wanted = [...new Set(meant)].filter((id) => !has.has(id)).slice(0, mostIds)
  if (wanted.length === 0) return known
  const query = { 'filter[id]': wanted.join(','), 'page[size]': String(mostIds) }
  const { data } = await read<{ data: CardSet[] }>('/v2/sets', query, signal)
  return [...known, ...data]
}
