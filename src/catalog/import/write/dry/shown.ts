import type { Fields } from '../../../write/history/fields.ts'

/** A new record has no fields to compare: those that are empty go without saying. */
export const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  )
