import { pageMeta } from '../../jsonapi/serialize.ts'
import { resources } from '../model/index.ts'
import { apiOf, type Resource } from '../model/resource.ts'

const address = 'https://cards.example.org'
const time = '2026-11-21T12:00:00.000Z'

/** The id of the example of a type: the same wherever the document shows or names it. */
export const exampleId = (type: string) =>
  `0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d${(0x20 + resources.findIndex((one) => one.type === type)).toString(16)}`

const identifier = (type: string) => ({ type, id: exampleId(type) })

const linkage = ({ types, many }: { types: string[]; many: boolean }) => {
  const one = identifier(types[0] as string)
  return { data: many ? [one] : one }
}

/** The example of a type has no parent of its own type: it would be itself. */
const shownLinkage = (type: string, shape: { types: string[]; many: boolean }) =>
  !shape.many && shape.types[0] === type ? { data: null } : linkage(shape)

const ownAddress = ({ type, path, ...resource }: Resource) => `${address}${apiOf(resource)}/${path}/${exampleId(type)}`

/** A resource object as it is read. */
const shownExample = (resource: Resource) => {
  const { type, schema, includes, links } = resource
  const { read, example, shownExample, relationships, shownRelationships } = schema
  const known: Record<string, unknown> = { ...example, ...shownExample }
  const always = Object.entries(includes).filter(([, { listedBy }]) => !listedBy)
  const related = Object.entries({ ...relationships, ...shownRelationships, ...Object.fromEntries(always) })
  const url = ownAddress(resource)
  return {
    type,
    id: exampleId(type),
    attributes: {
      ...Object.fromEntries(Object.keys(read).map((name) => [name, known[name] ?? null])),
      created_at: time,
      updated_at: time,
      url,
    },
    ...(related.length > 0
      ? { relationships: Object.fromEntries(related.map(([name, shape]) => [name, shownLinkage(type, shape)])) }
      : {}),
    links: { self: url, ...(links && typeof known.download_url === 'string' ? { download: known.download_url } : {}) },
  }
}

const jsonapi = { version: '1.1' }

/** The document of one record. */
export const singleExample = (resource: Resource) => ({
  jsonapi,
  links: { self: ownAddress(resource) },
  data: shownExample(resource),
})

/** The document of a page that is the only one. */
export const pageExample = (resource: Resource, path = `/v1/${resource.path}`) => {
  const page = `${address}${path}?page=1`
  return {
    jsonapi,
    links: { self: `${address}${path}`, first: page, last: page },
    data: [shownExample(resource)],
    meta: { ...pageMeta(1, 25, 1, 1), ...resource.schema.pageMetaExample },
  }
}

/** The document of a page of /v2 that is the only one. */
export const cursorPageExample = (resource: Resource, path = `/v2/${resource.path}`) => ({
  jsonapi,
  links: {
    self: `${address}${path}`,
    first: `${address}${path}`,
    last: `${address}${path}?page%5Bbefore%5D=${exampleCursor}`,
    prev: null,
    next: null,
  },
  data: [{ ...shownExample(resource), meta: { page: { cursor: exampleCursor } } }],
  meta: { page: { total: 1 } },
})

const exampleCursor = 'q6vKcZ3mS0Wm8mJYb1oXWyJqb3JkYW4iXQ'

/** A document that creates a record. A set's parent is left out: most have none. */
export const createExample = ({ type, schema }: Resource) => {
  const related = Object.entries(schema.relationships).filter(([, { types }]) => !types.includes(type))
  return {
    data: {
      type,
      attributes: schema.example,
      ...(related.length > 0
        ? { relationships: Object.fromEntries(related.map(([name, shape]) => [name, linkage(shape)])) }
        : {}),
    },
  }
}

/** A document that changes one attribute. */
export const updateExample = ({ type, schema }: Resource) => ({
  data: { type, id: exampleId(type), attributes: Object.fromEntries(Object.entries(schema.example).slice(0, 1)) },
})
