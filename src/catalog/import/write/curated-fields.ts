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

/** The body of a PATCH that sets a field to the file's value. */
type KeptChange = { attributes?: Fields; relationships?: Record<string, { data: unknown }> }

/** A field that somebody changed and the import kept: the stored value, the file's value, and the change that applies it, if any. */
export type KeptField = { field: string; kept: unknown; said: unknown; change: KeptChange | null }

/** What happens to a record's curated fields: those that stay, and the file's values to remember for them. */
export type FieldOutcome = { kept: KeptField[]; restated: Restated[] }

/** Whether a file has a value for a field. */
export type Says = (field: string) => boolean

/** For a record without curated fields. */
export const noOutcome = (): FieldOutcome => ({ kept: [], restated: [] })

type Kind<R, S> = {
  fieldsOf: (state: R | S) => Fields
  keep: (before: R, after: S, field: string) => S
  changeOf: (field: string, said: unknown) => KeptChange | null
}

/**
 * A record as an import would write it, except that fields somebody changed after the last import that set them are kept
 * (decisions.md §14). A record that a person deleted stays deleted and isn't changed.
 */
const keepWord =
  <R extends S & { id: string; deleted: boolean }, S extends { deleted: boolean }>({
    fieldsOf,
    keep,
    changeOf,
  }: Kind<R, S>) =>
  (before: R, after: S, curated: Curated | undefined, says: Says): { after: S; word: FieldOutcome } => {
    const word = noOutcome()
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

/** A record that a person deleted stays deleted. */
export const stillDeleted: KeptField = { field: 'deleted', kept: true, said: false, change: null }

/** A field that is an attribute of the same name in JSON:API documents. */
const attribute = (field: string, said: unknown): KeptChange => ({
  attributes: { [field]: listColumns.has(field) ? (said ? String(said).split('\n') : []) : said },
})

const toOne = (name: string, type: string, id: unknown): KeptChange => ({
  relationships: { [name]: { data: id ? { type, id } : null } },
})

/** A field that is a relationship in JSON:API documents. A parent has the record's own type. */
const reference = (field: string, said: unknown, own: string) => {
  const type = referredTypes(own)[field]
  return type ? toOne(field.replace(/_id$/, ''), type, said) : undefined
}

/** Keeps a card's curated fields. */
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

/** Keeps a set's curated fields. */
export const keepSet = keepWord<SetRecord, SetState>({
  fieldsOf: setFields,
  keep: (before, after, field) => ({ ...after, [field]: before[field as keyof SetState] }),
  // Publishing is more than changing a field, and has its own page.
  changeOf: (field, said) => (field === 'status' ? null : (reference(field, said, 'sets') ?? attribute(field, said))),
})

/** Keeps an entity's curated fields. */
export const keepEntity = keepWord<EntityRecord, EntityState>({
  fieldsOf: entityFields,
  keep: (before, after, field) => ({
    ...after,
    columns: { ...after.columns, [field]: before.columns[field] ?? null },
  }),
  changeOf: attribute,
})
