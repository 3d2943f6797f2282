import { ApiError } from '../../jsonapi/errors.ts'
import { resources } from './index.ts'
import type { Include, Input, Resource } from './resource.ts'

/** Relationships that have another name in /v2, by type (decisions.md §9): ready clients lose one called `attributes`. */
const renamed: Record<string, Record<string, string>> = { cards: { attributes: 'card_attributes' } }

/** The resource as /v2 shows it: the same declaration, at its own addresses and with its own names of relationships. */
const inV2 = (resource: Resource): Resource => {
  const names = renamed[resource.type] ?? {}
  const { create, update, schema } = resource
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
    create: create && ((tx, id, input, writer) => create(tx, id, inV1(input, names), writer).catch(pointIn(names))),
    update: update && ((tx, id, input, writer) => update(tx, id, inV1(input, names), writer).catch(pointIn(names))),
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

const inV1 = (input: Input, names: Record<string, string>): Input => {
  const relationships = { ...input.relationships }
  for (const [old, name] of Object.entries(names)) {
    if (name in relationships) relationships[old] = relationships[name]
    delete relationships[name]
  }
  const { edit } = input
  const old = Object.entries(names).find(([, name]) => name === edit?.name)?.[0]
  return { ...input, relationships, ...(edit && old ? { edit: { ...edit, name: old } } : {}) }
}

/** Puts the names of /v2 into the pointers of a refusal. */
const pointIn =
  (names: Record<string, string>) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError)) throw error
    const errors = error.errors.map((one) => {
      const [, name = '', rest = ''] = /^\/data\/relationships\/([^/]+)(.*)$/.exec(one.source?.pointer ?? '') ?? []
      return names[name] ? { ...one, source: { pointer: `/data/relationships/${names[name]}${rest}` } } : one
    })
    throw new ApiError(error.status, errors, error.headers)
  }

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
