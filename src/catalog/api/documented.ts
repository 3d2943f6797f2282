import type { Answer } from '../../http/route.ts'
import { cursorExample } from '../../jsonapi/cursor-schema.ts'
import { singleDocument } from '../../jsonapi/schema.ts'
import { pageMeta } from '../../jsonapi/serialize.ts'
import { capital } from '../../lib/capital.ts'
import { sayNumber, sizes } from '../../limits.ts'
import { apiOf, type Resource } from '../model/resource.ts'
import { resourcesInV2 } from '../model/v2.ts'

const address = 'https://cards.example.org'
const time = '2026-11-21T12:00:00.000Z'

/** The id of the example of a type: the same wherever the document shows or names it. */
export const exampleId = (type: string) =>
  `0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d${(0x20 + resourcesInV2.findIndex((one) => one.type === type)).toString(16)}`

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
export const cursorPageExample = (resource: Resource, path = `/v2/${resource.path}`) =>
  cursorExample(`${address}${path}`, shownExample(resource), 'q6vKcZ3mS0Wm8mJYb1oXWyJqb3JkYW4iXQ')

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

/** An answer that shows one record. */
export const recordAnswer = (resource: Resource, description: string): Answer => ({
  description,
  schema: singleDocument(resource),
  example: singleExample(resource),
  headers: { ETag: '' },
})

/** The answer to a read whose ETag the caller has. */
export const notModified: Answer = { description: 'Your copy is current.', headers: { ETag: '' } }

/** The records of a resource in words: `object attributes`. */
export const wordsFor = ({ path }: Resource) => path.replaceAll('-', ' ')

/** The part of the documentation that a resource's operations are in. */
export const tagOf = (resource: Resource) => capital(wordsFor(resource))

/** The noun of a resource as operations name it. */
export const title = (resource: Resource) => resource.noun.split(/[ -]/).map(capital).join('')
/** The plural of a resource as operations name it. */
export const plural = (resource: Resource) => resource.path.split('-').map(capital).join('')

/** The noun of a resource with its article. */
export const aNoun = ({ noun }: Resource) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** The suffix of operation ids of /v2, if /v1 has the same operation. */
export const suffix = ({ api }: Resource) => (api ? 'V2' : '')

type Notes = { create?: string; update?: string; remove?: string }

const mostRenamed = sayNumber(sizes.renamedCards.most)
const whileUsed = '409 while a live set uses it.'
const whileBorne = '409 while a live card names it; otherwise it is hidden, and deleted cards keep it.'

/** What a stranger must know of a resource's writes beyond their schemas (decisions.md §4). */
const notes: Record<string, Notes> = {
  attributes: {
    create: 'The code is unique, without regard to case.',
    update: `A new code renames every card that has it; 409 if more than ${mostRenamed} do: use \`cardstock rename\`.`,
    remove: '409 while a live card or object has it.',
  },
  brands: { remove: whileUsed },
  manufacturers: { remove: whileUsed },
  genres: { remove: whileUsed },
  years: { remove: whileUsed },
  teams: {
    update: `A new name renames every card of the team; 409 if there are more than ${mostRenamed}.`,
    remove: whileBorne,
  },
  players: {
    create:
      'Send `first_name` and `last_name`, or `full_name`, which is split: a suffix such as Jr. stays with the last name, and a single word is a last name.',
    update: `A new name renames every card of the player; 409 if there are more than ${mostRenamed}.`,
    remove: whileBorne,
  },
  playerteams: {
    create: 'Posting a deleted pair restores it with its id (201); posting a live pair is a 409.',
    remove: 'Hides it from lists; posting the pair again restores it.',
  },
  sets: {
    create:
      'Send references as relationships or as the attributes `genre_id`, `year_id`, `brand_id`, `manufacturer_id` and `parent_id`. A set is a draft unless `status` says otherwise.',
    update:
      'Publishing shows the set, its cards and everything attached to them, and unpublishing hides them, from the next request on. A set cannot be its own ancestor (422).',
    remove: 'Deletes the set and its cards; `force=true` removes them permanently. 409 while live child sets exist.',
  },
  cards: {
    create:
      '`data.id` may be your own UUID; one that is taken, even by a deleted card, is a 409, and nothing is overwritten. The service generates the name.',
    remove: 'Hides the card; its id stays taken.',
  },
  'object-attributes': { create: 'An object has one value per attribute: a second is a 409.' },
  card_images: { remove: 'Removes its files, too.' },
  identifiers: { create: 'A second one of the same source, value and type of record is a 409.' },
}

/** The description of an action on a resource. */
export const describeAction = ({ type }: Resource, action: 'retrieve' | keyof Notes): string =>
  [general[action], action === 'retrieve' ? undefined : notes[type]?.[action]].filter(Boolean).join(' ')

const general = {
  retrieve: 'A record that is deleted or hidden from you is a 404.',
  create: 'Read-only members are accepted and ignored. The answer has the address of the new record in `Location`.',
  update: 'Changes only what the document names. Read-only members are accepted and ignored.',
  remove: '',
}
