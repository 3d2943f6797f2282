/** The bytes of a text that was once read in a wrong encoding, by its letters. */
const bytesIn = (encoding: string) =>
  new Map(
    [...new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map((letter, byte) => [
      letter,
      byte,
    ]),
  )

const windows = bytesIn('windows-1252')
const mac = bytesIn('macintosh')

/** What Windows-1252 has no letter for: LibreOffice writes U+F181 for the byte 81, others U+0081. */
const windowsByte = (letter: string): number | undefined => {
  const code = letter.charCodeAt(0)
  return code >> 8 === 0xf1 ? code & 0xff : code < 0xa0 ? code : windows.get(letter)
}

/** Sequences of UTF-8 as bytes: those that begin Latin letters and signs, alone, and any other two, or one of three or four. */
const sequences =
  /(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){2,}|[\xc2-\xc5][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g

/** The same where Mac Roman was taken for it: there, letters are more often just letters. */
const macSequences =
  /[\xc3-\xc5][\x80-\xbf]|\xe2[\x80-\xbf]{2}|(?:[\xd0\xd1][\x80-\xbf]){2,}|(?:[\xe3-\xe9][\x80-\xbf]{2}){2,}/g

/** How often a text may have been read wrongly. */
const mostTimes = 3

/** UTF-8 that was once, or several times, read as Windows-1252 or Mac Roman, mended: `Ã±` and `√±` are ñ. */
export const mendUtf8 = (text: string): string => {
  let mended = text
  for (let time = 0; time < mostTimes && /[^\0-\x7f]/.test(mended); time++) {
    const inWindows = /[\xc2-\xf4]/.test(mended) ? mend(mended, windowsByte, sequences) : none
    const inMac = /[√ƒ≈‚„‰–—ÂÊÁËÈ]/.test(mended) ? mend(mended, (letter) => mac.get(letter), macSequences) : none
    const best = inMac.count > inWindows.count ? inMac : inWindows
    if (best.count === 0) break
    mended = best.text
  }
  return mended
}

const none = { text: '', count: 0 }

/**
 * The text as it was meant, and how many of its letters were mended. Each letter is a UTF-16 unit, and so is its byte, so that
 * both texts have the same places.
 */
const mend = (text: string, byteOf: (letter: string) => number | undefined, wanted: RegExp) => {
  let bytes = ''
  for (const letter of text.split('')) bytes += letter < '\x80' ? letter : String.fromCharCode(byteOf(letter) ?? 0)
  let [whole, at, count] = ['', 0, 0]
  for (const { 0: found, index } of bytes.matchAll(wanted)) {
    const mended = new TextDecoder().decode(Buffer.from(found, 'latin1'))
    if (mended.includes('\ufffd')) continue
    whole += text.slice(at, index) + mended
    at = index + found.length
    count += found.length
  }
  return { text: whole + text.slice(at), count }
}

/** Whether a text still has letters that no mending restored: some of their bytes are lost. */
export const isBroken = (text: string): boolean => /[^\0-\x7f]/.test(text) && remains.test(text)

const remains = /[\x80-\x9f\uf180-\uf1ff]|\p{Ll}[ÃÂ]|\u00e2\u20ac|[ÃÅÄ][\xa1-\xbf]|\p{L}√/u
