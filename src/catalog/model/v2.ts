import { resources } from './index.ts'
import type { Include, Resource } from './resource.ts'
import { identifiers } from './resources/identifiers.ts'

/** The resource as /v2 shows it: the same declaration, at its own addresses and with its own names of relationships. */
const inV2 = (resource: Resource, isCopy = false): Resource => {
  const { namesInV2: names = {}, schema, more = {} } = resource
  const rename = <T>(members: Record<string, T>) => {
    const all: Record<string, T> = {}
    for (const name in members) all[names[name] ?? name] = members[name] as T
    return all
  }
  const { read, create, update, readOnly, relationships, example, shownExample } = schema
  const { derived } = isCopy ? {} : more
  const related = { ...includesOf(schema.shownRelationships), ...more.includes }
  return {
    ...resource,
    api: '/v2',
    columns: (level) => resource.columns(level, [...(more.columns ?? []), ...(derived?.columns(level) ?? [])]),
    relationships: (row) => rename(resource.relationships(row)),
    includes: {
      ...rename(Object.fromEntries(Object.entries(resource.includes).map(relatedIn(resource)))),
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

/** What is shown can be included. */
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

/** Every resource type of the catalog as /v2 shows it; identifiers are there alone. */
export const resourcesInV2: Resource[] = [...resources, identifiers].map((resource) => inV2(resource))

/** The same for those who keep a copy: without what follows from other records. */
export const copiedResources: Resource[] = [...resources, identifiers].map((resource) => inV2(resource, true))

const copiedByType = new Map(copiedResources.map((resource) => [resource.type, resource]))

/** A resource as those who keep a copy get it. */
export const copied = (resource: Resource): Resource => copiedByType.get(resource.type) ?? resource

const byType = new Map<string, Resource>(resourcesInV2.map((resource) => [resource.type, resource]))

/** The resource of a type as /v2 shows it; undefined if there is no such type. */
export const findInV2 = (type: string): Resource | undefined => byType.get(type)

/** The resource of a type as /v2 shows it. */
export const resourceInV2 = (type: string): Resource => {
  const resource = findInV2(type)
  if (!resource) throw new Error(`no resource of type ${type}`)
  return resource
}
