import { type AttachedType, attachments, type ByDocument, typesByDocument } from '../../model/attached.ts'
import { columnOf, listColumns, type RecordColumn, recordColumns } from '../../model/record-columns.ts'
import { referenceTable } from '../../model/set-references.ts'
import type { CardImage } from '../../write/attached/card-images.ts'
import type { MirroredAttached } from '../../write/attached/mirror.ts'
import { ownerOf } from '../../write/attached/owners.ts'
import { entityTables } from '../../write/entity/tables.ts'
import type { CardState, Columns, EntityType, Pair, SetState } from '../../write/record.ts'
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

/** The columns to store for a plain entity. */
export const entityColumns = (type: EntityType, { attributes }: SourceRecord): Columns =>
  Object.fromEntries(
    entityTables[type].columns.map((name) => [
      name,
      listColumns.has(name) ? readList(attributes, name) : readNullable(attributes, name),
    ]),
  )

/** The player and the team of a player-team. */
export const pairOf = ({ id, attributes }: SourceRecord): Pair & { id: string } => ({
  id,
  playerId: readId(attributes.player_id),
  teamId: readId(attributes.team_id),
})

/** The state to store for a set. It is published, since nothing else is mirrored. */
export const setState = (record: SourceRecord): SetState => {
  const references = referenceTable.map(([name, column]) => [column, readOne(record, name)?.id])
  const given = { ...record.attributes, ...Object.fromEntries(references) }
  return { ...(stateOf('sets', given) as Omit<SetState, 'deleted'>), status: 'published', deleted: false }
}

/** A set's place in the order of sets. */
export const placeOf = ({ meta }: SourceRecord): number => readWhole(meta, 'place')

/** The state to store for a card. */
export const cardState = (record: SourceRecord): CardState => {
  const given = { ...record.attributes, set_id: readOne(record, 'set')?.id, parent_id: readOne(record, 'parent')?.id }
  return {
    ...(stateOf('cards', given) as Omit<CardState, 'entries' | 'attributeIds' | 'deleted'>),
    entries: readMany(record, 'oncard') as CardState['entries'],
    attributeIds: readMany(record, 'card_attributes').map(({ id }) => id),
    deleted: false,
  }
}

/** The state to store for an attached record whose columns have its owner. */
const byColumns =
  (type: ByDocument): StateOf =>
  (record) => {
    const columns = columnsOf(type, record.attributes) as Columns
    const [attributeId, source] = [columns.attribute_id ?? undefined, columns.source ?? undefined]
    return { ...own(record), columns, owner: ownerOf(type, columns), attributeId, source }
  }

type StateOf = (record: SourceRecord) => MirroredAttached

/** The states to store for each type of attached record. */
export const attached: Record<AttachedType, StateOf> = {
  ...(Object.fromEntries(typesByDocument.map((type) => [type, byColumns(type)])) as Record<ByDocument, StateOf>),
  card_images: (record) => {
    const cardId = required(readOne(record, 'card')).id
    const variants = JSON.stringify(variantsOf(record.attributes.variants))
    const columns = columnsOf('card_images', { ...record.attributes, card_id: cardId, variants })
    return { ...own(record), columns, owner: { kind: 'card', id: cardId } }
  },
}

/** Whether records of a type are attached to others. */
export const isAttached = (type: string): type is AttachedType => type in attached

const own = ({ id, createdAt, updatedAt }: SourceRecord) => ({ id, createdAt, updatedAt })

/** The columns of a record, read from members of the same names. An older version at the source lacks some of them. */
const columnsOf = (type: AttachedType, given: Record<string, unknown>) =>
  Object.fromEntries(
    recordColumns[type].map((column) => {
      const value = readColumn({ ...attachments[type].defaults, ...given }, column)
      if (column.values && !column.values.includes(String(value))) throw new Unreadable(`the member ${column.name}`)
      return [column.name, value]
    }),
  )

/** The same for a card or a set. The database checks the kind of a set. */
const stateOf = (type: 'cards' | 'sets', given: Record<string, unknown>) =>
  Object.fromEntries(recordColumns[type].map((column) => [column.name, readColumn(given, column)]))

const readColumn = (given: Record<string, unknown>, { name, sqlType, isRequired }: RecordColumn) => {
  if (!isRequired && (given[name] ?? null) === null) return null
  if (listColumns.has(name)) return readList(given, name)
  if (sqlType === 'uuid') return readId(given[name])
  if (sqlType === 'integer') return readWhole(given, name)
  return readText(given, name)
}

/** A list of single-line texts, as its column stores it. An older source may not have the member. */
const readList = (given: Record<string, unknown>, name: string) => {
  const list = given[name] ?? []
  if (!Array.isArray(list)) throw new Unreadable(`the member ${name}`)
  const lines = list.map((line) => readText({ [name]: line }, name))
  if (lines.some((line) => /[\r\n]/.test(line))) throw new Unreadable(`the member ${name}`)
  return columnOf(lines)
}

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

/** Reads all of a record to check that it can be read. Throws Unreadable. */
export const requireReadable = (record: SourceRecord) => {
  const { type } = record
  if (type === 'cards') cardState(record)
  else if (type === 'sets') setState(record) && placeOf(record)
  else if (isAttached(type)) attached[type](record)
  else if (type !== 'playerteams') entityColumns(type as EntityType, record)
}

/** The records that must be here before this one can be stored. */
export const referencesOf = (record: SourceRecord): Reference[] => {
  const { type } = record
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
  if (isAttached(type)) {
    const { owner, attributeId } = attached[type](record)
    return [...(attributeId ? [{ type: 'attributes', id: attributeId }] : []), { type: `${owner.kind}s`, id: owner.id }]
  }
  return []
}
