/** Whether a text has what no database text can hold or no UTF-8 can carry: NUL or a lone surrogate. */
export const isUnstorable = (value: string) => value.includes('\u0000') || !value.isWellFormed()

/** Whether a text has control characters, line breaks included, which no single-line text may have. */
export const holdsControl = (value: string) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)

/** Whether a value of JSON has such a text anywhere in it, as a name or a value. */
export const holdsUnstorable = (value: unknown): boolean => {
  if (typeof value === 'string') return isUnstorable(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => isUnstorable(name) || holdsUnstorable(member))
}

/** A value of JSON as a database can hold it: what cannot be stored of its texts is U+FFFD. */
export const storable = <T>(value: T): T => {
  if (typeof value === 'string') return value.replaceAll('\u0000', '\uFFFD').toWellFormed() as T
  if (typeof value !== 'object' || value === null || !holdsUnstorable(value)) return value
  if (Array.isArray(value)) return value.map(storable) as T
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storable(name), storable(member)])) as T
}

/** The characters of a text as people count them: code points. */
export const characters = (value: string) => {
  let count = 0
  for (const _ of value) count++
  return count
}
