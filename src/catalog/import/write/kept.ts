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

/** A field that an import left as somebody had changed it: what is stored, and what the file says. */
export type KeptField = { field: string; kept: unknown; said: unknown }

/** What became of the curated fields of a record: those that stay, and what is stored of the file's word. */
export type Word = { kept: KeptField[]; restated: Restated[] }

/** Which fields of a record a file says something of. */
export type Says = (field: string) => boolean

export const noWord = (): Word => ({ kept: [], restated: [] })

type Kind<R, S> = { fieldsOf: (state: R | S) => Fields; keep: (before: R, after: S, field: string) => S }

/**
 * What an import makes of a record, less the fields that somebody changed since an import last said something of it
 * (decisions.md §14). A record that a person deleted stays deleted, with all of it.
 */
const keepWord =
  <R extends S & { id: string; deleted: boolean }, S extends { deleted: boolean }>({ fieldsOf, keep }: Kind<R, S>) =>
  (before: R, after: S, curated: Curated | undefined, says: Says): { after: S; word: Word } => {
    const word = noWord()
    if (!curated) return { after, word }
    if (curated.has('deleted') && before.deleted && !after.deleted)
      return { after: before, word: { kept: [{ field: 'deleted', kept: true, said: false }], restated: [] } }
    const [stored, wanted] = [fieldsOf(before), fieldsOf(after)]
    let state = after
    for (const [field, said] of curated) {
      if (field === 'deleted' || !says(field)) continue
      if (Bun.deepEquals(stored[field], wanted[field])) {
        word.restated.push({ id: before.id, field, said: undefined })
        continue
      }
      state = keep(before, state, field)
      word.kept.push({ field, kept: stored[field], said: wanted[field] })
      if (!Bun.deepEquals(said, wanted[field])) word.restated.push({ id: before.id, field, said: wanted[field] })
    }
    return { after: state, word }
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
})

/** A set, less its curated fields. */
export const keepSet = keepWord<SetRecord, SetState>({
  fieldsOf: setFields,
  keep: (before, after, field) => ({ ...after, [field]: before[field as keyof SetState] }),
})

/** An entity, less its curated fields; the parts of a player's name belong together. */
export const keepEntity = keepWord<EntityRecord, EntityState>({
  fieldsOf: entityFields,
  keep: (before, after, field) => ({
    ...after,
    columns: { ...after.columns, [field]: before.columns[field] ?? null },
  }),
})
