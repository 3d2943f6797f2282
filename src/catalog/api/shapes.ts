import { operatorsOf } from '../../jsonapi/list-filters.ts'
import type { ListShape } from '../../jsonapi/list-query.ts'
import { criteriaOf } from '../list/conditions.ts'
import { sortsOf } from '../list/order.ts'
import type { Resource } from '../model/resource.ts'
import { resourceInV2 } from '../model/v2.ts'
import { fieldsOf } from './parameters.ts'

/** What a list of a resource takes of the query in /v2, and what one record does; made once for each resource. */
export const queryShapes = (resource: Resource): { list: ListShape; read: ListShape } => {
  const known = shapes.get(resource)
  if (known) return known
  const common = { include: includePaths(resource), fields: fieldsOf(resource) }
  const criteria = Object.fromEntries(
    Object.entries(criteriaOf(resource)).map(([name, { kind, values, nullable }]) => [
      name,
      { kind, values, operators: operatorsOf(kind, nullable) },
    ]),
  )
  const made = {
    list: { ...common, criteria, sorts: Object.keys(sortsOf(resource)), paginated: true },
    read: { ...common, criteria: {}, sorts: [], paginated: false },
  }
  shapes.set(resource, made)
  return made
}

const shapes = new WeakMap<Resource, { list: ListShape; read: ListShape }>()

/** The paths that may be included: a relationship, or one of what it leads to, where one of its types has that. */
export const includePaths = ({ includes }: Resource): string[] =>
  Object.entries(includes).flatMap(([name, { types }]) => [
    name,
    ...new Set(types.flatMap((type) => Object.keys(resourceInV2(type).includes).map((next) => `${name}.${next}`))),
  ])

/** The types that an answer about a resource may hold. */
export const typesIn = (resource: Resource, include: string[]): string[] => {
  const near = (from: Resource, name: string) => from.includes[name]?.types ?? []
  const reached = include.flatMap((path) => {
    const [first = '', second = ''] = path.split('.')
    return near(resource, first).flatMap((type) => [type, ...near(resourceInV2(type), second)])
  })
  return [...new Set([resource.type, ...reached])]
}
