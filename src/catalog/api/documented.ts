import type { Answer } from '../../http/route.ts'
import { cursorPageType } from '../../jsonapi/cursor-profile.ts'
import { cursorDocument, cursorExample } from '../../jsonapi/cursor-schema.ts'
import { resourceSchema, schemaName, singleDocument } from '../../jsonapi/schema.ts'
import { pageMeta } from '../../jsonapi/serialize.ts'
import { capital } from '../../lib/capital.ts'
import { sayNumber, sizes } from '../../limits.ts'
import { shownIn } from '../model/index.ts'
import { apiOf, type Resource } from '../model/resource.ts'
import { resourcesInV2 } from '../model/v2.ts'

const address = 'https://cards.example.org'
const time = '2026-11-21T12:00:00.000Z'

/** The example id of a type. It is the same wherever the document shows or refers to it. */
export const exampleId = (type: string) =>
  `0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d${(0x20 + resourcesInV2.findIndex((one) => one.type === type)).toString(16)}`

const identifier = (type: string) => ({ type, id: exampleId(type) })

const linkage = ({ types, many }: { types: string[]; many: boolean }) => {
  const one = identifier(types[0] as string)
  return { data: many ? [one] : one }
}

/** The example of a type has no parent of its own type, because that would be itself. */
const shownLinkage = (type: string, shape: { types: string[]; many: boolean }) =>
  !shape.many && shape.types[0] === type ? { data: null } : linkage(shape)

const ownAddress = ({ type, path, ...resource }: Resource) => `${address}${apiOf(resource)}/${path}/${exampleId(type)}`

/** A resource object as a read shows it. */
const shownExample = (resource: Resource) => {
  const { type, schema, includes, links } = resource
  const { read, example, shownExample, relationships, shownRelationships } = schema
  const known: Record<string, unknown> = { ...example, ...shownExample }
  const always = Object.entries(includes).filter(([, { listedBy, sameAs }]) => !listedBy && !sameAs)
  const related = Object.entries({ ...relationships, ...shownRelationships, ...Object.fromEntries(always) }).filter(
    ([name]) => !includes[name]?.sameAs,
  )
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

/** The document of a /v2 page that is the only one. */
export const cursorPageExample = (resource: Resource, path = `/v2/${resource.path}`) =>
  cursorExample(`${address}${path}`, shownExample(resource), 'q6vKcZ3mS0Wm8mJYb1oXWyJqb3JkYW4iXQ')

/** A document that creates a record. A set's parent is left out, because most sets have none. */
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
export const updateExample = ({ type, schema }: Resource) => {
  const changeable = Object.entries(schema.example).filter(([name]) => name in schema.update)
  return { data: { type, id: exampleId(type), attributes: Object.fromEntries(changeable.slice(0, 1)) } }
}

/** An answer with one record. */
export const recordAnswer = (resource: Resource, description: string): Answer => ({
  description,
  schema: singleDocument(resource, shownIn(resource)),
  example: singleExample(resource),
  headers: { ETag: '' },
})

/** An answer with a page of records by cursor. */
export const pageAnswer = (resource: Resource, description: string): Answer => ({
  description,
  schema: cursorDocument(schemaName(resource), resourceSchema(resource)),
  mediaType: cursorPageType,
})

/** The answer to a read if the caller already has its ETag. */
export const notModified: Answer = { description: 'Your copy is current.', headers: { ETag: '' } }

/** The plural of a resource in words: `object attributes`. */
export const wordsFor = ({ path }: Resource) => path.replaceAll('-', ' ')

/** The tag for a resource's operations in the documentation. */
export const tagOf = (resource: Resource) => capital(wordsFor(resource))

/** A resource's noun as it appears in operation ids. */
export const title = (resource: Resource) => resource.noun.split(/[ -]/).map(capital).join('')
/** A resource's plural as it appears in operation ids. */
export const plural = (resource: Resource) => resource.path.split('-').map(capital).join('')

/** A resource's noun with its article. */
export const aNoun = ({ noun }: Resource) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** The suffix of /v2 operation ids, if /v1 has the same operation. */
export const suffix = ({ api }: Resource) => (api ? 'V2' : '')

type Notes = { create?: string; update?: string; remove?: string }

const mostRenamed = sayNumber(sizes.renamedCards.most)
const whileUsed = 'Returns 409 while a live set uses it.'
const whileBorne = 'Returns 409 while it is on a live card. Otherwise it is hidden, and deleted cards keep it.'

/** What a stranger must know about a resource's writes besides their schemas (decisions.md §4). */
const notes: Record<string, Notes> = {
  attributes: {
    create: 'The code must be unique, case included.',
    update: `A new code renames every card that has it. Returns 409 if there are more than ${mostRenamed} of them; use \`cardstock rename\` instead.`,
    remove: 'Returns 409 while a live card or object has it.',
  },
  brands: { remove: whileUsed },
  manufacturers: { remove: whileUsed },
  genres: { remove: whileUsed },
  years: { remove: whileUsed },
  teams: {
    update: `A new name renames every card of the team. Returns 409 if there are more than ${mostRenamed} of them; use \`cardstock rename\` instead.`,
    remove: whileBorne,
  },
  players: {
    create:
      'Send `first_name` and `last_name`, or `full_name`, which is then split. A suffix such as Jr. stays with the last name, and a single word is a last name.',
    update: `A new name renames every card of the player. Returns 409 if there are more than ${mostRenamed} of them; use \`cardstock rename\` instead.`,
    remove: whileBorne,
  },
  playerteams: {
    create: 'Posting a deleted pair restores it with its old id (201). Posting a live pair returns 409.',
    remove: 'Hides the pair. Posting it again restores it.',
  },
  sets: {
    create:
      'Send references as relationships or as the attributes `genre_id`, `year_id`, `brand_id`, `manufacturer_id` and `parent_id`. Without a `status`, the set is a draft.',
    update:
      'Publishing shows the set, its cards and everything attached to them, and unpublishing hides them. Both take effect with the next request. A set can’t be its own ancestor (422).',
    remove:
      'Deletes the set and its cards. `force=true` removes them permanently. Returns 409 while live child sets exist.',
  },
  cards: {
    create:
      '`data.id` may be your own UUID. If it is taken, even by a deleted card, the response is 409 and nothing is overwritten. The service generates the name.',
    remove: 'Hides the card. Its id stays taken.',
  },
  'object-attributes': {
    create: 'An object has one value per attribute. A second one returns 409.',
    remove: 'The object can then get another value of the attribute.',
  },
  set_sources: { remove: 'The set stays as it is.' },
  card_images: {
    update: 'Another image of that type gives up its place, and its files are removed.',
    remove: 'Also removes its files.',
  },
  identifiers: {
    create: 'Source, value and type of record must be unique together. Otherwise the response is 409.',
    remove: 'Another record can then have the source and value.',
  },
}

/** The description of an action on a resource. */
export const describeAction = ({ type }: Resource, action: 'retrieve' | keyof Notes): string =>
  [general[action], action === 'retrieve' ? undefined : notes[type]?.[action]].filter(Boolean).join(' ')

const general = {
  retrieve: 'Returns 404 if the record is deleted or hidden from you.',
  create: 'Read-only members are accepted and ignored. `Location` has the new record’s URL.',
  update: 'Changes only what the document names. Read-only members are accepted and ignored.',
  remove: '',
}
