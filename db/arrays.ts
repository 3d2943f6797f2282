/**
 * Arrays as the text that PostgreSQL reads, for statements that take thousands of values: the driver's own way of
 * writing an array, element by element, costs more than the statement.
 */
export const arrayOf = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`

/** The same for texts of any content; ids and numbers, which hold nothing to escape, go by `arrayOf`. */
export const arrayOfTexts = (texts: readonly (string | null)[]): string =>
  `{${texts.map((text) => (text === null ? 'NULL' : quote(text))).join(',')}}`

const special = /["\\]/
const quote = (text: string) => (special.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`)
