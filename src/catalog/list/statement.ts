import { arrayOfTexts } from '../../../db/arrays.ts'

/** The arguments of a statement that is put together from parts; a part names an argument by what `add` answers. */
export type Arguments = { values: unknown[]; add: (value: unknown, type: string) => string }

/** Arguments for a new statement; a list is sent as the text that the database reads, whatever it is of. */
export const newArguments = (): Arguments => {
  const values: unknown[] = []
  return {
    values,
    add: (value, type) => `$${values.push(Array.isArray(value) ? arrayOfTexts(value) : value)}::${type}`,
  }
}

/** Conditions as one: and-ed, true where there is none. */
export const allOf = (conditions: string[]) => (conditions.length > 0 ? conditions.join(' and ') : 'true')
