import { levelOf } from '../../access/caller.ts'
import { type ApiError, invalidParameter, mergeErrors } from '../../jsonapi/errors.ts'
import { type ListQuery, type ListShape, readListQuery } from '../../jsonapi/list-query.ts'
import { givenOnce, isBroken } from '../../jsonapi/parameter.ts'
import { around } from '../list/page.ts'
import { fieldsOf, includePaths, typesIn } from '../model/fields.ts'
import { resourceInV2 } from '../model/v2.ts'
import { cursorPage, listCursors, readPlaces, recordsOf, showRecords } from '../show/pages.ts'
import { cached } from '../show/response-cache.ts'
import { type SearchedType, searchedTypes } from './order.ts'
import { parseQuery, type Term } from './parse.ts'
import { type Hit, rank } from './rank.ts'
import { resolveTerms } from './resolve.ts'

/** GET of the hits of a query, best first. */
export const search = cached(async (context, call) => {
  const { q, terms, types, query } = readSearchQuery(call.url.searchParams)
  const level = levelOf(call.caller)
  const cursors = listCursors(context, call, query, q)
  const places = readPlaces(cursors, query)
  const resolved = await resolveTerms(context.db.heavy, terms, level)
  const ranked = await rank(context.db.heavy, resolved, { level, types, size: query.size, name: nameIn(q), ...places })
  const records = await recordsOf(context, ranked.hits, level)
  const shown = new Map(ranked.hits.map((hit) => [hit.id, hit]))
  const hits = records.map(({ row }) => shown.get(row.id) as Hit)
  const { texts, included, cacheable } = await showRecords(context, call, records, query, level)
  const page = {
    ...{ total: ranked.total, isGuess: ranked.isGuess },
    places: hits.map(({ place }) => place),
    scores: hits.map(({ score }) => score),
    ...around(places, ranked.more),
  }
  return { reply: cursorPage(context, call, cursors, texts, page, included), cacheable }
})

/** The query as a name, if it can be one: in lower case, without operators. */
const nameIn = (q: string) => q.trim().replaceAll('"', '').toLowerCase()

const resources = searchedTypes.map(resourceInV2)

/** The parameters of a search other than `q`: pages, types, includes and fields. */
export const searchShape: ListShape = {
  sorts: [],
  criteria: { type: { kind: 'choice', values: [...searchedTypes], operators: ['eq'] } },
  include: [...new Set(resources.flatMap(includePaths))],
  fields: fieldsOf(resourceInV2('cards')),
  paginated: true,
}

/** The types that an answer may contain. */
export const typesInSearch = [...new Set(resources.flatMap((resource) => typesIn(resource, includePaths(resource))))]

export type SearchQuery = { q: string; terms: Term[]; types: SearchedType[]; query: ListQuery }

/** Reads the query of a search (decisions.md §9, §11); every fault is an error object of one 400. */
export const readSearchQuery = (search: URLSearchParams): SearchQuery => {
  const errors: ApiError[] = []
  const terms = search.has('q') ? readTerms(search, errors) : []
  const others = new URLSearchParams(search)
  others.delete('q')
  const query = caught(errors, () => readListQuery(others, searchShape))
  const error = mergeErrors(errors)
  if (error || !query) throw error
  if (!search.has('q')) throw missing('q')
  const given = query.conditions.flatMap(({ values }) => values)
  const types = given.length > 0 ? searchedTypes.filter((type) => given.includes(type)) : [...searchedTypes]
  return { q: search.get('q') ?? '', terms, types, query }
}

const readTerms = (search: URLSearchParams, errors: ApiError[]): Term[] => {
  const q = readOnce(search, 'q', errors)
  if (q === undefined) return []
  const { terms, faults } = parseQuery(q)
  for (const { at, detail } of faults) errors.push(invalidParameter('q', `Position ${at}: ${detail}`))
  return terms
}

/** 400: a required parameter is missing. */
export const missing = (name: string) => invalidParameter(name, 'Must be given.')

/** The text of a parameter that is required exactly once. */
export const readOnce = (search: URLSearchParams, name: string, errors: ApiError[]): string | undefined => {
  const [value = '', ...more] = search.getAll(name)
  const refuse = (detail: string) => void errors.push(invalidParameter(name, detail))
  if (more.length > 0) refuse(givenOnce)
  else if (isBroken(value)) refuse('The value is no valid text.')
  else return value
  return undefined
}

const caught = <T>(errors: ApiError[], read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    errors.push(error as ApiError)
    return undefined
  }
}
