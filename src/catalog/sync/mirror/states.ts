import { referenceTable } from '../../model/set-references.ts'
import type { CardImage } from '../../write/attached/card-images.ts'
import type { MirroredAttached } from '../../write/attached/mirrored.ts'
import type { ObjectKind } from '../../write/attached/owners.ts'
import type { CardState } from '../../write/card/record.ts'
import type { Columns } from '../../write/entity/entities.ts'
import type { Pair } from '../../write/entity/player-teams.ts'
import { type EntityType, entityTables } from '../../write/entity/tables.ts'
import type { SetState } from '../../write/set/record.ts'
import {
  objectOf,
  type Reference,
  readId,
  readMany,
  readNullable,
  readOne,
  readText,
  readWhole,
  type SourceRecord,
  Unreadable,
} from './record.ts'

/** The columns of a plain entity, as the door stores them. */
export const entityColumns = (type: EntityType, { attributes }: SourceRecord): Columns =>
  Object.fromEntries(entityTables[type].columns.map((name) => [name, readNullable(attributes, name)]))

/** The player and the team of a player-team. */
export const pairOf = ({ id, attributes }: SourceRecord): Pair & { id: string } => ({
  id,
  playerId: readId(attributes.player_id),
  teamId: readId(attributes.team_id),
})

/** A set as the door stores it: published, since nothing else is mirrored. */
export const setState = (record: SourceRecord): SetState => ({
  name: readText(record.attributes, 'name'),
  description: readNullable(record.attributes, 'description'),
  status: 'published',
  kind: readText(record.attributes, 'kind') as SetState['kind'],
  releaseDate: readNullable(record.attributes, 'release_date'),
  ...(Object.fromEntries(referenceTable.map(([name, , member]) => [member, readOne(record, name)?.id ?? null])) as Pick<
    SetState,
    'genreId' | 'yearId' | 'brandId' | 'manufacturerId' | 'parentId'
  >),
  deleted: false,
})

/** A set's place in checklist order. */
export const placeOf = ({ meta }: SourceRecord): number => readWhole(meta, 'place')

/** A card as the door stores it. */
export const cardState = (record: SourceRecord): CardState => ({
  setId: required(readOne(record, 'set')).id,
  number: readNullable(record.attributes, 'number'),
  serialNumber: readNullable(record.attributes, 'serial_number'),
  imageUuid: readNullable(record.attributes, 'image_uuid') && readId(record.attributes.image_uuid),
  title: readNullable(record.attributes, 'title'),
  notes: readNullable(record.attributes, 'notes'),
  parentId: readOne(record, 'parent')?.id ?? null,
  entries: readMany(record, 'oncard') as CardState['entries'],
  attributeIds: readMany(record, 'card_attributes').map(({ id }) => id),
  deleted: false,
})

const objectKinds = ['card', 'set', 'player', 'team']

/** What hangs on a card, set, player or team, as the door stores it; `attached` has the types that do. */
export const attached = {
  'object-attributes': (record: SourceRecord): MirroredAttached => {
    const { attributes: given } = record
    const kind = readText(given, 'object_type') as ObjectKind
    if (!objectKinds.includes(kind)) throw new Unreadable('the member object_type')
    const columns = {
      attribute_id: readId(given.attribute_id),
      attribute_value: readText(given, 'attribute_value'),
      object_type: kind,
      object_id: readId(given.object_id),
    }
    return {
      ...own(record, columns),
      owner: { kind, id: columns.object_id },
      attributeId: columns.attribute_id,
    }
  },
  card_images: (record: SourceRecord): MirroredAttached => {
    const { attributes: given } = record
    const cardId = required(readOne(record, 'card')).id
    const columns = {
      card_id: cardId,
      content_type: readText(given, 'content_type'),
      width: readWhole(given, 'width'),
      height: readWhole(given, 'height'),
      bytes: readWhole(given, 'bytes'),
      variants: JSON.stringify(variantsOf(given.variants)),
    }
    return { ...own(record, columns), owner: { kind: 'card', id: cardId } }
  },
  set_sources: (record: SourceRecord): MirroredAttached => {
    const { attributes: given } = record
    const setId = readId(given.set_id)
    const columns = {
      set_id: setId,
      source_url: readText(given, 'source_url'),
      title: readNullable(given, 'title'),
      notes: readNullable(given, 'notes'),
    }
    return { ...own(record, columns), owner: { kind: 'set', id: setId } }
  },
}

const own = <T>({ id, createdAt, updatedAt }: SourceRecord, columns: T) => ({ id, createdAt, updatedAt, columns })

const variantsOf = (value: unknown): CardImage['variants'] => {
  if (!Array.isArray(value)) throw new Unreadable('the member variants')
  return value.map((one) => {
    const variant = objectOf(one, 'a variant')
    return { name: readText(variant, 'name'), width: readWhole(variant, 'width'), height: readWhole(variant, 'height') }
  })
}

const required = (reference: Reference | null): Reference => {
  if (!reference) throw new Unreadable('a relationship that is null')
  return reference
}

/** Reads all of a record, and throws Unreadable where that fails. */
export const requireReadable = (record: SourceRecord) => {
  const { type } = record
  if (type === 'cards') cardState(record)
  else if (type === 'sets') setState(record) && placeOf(record)
  else if (type in attached) attached[type as keyof typeof attached](record)
  else if (type !== 'playerteams') entityColumns(type as EntityType, record)
}

/** What must be here before a record can be. */
export const referencesOf = (record: SourceRecord): Reference[] => {
  const { type, attributes } = record
  if (type === 'sets') return referenceTable.flatMap(([name]) => readOne(record, name) ?? [])
  if (type === 'cards')
    return [
      ...['set', 'parent'].flatMap((name) => readOne(record, name) ?? []),
      ...['oncard', 'card_attributes'].flatMap((name) => readMany(record, name)),
    ]
  if (type === 'playerteams') {
    const { playerId, teamId } = pairOf(record)
    return [
      { type: 'players', id: playerId },
      { type: 'teams', id: teamId },
    ]
  }
  if (type === 'object-attributes')
    return [
      { type: 'attributes', id: readId(attributes.attribute_id) },
      { type: `${readText(attributes, 'object_type')}s`, id: readId(attributes.object_id) },
    ]
  if (type === 'card_images') return [required(readOne(record, 'card'))]
  if (type === 'set_sources') return [{ type: 'sets', id: readId(attributes.set_id) }]
  return []
}
