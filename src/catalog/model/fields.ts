import { resources, shownResources } from './index.ts'
import type { Resource } from './resource.ts'
import { storedTypeOf } from './resources/shown-as.ts'
import { resourceInV2, resourcesInV2 } from './v2.ts'

/** The fields of every type in the catalog, since `fields[type]` may name a type that isn't in the answer. */
export const fieldsOf = ({ api }: Resource): Record<string, string[]> =>
  Object.fromEntries(
    (api ? resourcesInV2 : [...resources, ...shownResources]).map((resource) => [resource.type, fieldNames(resource)]),
  )

/** The fields of one type. */
export const fieldNames = (resource: Resource) => [
  ...new Set([
    ...Object.keys(resource.schema.read),
    ...Object.keys(resource.schema.relationships),
    ...resource.schema.readOnly,
    ...Object.keys(resource.includes),
    'created_at',
    'updated_at',
    'url',
    ...(resource.showsDeleted && !resource.api ? ['deleted_at'] : []),
  ]),
]

/** The paths that `include` accepts: a relationship, or a relationship of one of its related types. */
export const includePaths = ({ includes }: Resource): string[] =>
  Object.entries(includes).flatMap(([name, { types }]) => [
    name,
    ...new Set(types.flatMap((type) => Object.keys(resourceInV2(type).includes).map((next) => `${name}.${next}`))),
  ])

/** The types that an answer about a resource may contain. */
export const typesIn = (resource: Resource, include: string[]): string[] => {
  const near = (from: Resource, name: string) => from.includes[name]?.types ?? []
  const reached = include.flatMap((path) => {
    const [first = '', second = ''] = path.split('.')
    return near(resource, first).flatMap((type) => [type, ...near(resourceInV2(storedTypeOf(type)), second)])
  })
  return [...new Set([resource.type, ...reached])]
}
