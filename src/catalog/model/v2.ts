import { typeAmong } from '../../jsonapi/type-names.ts'
import { resources } from './index.ts'
import type { Include, Resource } from './resource.ts'
import { identifiers } from './resources/identifiers.ts'
import { isShownType } from './resources/shown-as.ts'

/** A resource as /v2 shows it: the same declaration with other URLs, other relationship names and more attributes. */
const inV2 = (resource: Resource, isCopy = false): Resource => {
  const { namesInV2: names = {}, schema, more = {} } = resource
  const rename = <T>(members: Record<string, T>) => {
    const all: Record<string, T> = {}
    for (const name in members) all[names[name] ?? name] = members[name] as T
    return all
  }
  const { read, create, update, readOnly, example, shownExample } = schema
  const isOfBoth = ([name]: [string, unknown]) => !isShownType(resource.includes[name]?.types[0])
  const includes = Object.entries(resource.includes).filter(isOfBoth)
  const relationships = Object.fromEntries(Object.entries(schema.relationships).filter(isOfBoth))
  const { derived } = isCopy ? {} : more
  const related = { ...includesOf(schema.shownRelationships), ...more.includes }
  return {
    ...resource,
    api: '/v2',
    columns: (level) => resource.columns(level, [...(more.columns ?? []), ...(derived?.columns(level) ?? [])]),
    relationships: (row) => rename(resource.relationships(row)),
    includes: {
      ...rename(Object.fromEntries(includes.map(relatedIn(resource)))),
      ...Object.fromEntries(Object.entries(related).map(relatedIn(resource))),
    },
    schema: {
      ...schema,
      read: { ...read, ...more.read, ...derived?.read },
      create: { ...create, ...more.write },
      update: { ...update, ...more.write },
      example: { ...example, ...more.example },
      shownExample: { ...shownExample, ...derived?.example },
      relationships: rename(relationships),
      readOnly: [
        ...readOnly.map((name) => names[name] ?? name),
        ...Object.keys({ ...more.includes, ...derived?.read }),
      ],
    },
  }
}

/** Relationships that are shown can also be included. */
const includesOf = (shown: Resource['schema']['shownRelationships']): Record<string, Include> =>
  Object.fromEntries(
    Object.entries(shown ?? {}).map(([name, shape]) => [name, { ...shape, description: `The ${name} of the record.` }]),
  )

const relatedIn =
  ({ path }: Resource) =>
  ([name, include]: [string, Include]): [string, Include] => [
    name,
    include.related ? { ...include, related: (id) => `/v2/${path}/${id}/${name}` } : include,
  ]

/** Every resource type of the catalog as /v2 shows it. Only /v2 has identifiers. */
export const resourcesInV2: Resource[] = [...resources, identifiers].map((resource) => inV2(resource))

/** The same for copies of the catalog, without derived attributes. */
export const copiedResources: Resource[] = [...resources, identifiers].map((resource) => inV2(resource, true))

const copiedByType = new Map(copiedResources.map((resource) => [resource.type, resource]))

/** A resource as copies of the catalog get it. */
export const copied = (resource: Resource): Resource => copiedByType.get(resource.type) ?? resource

const byType = new Map<string, Resource>(resourcesInV2.map((resource) => [resource.type, resource]))

/** The resource of a type as /v2 shows it. Undefined if there is no such type. */
export const findInV2 = (type: string): Resource | undefined => byType.get(type)

/** The resource of a type that a request names, in any spelling. Undefined if there is no such type. */
export const findSentInV2 = (type: unknown): Resource | undefined =>
  byType.get(typeAmong([...byType.keys()], type) ?? '')

/** The resource of a type as /v2 shows it. Throws if there is no such type. */
export const resourceInV2 = (type: string): Resource => {
  const resource = findInV2(type)
  if (!resource) throw new Error(`no resource of type ${type}`)
  return resource
}
