/** Whether a text has what no database text can hold or no UTF-8 can carry: NUL or a lone surrogate. */
export const isUnstorable = (value: string) => value.includes('\u0000') || !value.isWellFormed()

/** The characters of a text as people count them: code points. */
export const characters = (value: string) => {
  let count = 0
  for (const _ of value) count++
  return count
}
