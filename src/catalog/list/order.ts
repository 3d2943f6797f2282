import type { SortKey } from '../../jsonapi/list-query.ts'
import { timeSorts } from '../model/criteria.ts'
import type { Resource, SortColumn } from '../model/resource.ts'
import type { Key } from './keyset.ts'

/** Every sort key of a resource's list, the first one first. */
export const sortsOf = ({ sorts }: Resource): Record<string, SortColumn[]> => ({ ...sorts, ...timeSorts })

/** The sort key of a list whose request names none. */
export const firstSort = (resource: Resource): string => Object.keys(sortsOf(resource))[0] as string

/** The sort that a request means: its own, or the list's first, upwards. */
export const sortOf = (resource: Resource, sort: SortKey[]): SortKey[] =>
  sort.length > 0 ? sort : [{ name: firstSort(resource), descending: false }]

/** The columns of an order; the id ends it, in the direction of the last key. */
export const keysOf = (resource: Resource, sort: SortKey[]): Key[] => {
  const sorts = sortsOf(resource)
  const keys = sort.flatMap(({ name, descending }) =>
    (sorts[name] ?? []).map((column) => ({ ...column, sort: name, descending })),
  )
  return [...keys, { sql: 't.id', type: 'uuid', sort: 'id', descending: sort.at(-1)?.descending ?? false }]
}
