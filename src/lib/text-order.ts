/** Compares texts by their UTF-8 bytes, as PostgreSQL's collation "C" does. */
export const compareBytes = (a: string, b: string) =>
  isAscii(a) && isAscii(b) ? (a < b ? -1 : a > b ? 1 : 0) : Buffer.compare(Buffer.from(a), Buffer.from(b))

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins at NUL
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text)
