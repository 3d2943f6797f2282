import { type Caller, levelOf } from '../access/caller.ts'
import { readInside } from '../catalog/api/read-inside.ts'
import { findMerged } from '../catalog/show/merged.ts'
import type { Context } from '../context.ts'
import type { Call } from '../http/route.ts'
import { ApiError, notFound } from '../jsonapi/errors.ts'
import { isUuid } from '../jsonapi/fields.ts'

/** A resource object of the API, as far as tools read it. */
export type Resource<A = Record<string, unknown>> = {
  type: string
  id: string
  attributes: A
  relationships?: Record<string, { data?: Identifier | Identifier[] | null }>
  meta?: { score?: number; page?: { cursor: string } }
}

type Identifier = { type: string; id: string }

/** A document with one record, and with a page of records. */
export type One<A = Record<string, unknown>> = { data: Resource<A>; included?: Resource[] }
export type Many<A = Record<string, unknown>> = {
  data: Resource<A>[]
  included?: Resource[]
  links: { next?: string | null }
  meta: { page: { total?: number; estimatedTotal?: { bestGuess: number } }; suggestion?: string }
}

/** Reads the catalog for the caller of a message. `read` makes a GET request to the API, whose rules decide what is visible. */
export type Reader = {
  context: Context
  level: number
  read: <T>(path: string, query?: Record<string, string>) => Promise<T>
}

/** A reader for a call's caller. */
export const readerFor = (context: Context, call: Call, caller: Caller = call.caller): Reader => ({
  context,
  level: levelOf(caller),
  read: (path, query) => readInside(context, call, caller, path, query),
})

/** Reads a record by its id, or the record that it was merged into. Throws a 404 that says what there is no such thing of. */
export const followMerged = async <T>(
  { context, level }: Reader,
  noun: string,
  id: string,
  read: (id: string) => Promise<T>,
): Promise<T> => {
  const missing = () => notFound(`There is no ${noun} with this id, or it is hidden from you.`)
  if (!isUuid(id)) throw missing()
  try {
    return await read(id.toLowerCase())
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
    const into = (await findMerged(context.db, [id], level)).get(id.toLowerCase())
    if (into?.type !== `${noun}s`) throw missing()
    return read(into.id)
  }
}

/** The identifiers of a relationship. */
export const relatedTo = ({ relationships }: Resource<object>, name: string): Identifier[] =>
  [relationships?.[name]?.data ?? []].flat()

/** Finds included records by their identifiers. */
export const includedIn = (included: Resource[] = []) => {
  const known = new Map(included.map((one) => [`${one.type} ${one.id}`, one]))
  return ({ type, id }: Identifier) => known.get(`${type} ${id}`)
}

/** How many records a list has, and the cursor of what follows this page. */
export const placeOf = ({ data, links, meta }: Many<object>) => ({
  total: meta.page.total ?? meta.page.estimatedTotal?.bestGuess ?? 0,
  total_is_estimate: meta.page.total === undefined,
  next_cursor: links.next ? (data.at(-1)?.meta?.page?.cursor ?? null) : null,
})

/** The query of a page of a list. */
export const pageQuery = (size: number, cursor: string | undefined): Record<string, string> => ({
  'page[size]': String(size),
  ...(cursor === undefined ? {} : { 'page[after]': cursor }),
})

/** The address of a record's page. */
export const pageAddress = ({ context }: Reader, type: string, id: string) => `${context.config.baseUrl}/${type}/${id}`
