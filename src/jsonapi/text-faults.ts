/** Whether a text contains what the database or UTF-8 can't represent: NUL or a lone surrogate. */
export const isUnstorable = (value: string) => value.includes('\u0000') || !value.isWellFormed()

/** Whether a text has control characters, including line breaks, which a single-line text can't have. */
export const holdsControl = (value: string) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)

/** Whether a JSON value has such a text anywhere, as a name or a value. */
export const holdsUnstorable = (value: unknown): boolean => {
  if (typeof value === 'string') return isUnstorable(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => isUnstorable(name) || holdsUnstorable(member))
}

/** A JSON value that the database can store: characters that it can't store become U+FFFD. */
export const storable = <T>(value: T): T => {
  if (typeof value === 'string') return value.replaceAll('\u0000', '\uFFFD').toWellFormed() as T
  if (typeof value !== 'object' || value === null || !holdsUnstorable(value)) return value
  if (Array.isArray(value)) return value.map(storable) as T
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storable(name), storable(member)])) as T
}

/** The number of characters in a text as people count them: code points. */
export const characters = (value: string) => {
  let count = 0
  for (const _ of value) count++
  return count
}
