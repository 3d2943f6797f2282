/**
 * Arrays as the text that PostgreSQL reads, for statements with thousands of values. The driver's own way, element by element,
 * costs more than the statement itself.
 */
export const arrayOf = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`

/** The same for texts of any content. `arrayOf` is for ids and numbers, which need no escaping. */
export const arrayOfTexts = (texts: readonly (string | null)[]): string =>
  `{${texts.map((text) => (text === null ? 'NULL' : quote(text))).join(',')}}`

const special = /["\\]/
const quote = (text: string) => (special.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`)
