import { columnNames } from './record-columns.ts'

/** What something can be attached to. */
export type ObjectKind = 'card' | 'set' | 'player' | 'team' | 'brand' | 'manufacturer' | 'genre' | 'year'

/** How records of a type are attached to others. */
type Attachment = {
  /** The column with the id of the owner. */
  owner: string
  /** What can be the owner; where there are several kinds, `object_type` says which, as its kind or as its resource type. */
  kinds: readonly ObjectKind[]
  says?: 'kind' | 'type'
  /** What tells one from another in a report, as an expression on its row. */
  label: string
  /** What only one live record has, and the 409 for a second. */
  place?: readonly string[]
  taken?: (content: Record<string, unknown>) => string
  /** Why an export's record was not written. */
  leftOut?: string
}

const declared = {
  'object-attributes': {
    owner: 'object_id',
    kinds: ['card', 'set', 'player', 'team'],
    says: 'kind',
    label: 'attribute_value',
    place: ['object_id', 'attribute_id', 'object_type'],
    taken: () => 'The object has a value of this attribute already.',
    leftOut: 'There is no such attribute, or the object has a value of it already.',
  },
  card_images: { owner: 'card_id', kinds: ['card'], label: 'id::text' },
  set_sources: { owner: 'set_id', kinds: ['set'], label: 'source_url' },
  identifiers: {
    owner: 'object_id',
    kinds: ['card', 'set', 'player', 'team', 'brand', 'manufacturer', 'genre', 'year'],
    says: 'type',
    label: `source || ' ' || value`,
    place: ['value', 'source', 'object_type'],
    taken: ({ source, value, object_type }) =>
      `The identifier ${value} of ${source} is taken: it leads to another of ${object_type}.`,
    leftOut: 'Another record has the identifier.',
  },
} as const satisfies Record<string, Attachment>

/** What is attached to a record is visible to everyone who sees that. */
export type AttachedType = keyof typeof declared

/** What documents attach: a value of an attribute to an object, a source to a set, an identifier to a record. An image comes by an upload. */
export type ByDocument = Exclude<AttachedType, 'card_images'>

/**
 * Every type whose records are attached to others, in the order in which they are written. From here they are counted, shown
 * and hidden with their owners, locked, moved by merges, put back, exported and mirrored.
 */
export const attachments: Record<AttachedType, Attachment> = declared
export const attachedTypes = Object.keys(declared) as AttachedType[]
export const typesByDocument = attachedTypes.filter((type): type is ByDocument => type !== 'card_images')

/** The own columns of what is attached. */
export const columnsOf = (type: AttachedType): string[] => columnNames(type)

/** The resource type of owners of a kind. */
export const typeOfKind = (kind: string): string => `${kind}s`

/** The kind of an owner, as a statement selects it. */
export const kindIn = (type: AttachedType): string => {
  const { kinds, says } = attachments[type]
  if (!says) return `'${kinds[0]}'`
  return says === 'kind' ? 'object_type' : 'left(object_type, -1)'
}

/** Its owner, what it is counted by, and their kind, as a statement selects them (`Attached`). */
export const ownerIn = (type: AttachedType): string => {
  const names = columnsOf(type)
  return [
    `${kindIn(type)} as kind, ${attachments[type].owner} as owner`,
    ...(names.includes('attribute_id') ? ['attribute_id as "attributeId"'] : []),
    ...(names.includes('source') ? ['source'] : []),
  ].join(', ')
}

/** What can be attached to records of a resource type, and what it calls that type where it says so. */
export const attachableTo = (type: string): [type: AttachedType, says: string | undefined][] =>
  attachedTypes.flatMap((attached): [AttachedType, string | undefined][] => {
    const { kinds, says } = attachments[attached]
    const kind = kinds.find((one) => typeOfKind(one) === type)
    return kind ? [[attached, says && (says === 'kind' ? kind : type)]] : []
  })
