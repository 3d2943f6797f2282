import { columnNames } from './record-columns.ts'

/** The kinds of records that others can be attached to. */
export type ObjectKind = 'card' | 'set' | 'player' | 'team' | 'brand' | 'manufacturer' | 'genre' | 'year'

/** How records of a type are attached to others. */
type Attachment = {
  /** The column with the id of the owner. */
  owner: string
  /** The possible kinds of owners. If there are several, the column `object_type` has the kind or the resource type, as `says` tells. */
  kinds: readonly ObjectKind[]
  says?: 'kind' | 'type'
  /** How a report names the record, as an expression on its row. */
  label: string
  /** The columns that must be unique among live records, and the detail of the 409 for a second one. */
  place?: readonly string[]
  taken?: (content: Record<string, unknown>) => string
  /** What a new record has in columns that nobody named. */
  defaults?: Record<string, string>
  /** The reason a report gives if such a record of an export wasn't imported. */
  leftOut?: string
}

const declared = {
  'object-attributes': {
    owner: 'object_id',
    kinds: ['card', 'set', 'player', 'team'],
    says: 'kind',
    label: 'attribute_value',
    place: ['object_id', 'attribute_id', 'object_type'],
    taken: () => 'The object already has a value for this attribute.',
    leftOut: 'There is no such attribute, or the object already has a value for it.',
  },
  card_images: { owner: 'card_id', kinds: ['card'], label: 'id::text', defaults: { image_type: 'front' } },
  set_sources: { owner: 'set_id', kinds: ['set'], label: 'source_url', defaults: { source_type: 'checklist' } },
  identifiers: {
    owner: 'object_id',
    kinds: ['card', 'set', 'player', 'team', 'brand', 'manufacturer', 'genre', 'year'],
    says: 'type',
    label: `source || ' ' || value`,
    place: ['value', 'source', 'object_type'],
    taken: ({ source, value, object_type }) =>
      `One of the ${object_type} already has the identifier ${value} of ${source}.`,
    leftOut: 'Another record has this identifier.',
  },
} as const satisfies Record<string, Attachment>

/** A type whose records are attached to others. They are visible to everyone who sees their owner. */
export type AttachedType = keyof typeof declared

/** The types that JSON:API documents create. Images are uploaded instead. */
export type ByDocument = Exclude<AttachedType, 'card_images'>

/**
 * Every type whose records are attached to others, in the order they are written. This table drives how they are counted, shown and hidden
 * with their owners, locked, moved by merges, restored, exported and mirrored.
 */
export const attachments: Record<AttachedType, Attachment> = declared
export const attachedTypes = Object.keys(declared) as AttachedType[]
export const typesByDocument = attachedTypes.filter((type): type is ByDocument => type !== 'card_images')

/** The columns of an attached type. */
export const columnsOf = (type: AttachedType): string[] => columnNames(type)

/** The resource type of a kind of owner. */
export const typeOfKind = (kind: string): string => `${kind}s`

/** The expression for the kind of the owner. */
export const kindIn = (type: AttachedType): string => {
  const { kinds, says } = attachments[type]
  if (!says) return `'${kinds[0]}'`
  return says === 'kind' ? 'object_type' : 'left(object_type, -1)'
}

/** The columns of `Attached` to select: the owner, its kind, and what the record is counted by. */
export const ownerIn = (type: AttachedType): string => {
  const names = columnsOf(type)
  return [
    `${kindIn(type)} as kind, ${attachments[type].owner} as owner`,
    ...(names.includes('attribute_id') ? ['attribute_id as "attributeId"'] : []),
    ...(names.includes('source') ? ['source'] : []),
  ].join(', ')
}

/** The types that can be attached to a resource type, each with the `object_type` to look for, if it has that column. */
export const attachableTo = (type: string): [type: AttachedType, says: string | undefined][] =>
  attachedTypes.flatMap((attached): [AttachedType, string | undefined][] => {
    const { kinds, says } = attachments[attached]
    const kind = kinds.find((one) => typeOfKind(one) === type)
    return kind ? [[attached, says && (says === 'kind' ? kind : type)]] : []
  })
