import type { Fields } from '../../../write/history/fields.ts'

/** The fields of a new record, without the empty ones. */
export const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  )
