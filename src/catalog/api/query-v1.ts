import { Type } from '@sinclair/typebox'
import { fieldsParameter, limitParameter, pageNameParameter, pageParameters, sameAs } from '../../http/parameters.ts'
import type { Parameter } from '../../http/route.ts'
import { oneOf, uuid } from '../../jsonapi/fields.ts'
import type { QueryShape } from '../../jsonapi/query.ts'
import { criterionOf } from '../model/criteria.ts'
import { fieldNames, fieldsOf, typesIn } from '../model/fields.ts'
import { resourceOf } from '../model/index.ts'
import type { Filter, Resource } from '../model/resource.ts'
import { resourceInV2 } from '../model/v2.ts'

const filterShape = (resource: Resource, name: string): QueryShape['filters'][string] => {
  const { of, like, alias, aliasStays, orNull } = resource.filters[name] as Filter
  const { kind, values } = criterionOf(resource, of)
  return { kind: like ? 'matching' : kind === 'uuid' ? kind : 'text', values, alias, aliasStays, orNull }
}

/**
 * What lists, reads of one record, and writes of a resource accept in the query, made once per resource. /v2 writes accept the
 * same.
 */
export const shapesInV1 = (resource: Resource): Shapes => shapes.getOrInsertComputed(resource, makeShapes)

type Shapes = Record<'list' | 'read' | 'write', QueryShape>

const makeShapes = (resource: Resource): Shapes => {
  const include = Object.keys(resource.includes)
  const fields = fieldsOf(resource)
  const filters = Object.fromEntries(Object.keys(resource.filters).map((name) => [name, filterShape(resource, name)]))
  if (resource.showsDeleted) filters.status = { kind: 'text', values: statusesOf(resource) }
  return {
    list: { paginated: true, oldPageNames: ['limit', 'pageName'], include, fields, filters, options: resource.options },
    read: { include, fields, filters: {}, options: resource.showsDeleted ? { include_trashed: trashed } : {} },
    write: { include: [], fields, filters: {} },
  }
}

/** The values of `filter[status]`: those of the record's own status, if it has one, and `deleted`. */
const statusesOf = ({ criteria }: Resource) => [...(criteria.status?.values ?? []), 'deleted']

const trashed = { values: ['true', 'false'] }

const shapes = new WeakMap<Resource, Shapes>()

const fieldsParameterOf = (resource: Resource) =>
  fieldsParameter(resource.type, fieldNames(resource), Object.keys(resource.schema.read).slice(0, 2))

/** The query parameters of a shape, for the OpenAPI document. */
export const parametersInV1 = (resource: Resource, shape: QueryShape): Record<string, Parameter> => {
  const parameters: Record<string, Parameter> = {}
  if (shape.include.length > 0)
    parameters.include = {
      schema: Type.Array(oneOf(shape.include)),
      description: describeIncludes(resource),
      example: shape.include.slice(0, 2),
    }
  for (const type of typesIn(resource, shape.include))
    Object.assign(parameters, fieldsParameterOf(resource.api ? resourceInV2(type) : resourceOf(type)))
  if (shape.options?.include_trashed)
    parameters.include_trashed = {
      schema: oneOf(trashed.values),
      description:
        'With `true` and the scope `read:all-status`, the record is also found if it is deleted. Then it has `deleted_at`.',
    }
  if (!shape.paginated) return parameters
  Object.assign(parameters, pageParameters('records'), limitParameter, pageNameParameter)
  for (const [name, filter] of Object.entries(resource.filters)) {
    const criterion = criterionOf(resource, filter.of)
    const id = filter.orNull ? Type.Union([uuid(), Type.Literal('null')]) : uuid()
    const schema = criterion.values ? oneOf(criterion.values) : criterion.kind === 'uuid' ? id : Type.String()
    const { description = criterion.description, example = criterion.example } = filter
    parameters[`filter[${name}]`] = { schema, description, example }
    if (filter.alias)
      parameters[filter.alias] = filter.aliasStays
        ? { schema, description: sameAs(`filter[${name}]`) }
        : { schema, description: `Deprecated. Use \`filter[${name}]\` instead, and don’t send both.`, deprecated: true }
  }
  if (resource.showsDeleted) parameters['filter[status]'] = statusParameter(resource)
  for (const [name, { values, default: standard, description }] of Object.entries(resource.options ?? {}))
    parameters[name] = { schema: { ...oneOf(values), ...(standard ? { default: standard } : {}) }, description }
  return parameters
}

const statusParameter = (resource: Resource): Parameter => ({
  schema: oneOf(statusesOf(resource)),
  description: [
    resource.filters.status?.description,
    '`deleted` lists deleted records with their `deleted_at`, the latest deletion first. Without the scope `read:all-status`, that list is empty.',
  ]
    .filter(Boolean)
    .join(' '),
  example: resource.filters.status?.example ?? 'deleted',
})

const describeIncludes = ({ includes }: Resource) => {
  const each = Object.entries(includes).map(([name, { description }]) => `- \`${name}\`: ${description}`)
  return ['Related records to include, separated by commas or repeated:', '', ...each].join('\n')
}
