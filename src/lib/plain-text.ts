/**
 * A text as one would type it: without invisible characters, with plain spaces and hyphens, and of usual width (decisions.md §19).
 * Names, teams, codes and numbers are stored so.
 */
export const plainText = (text: string): string =>
  isPlain.test(text) ? text : seenText(text).replace(dashes, '-').replace(otherWidth, ofUsualWidth)

/** A text without invisible characters and with plain spaces. Its dashes and width stay, as a title's do. */
export const seenText = (text: string): string =>
  isPlain.test(text) ? text : text.replace(invisible, '').replace(joiners, '').replace(spaces, ' ')

/** The plain text of a name, code or number in a file: also with accents as one letter, and single spaces between words. */
export const plainName = (text: string): string => oneSpaced(plainText(text))

/** The same for a title. */
export const seenTitle = (text: string): string => oneSpaced(seenText(text))

const oneSpaced = (text: string) =>
  (accents.test(text) ? text.normalize('NFC') : text).replace(/ {2,}/g, ' ').replace(/^ | $/g, '')

/** Nearly all texts, which stay as they are. */
const isPlain = /^[\t-\r -~\u00a1-\u00ac\u00ae-\u02ff]*$/

/**
 * The soft hyphen, what directs and joins text, and a byte order mark. In UTF-8 that was read as Windows-1252, a soft hyphen, a no-break
 * space or a dash is the second half of a letter (`Ã` and a soft hyphen are í). It stays there, so that the letter can be mended.
 */
const invisible =
  /(?<![\u00c2-\u00c5])\u00ad|[\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g

/** Joiners are visible in emoji and in scripts whose letters change with them, such as Arabic and Devanagari. */
const joiners =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f[[\p{L}\p{M}]--[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])/gv

/** Also the blanks of Braille and Hangul. */
const spaces = /(?<![\u00c2-\u00c5])\u00a0|[[\p{Zs}\u2800\u115f\u1160\u3164\uffa0]--\u00a0]/gv
const dashes = /(?<![\u00c2-\u00c5])[\u2013\u2014]|[\u2010-\u2012\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d]/g

/** Full-width letters, digits and signs, and half-width Katakana and Hangul. */
const otherWidth = /[\uff01-\uffdc\uffe0-\uffe2\uffe4-\uffe6]+/g
const ofUsualWidth = (text: string) => text.normalize('NFKC')
const accents = /[\u0300-\u036f\u3099\u309a]/
