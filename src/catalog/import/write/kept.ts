import { listColumns } from '../../model/record-columns.ts'
import type { Restated } from '../../write/history/curated.ts'
import { cardFields, entityFields, type Fields, setFields } from '../../write/history/fields.ts'
import type {
  CardRecord,
  CardState,
  Curated,
  EntityRecord,
  EntityState,
  SetRecord,
  SetState,
} from '../../write/record.ts'
import { referredTypes } from './reference-names.ts'

/** What a PATCH of a record says to take the file's word for a field. */
type KeptChange = { attributes?: Fields; relationships?: Record<string, { data: unknown }> }

/** A field that an import left as somebody had changed it: what is stored, what the file says, and the change that takes it, if there is one. */
export type KeptField = { field: string; kept: unknown; said: unknown; change: KeptChange | null }

/** What became of the curated fields of a record: those that stay, and what is stored of the file's word. */
export type Word = { kept: KeptField[]; restated: Restated[] }

/** Which fields of a record a file says something of. */
export type Says = (field: string) => boolean

/** The word on a record of which nothing is curated. */
export const noWord = (): Word => ({ kept: [], restated: [] })

type Kind<R, S> = {
  fieldsOf: (state: R | S) => Fields
  keep: (before: R, after: S, field: string) => S
  changeOf: (field: string, said: unknown) => KeptChange | null
}

/**
 * What an import makes of a record, less the fields that somebody changed since an import last said something of it
 * (decisions.md §14). A record that a person deleted stays deleted, with all of it.
 */
const keepWord =
  <R extends S & { id: string; deleted: boolean }, S extends { deleted: boolean }>({
    fieldsOf,
    keep,
    changeOf,
  }: Kind<R, S>) =>
  (before: R, after: S, curated: Curated | undefined, says: Says): { after: S; word: Word } => {
    const word = noWord()
    if (!curated) return { after, word }
    if (curated.has('deleted') && before.deleted && !after.deleted)
      return { after: before, word: { kept: [stillDeleted], restated: [] } }
    const [stored, wanted] = [fieldsOf(before), fieldsOf(after)]
    let state = after
    for (const [field, said] of curated) {
      if (field === 'deleted' || !says(field)) continue
      if (Bun.deepEquals(stored[field], wanted[field])) {
        word.restated.push({ id: before.id, field, said: undefined })
        continue
      }
      state = keep(before, state, field)
      word.kept.push({ field, kept: stored[field], said: wanted[field], change: changeOf(field, wanted[field]) })
      if (!Bun.deepEquals(said, wanted[field])) word.restated.push({ id: before.id, field, said: wanted[field] })
    }
    return { after: state, word }
  }

const stillDeleted: KeptField = { field: 'deleted', kept: true, said: false, change: null }

/** A field that documents show under its own name. */
const attribute = (field: string, said: unknown): KeptChange => ({
  attributes: { [field]: listColumns.has(field) ? (said ? String(said).split('\n') : []) : said },
})

const toOne = (name: string, type: string, id: unknown): KeptChange => ({
  relationships: { [name]: { data: id ? { type, id } : null } },
})

/** A field that refers to a record, and how documents call that; a parent is of the record's own type. */
const reference = (field: string, said: unknown, own: string) => {
  const type = referredTypes(own)[field]
  return type ? toOne(field.replace(/_id$/, ''), type, said) : undefined
}

/** A card, less its curated fields. */
export const keepCard = keepWord<CardRecord, CardState>({
  fieldsOf: cardFields,
  keep: (before, after, field) =>
    field === 'oncard'
      ? { ...after, entries: before.entries }
      : field === 'attributes'
        ? { ...after, attributeIds: before.attributeIds }
        : { ...after, [field]: before[field as keyof CardState] },
  changeOf: (field, said) => {
    if (field === 'oncard') return { relationships: { oncard: { data: said } } }
    if (field === 'attributes')
      return {
        relationships: { card_attributes: { data: (said as string[]).map((id) => ({ type: 'attributes', id })) } },
      }
    return reference(field, said, 'cards') ?? attribute(field, said)
  },
})

/** A set, less its curated fields. */
export const keepSet = keepWord<SetRecord, SetState>({
  fieldsOf: setFields,
  keep: (before, after, field) => ({ ...after, [field]: before[field as keyof SetState] }),
  // To publish is more than to change a field: it has a page of its own.
  changeOf: (field, said) => (field === 'status' ? null : (reference(field, said, 'sets') ?? attribute(field, said))),
})

/** An entity, less its curated fields; the parts of a player's name belong together. */
export const keepEntity = keepWord<EntityRecord, EntityState>({
  fieldsOf: entityFields,
  keep: (before, after, field) => ({
    ...after,
    columns: { ...after.columns, [field]: before.columns[field] ?? null },
  }),
  changeOf: attribute,
})
