/** Compares texts by code point, as the database does. */
export const compareTexts = (a: string, b: string): number => {
  if (a === b) return 0
  // Without surrogates, code units sort like code points.
  if (!surrogate.test(a) && !surrogate.test(b)) return a < b ? -1 : 1
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const surrogate = /[\ud800-\udfff]/
