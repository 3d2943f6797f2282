import { operatorsOf } from '../../jsonapi/list-filters.ts'
import type { ListShape } from '../../jsonapi/list-query.ts'
import { criteriaOf, sortsOf } from '../model/criteria.ts'
import { fieldsOf, includePaths } from '../model/fields.ts'
import type { Resource } from '../model/resource.ts'

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
