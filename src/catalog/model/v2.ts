import { resources } from './index.ts'
import type { Include, Resource } from './resource.ts'
import { identifiers } from './resources/identifiers.ts'

/** The resource as /v2 shows it: the same declaration, at its own addresses and with its own names of relationships. */
const inV2 = (resource: Resource): Resource => {
  const { namesInV2: names = {}, schema, more = {} } = resource
  const rename = <T>(members: Record<string, T>) => {
    const all: Record<string, T> = {}
    for (const name in members) all[names[name] ?? name] = members[name] as T
    return all
  }
  const { read, create, update, readOnly, relationships, example } = schema
  const related = { ...includesOf(schema.shownRelationships), ...more.includes }
  return {
    ...resource,
    api: '/v2',
    columns: (level) => resource.columns(level, more.columns),
    relationships: (row) => rename(resource.relationships(row)),
    includes: {
      ...rename(Object.fromEntries(Object.entries(resource.includes).map(relatedIn(resource)))),
      ...Object.fromEntries(Object.entries(related).map(relatedIn(resource))),
    },
    schema: {
      ...schema,
      read: { ...read, ...more.read },
      create: { ...create, ...more.write },
      update: { ...update, ...more.write },
      example: { ...example, ...more.example },
      relationships: rename(relationships),
      readOnly: [...readOnly.map((name) => names[name] ?? name), ...Object.keys(more.includes ?? {})],
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
export const resourcesInV2: Resource[] = [...resources, identifiers].map(inV2)

const byType = new Map(resourcesInV2.map((resource) => [resource.type, resource]))

/** The resource of a type as /v2 shows it; undefined where there is no such type. */
export const findInV2 = (type: string): Resource | undefined => byType.get(type)

/** The resource of a type as /v2 shows it. */
export const resourceInV2 = (type: string): Resource => {
  const resource = findInV2(type)
  if (!resource) throw new Error(`no resource of type ${type}`)
  return resource
}
