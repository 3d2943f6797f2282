import { resources } from './index.ts'
import type { Include, Resource } from './resource.ts'

/** The resource as /v2 shows it: the same declaration, at its own addresses and with its own names of relationships. */
const inV2 = (resource: Resource): Resource => {
  const { namesInV2: names = {}, schema } = resource
  const rename = <T>(members: Record<string, T>) => {
    const all: Record<string, T> = {}
    for (const name in members) all[names[name] ?? name] = members[name] as T
    return all
  }
  const { readOnly, relationships } = schema
  return {
    ...resource,
    api: '/v2',
    relationships: (row) => rename(resource.relationships(row)),
    includes: {
      ...rename(Object.fromEntries(Object.entries(resource.includes).map(relatedIn(resource)))),
      ...includesOf(schema.shownRelationships),
    },
    schema: { ...schema, relationships: rename(relationships), readOnly: readOnly.map((name) => names[name] ?? name) },
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

/** Every resource type of the catalog as /v2 shows it. */
export const resourcesInV2: Resource[] = resources.map(inV2)

const byType = new Map(resourcesInV2.map((resource) => [resource.type, resource]))

/** The resource of a type as /v2 shows it; undefined where there is no such type. */
export const findInV2 = (type: string): Resource | undefined => byType.get(type)

/** The resource of a type as /v2 shows it. */
export const resourceInV2 = (type: string): Resource => {
  const resource = findInV2(type)
  if (!resource) throw new Error(`no resource of type ${type}`)
  return resource
}
