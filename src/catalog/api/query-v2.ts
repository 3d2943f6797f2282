import { Type } from '@sinclair/typebox'
import { fieldsParameter } from '../../http/parameters.ts'
import type { Parameter } from '../../http/route.ts'
import { date, integer, oneOf, time, uuid } from '../../jsonapi/fields.ts'
import { type CriterionKind, type Operator, operatorsOf } from '../../jsonapi/list-filters.ts'
import type { ListShape } from '../../jsonapi/list-query.ts'
import { sizes } from '../../limits.ts'
import { criteriaOf, firstSort, sortsOf } from '../model/criteria.ts'
import { fieldsOf, includePaths } from '../model/fields.ts'
import type { Criterion, Resource } from '../model/resource.ts'

/** The query parameters of a /v2 read, for the OpenAPI document. */
export const parametersInV2 = (
  resource: Resource | undefined,
  shape: Pick<ListShape, 'include' | 'fields' | 'sorts' | 'paginated'>,
  types: string[],
): Record<string, Parameter> => ({
  ...(shape.include.length > 0
    ? {
        include: {
          schema: Type.Array(oneOf(shape.include)),
          description: 'Related records to include, separated by commas or repeated, at most two relationships deep.',
          example: shape.include.slice(0, 2),
        },
      }
    : {}),
  ...Object.fromEntries(
    types.flatMap((type) =>
      Object.entries(fieldsParameter(type, shape.fields[type] ?? [], shape.fields[type]?.slice(0, 2))),
    ),
  ),
  ...(shape.paginated ? { ...pageParameters(), ...(resource ? listParameters(resource, shape.sorts) : {}) } : {}),
})

/** The page parameters of the profile. */
const pageParameters = (): Record<string, Parameter> => ({
  'page[size]': {
    schema: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    description: 'How many records a page holds.',
    example: 25,
  },
  'page[after]': { schema: Type.String(), description: 'A cursor. The page starts after it.' },
  'page[before]': {
    schema: Type.String(),
    description: 'A cursor. The page ends before it. With `page[after]`, you get the records in between.',
  },
})

const listParameters = (resource: Resource, sorts: string[]): Record<string, Parameter> => ({
  sort: {
    schema: Type.Array(oneOf(sorts.flatMap((name) => [name, `-${name}`]))),
    description: `One or more sort keys. A leading \`-\` reverses a key, and the id breaks ties. Defaults to \`${firstSort(resource)}\`.`,
    example: [sorts[0]],
  },
  ...Object.fromEntries(Object.entries(criteriaOf(resource)).flatMap(describedFilter)),
})

const describedFilter = ([name, criterion]: [string, Criterion]): [string, Parameter][] =>
  operatorsOf(criterion.kind, criterion.nullable).map((operator) => [
    operator === 'eq' ? `filter[${name}]` : `filter[${name}][${operator}]`,
    {
      schema: schemaOf(criterion, operator),
      description: `${criterion.description} ${meanings[operator]}`,
      example: exampleOf(criterion, operator),
    },
  ])

const exampleOf = ({ kind, example }: Criterion, operator: Operator) => {
  if (operator === 'null') return true
  return kind === 'integer' && operator !== 'eq' && operator !== 'ne' ? Number(example) : example
}

const meanings: Record<Operator, string> = {
  eq: `Equal to the value, or to any value of a list with up to ${sizes.filterValues.most}, separated by commas or repeated. \`\\,\` is a literal comma.`,
  ne: 'Not equal to the value, or to any value of a list. Also matches records without a value.',
  like: 'Contains the value, ignoring case.',
  prefix: 'Starts with the value, ignoring case.',
  gt: 'Greater or later than the value.',
  gte: 'Equal to the value, or greater or later.',
  lt: 'Less or earlier than the value.',
  lte: 'Equal to the value, or less or earlier.',
  null: '`true` finds records without a value, `false` those with one.',
}

const schemaOf = ({ kind, values }: Criterion, operator: Operator) => {
  if (operator === 'null') return Type.Boolean()
  if (operator === 'eq' || operator === 'ne') return Type.String()
  const schemas: Partial<Record<CriterionKind, () => Parameter['schema']>> = {
    uuid,
    time,
    date,
    integer: () => integer(0),
    choice: () => oneOf(values ?? []),
  }
  return schemas[kind]?.() ?? Type.String()
}

/** What the query of a /v2 list and of a single record accepts, made once per resource. */
export const shapesInV2 = (resource: Resource): Shapes => shapes.getOrInsertComputed(resource, makeShapes)

type Shapes = { list: ListShape; read: ListShape }

const shapes = new WeakMap<Resource, Shapes>()

const makeShapes = (resource: Resource): Shapes => {
  const common = { include: includePaths(resource), fields: fieldsOf(resource) }
  const criteria = Object.fromEntries(
    Object.entries(criteriaOf(resource)).map(([name, { kind, values, nullable }]) => [
      name,
      { kind, values, operators: operatorsOf(kind, nullable) },
    ]),
  )
  return {
    list: { ...common, criteria, sorts: Object.keys(sortsOf(resource)), paginated: true },
    read: { ...common, criteria: {}, sorts: [], paginated: false },
  }
}
