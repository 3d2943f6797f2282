import { ApiError, invalidParameter, mergeErrors, quoteSent } from '../../jsonapi/errors.ts'
import type { Condition } from '../../jsonapi/list-filters.ts'
import { type ListQuery, type ListShape, readListQuery } from '../../jsonapi/list-query.ts'
import { givenOnce, isBroken, namesIn } from '../../jsonapi/parameter.ts'
import { type OrderName, searchOrders } from '../../lib/search-language.ts'
import { setKindIds } from '../model/counts.ts'
import { fieldsOf, includePaths, typesIn } from '../model/fields.ts'
import { resourceInV2 } from '../model/v2.ts'
import { parseQuery } from './language/parse.ts'
import { join, type LabelName, type Node, type ParsedQuery, type Wanted } from './language/query.ts'
import { type FacetName, facetNames } from './rank/facets.ts'
import { type SearchedType, searchedTypes } from './rank/order.ts'

const resources = searchedTypes.map(resourceInV2)

const labels: LabelName[] = ['genre', 'year', 'brand', 'set']
const kinds = Object.keys(setKindIds)

/** The parameters that a search shares with lists: pages, filters, includes and fields. */
export const searchShape: ListShape = {
  sorts: [],
  criteria: {
    type: { kind: 'choice', values: [...searchedTypes], operators: ['eq'] },
    ...Object.fromEntries(labels.map((name) => [name, { kind: 'uuid', operators: ['eq'] } as const])),
    kind: { kind: 'choice', values: kinds, operators: ['eq'] },
  },
  include: [...new Set(resources.flatMap(includePaths))],
  fields: fieldsOf(resourceInV2('cards')),
  paginated: true,
}

/** The types that an answer may contain. */
export const typesInSearch = [...new Set(resources.flatMap((resource) => typesIn(resource, includePaths(resource))))]

export const orderNames = Object.keys(searchOrders) as OrderName[]

type SearchQuery = {
  q: string
  node: Node
  order: OrderName
  types: SearchedType[]
  facets: FacetName[]
  /** Whether each hit explains its score. */
  explains: boolean
  query: ListQuery
}

/** Reads the query of a search (decisions.md §9, §11, §15). A single 400 lists all faults. */
export const readSearchQuery = (search: URLSearchParams): SearchQuery => {
  const errors: ApiError[] = []
  const parsed = search.has('q') ? readTerms(search, errors) : undefined
  const sort = search.has('sort') ? readSort(search, errors) : undefined
  const facets = readFacets(search, errors)
  const explains = readExplain(search, errors)
  const others = new URLSearchParams(search)
  for (const name of ['q', 'sort', 'facets', 'explain']) others.delete(name)
  const query = caught(errors, () => readListQuery(others, searchShape))
  if (parsed?.order && sort && parsed.order !== sort)
    errors.push(invalidParameter('sort', 'The query already sets another order.'))
  const error = mergeErrors(errors)
  if (error || !query) throw error
  if (!parsed?.node) throw missing('q')
  const given = query.conditions.flatMap(({ name, values }) => (name === 'type' ? values : []))
  const types = given.length > 0 ? searchedTypes.filter((type) => given.includes(type)) : [...searchedTypes]
  const filters = query.conditions.flatMap(filterOf)
  const node = filters.length > 0 ? join('and', [parsed.node, ...filters]) : parsed.node
  return { q: search.get('q') ?? '', node, order: parsed.order ?? sort ?? 'relevance', types, facets, explains, query }
}

const filterOf = ({ name, values }: Condition): Node[] => {
  const label = labels.find((one) => one === name)
  const wanted: Wanted | undefined = label
    ? { kind: 'label', label, ids: values }
    : name === 'kind'
      ? { kind: 'setKind', kinds: values }
      : undefined
  return wanted ? [{ op: 'term', at: 0, wanted }] : []
}

const readTerms = (search: URLSearchParams, errors: ApiError[]): ParsedQuery | undefined => {
  const q = readOnce(search, 'q', errors)
  if (q === undefined) return undefined
  const parsed = parseQuery(q)
  for (const { at, detail, suggestion } of parsed.faults) {
    const {
      status,
      errors: [error],
    } = invalidParameter('q', `Position ${at}: ${detail}`)
    const meta = suggestion ? { suggestion } : undefined
    if (error) errors.push(new ApiError(status, [{ ...error, meta }], {}, meta))
  }
  return parsed
}

const readSort = (search: URLSearchParams, errors: ApiError[]): OrderName | undefined => {
  const sort = readOnce(search, 'sort', errors)
  const order = orderNames.find((name) => name === sort)
  if (sort !== undefined && !order) errors.push(invalidParameter('sort', `Must be one of ${orderNames.join(', ')}.`))
  return order
}

const readFacets = (search: URLSearchParams, errors: ApiError[]): FacetName[] => {
  const names = namesIn(search.getAll('facets'))
  const unknown = names.filter((name) => !facetNames.some((one) => one === name)).join(', ')
  if (unknown)
    errors.push(
      invalidParameter('facets', `There is no facet ${quoteSent(unknown)}. The facets are ${facetNames.join(', ')}.`),
    )
  return facetNames.filter((name) => names.includes(name))
}

const readExplain = (search: URLSearchParams, errors: ApiError[]): boolean => {
  if (!search.has('explain')) return false
  const value = readOnce(search, 'explain', errors)
  if (value !== undefined && value !== 'true' && value !== 'false')
    errors.push(invalidParameter('explain', 'Must be true or false.'))
  return value === 'true'
}

/** 400: a required parameter is missing. */
export const missing = (name: string) => invalidParameter(name, 'Must be given.')

/** The text of a parameter that must be given exactly once. */
export const readOnce = (search: URLSearchParams, name: string, errors: ApiError[]): string | undefined => {
  const [value = '', ...more] = search.getAll(name)
  const refuse = (detail: string) => void errors.push(invalidParameter(name, detail))
  if (more.length > 0) refuse(givenOnce)
  else if (isBroken(value)) refuse('The value is not valid text.')
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
