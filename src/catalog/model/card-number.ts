/** The longest key, in UTF-8 bytes: an index row of PostgreSQL fits it and two ids. */
export const longestNumberKey = 1024

/**
 * The text that sorts cards in checklist order; compare keys byte by byte (collation "C").
 * Digits compare as numbers of any length and without their leading zeros (2 before 10, RC-2 before RC-10, 007 as 7),
 * letters without case and in their compatibility form (full-width digits are digits), everything else by code point.
 * Numbers that do not differ otherwise share a key. A card without a number, or with an empty one, comes last.
 * A key is cut after `longestNumberKey`; a 255-character number in common writing is never that long.
 */
export const numberKey = (number: string | null): string => {
  if (number && isPlain.test(number)) return `0${number.length}${number}`
  const text = number?.trim()
  return text ? cut(`0${folded(text).replace(/[0-9]+/g, digitRun)}`) : '1'
}

/** A number without leading zeros that is a digit run by itself, as most are. */
const isPlain = /^[1-9][0-9]{0,7}$/

const folded = (text: string) => (isAscii(text) ? text.toLowerCase() : text.normalize('NFKC').toLowerCase())

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins at NUL
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text)

/** A run of digits, after its length: 1–8 as one digit, longer ones as 9 and four digits more. */
const digitRun = (run: string) => {
  const digits = run.replace(/^0+(?=.)/, '')
  return digits.length < 9 ? `${digits.length}${digits}` : `9${String(digits.length).padStart(4, '0')}${digits}`
}

const cut = (key: string) => {
  if (key.length * 3 <= longestNumberKey) return key
  const bytes = Buffer.from(key)
  if (bytes.length <= longestNumberKey) return key
  let end = longestNumberKey
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
