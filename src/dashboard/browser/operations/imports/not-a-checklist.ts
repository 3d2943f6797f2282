/** Files mistaken for checklists: how their first bytes look in hexadecimal, and what they are. */
const beginnings: [RegExp, string][] = [
  [/^ffd8ff/, 'a picture (JPEG)'],
  [/^89504e47/, 'a picture (PNG)'],
  [/^47494638/, 'a picture (GIF)'],
  [/^52494646.{8}57454250/, 'a picture (WebP)'],
  [/^.{8}66747970/, 'a picture (HEIC, AVIF) or a video'],
  [/^(49492a00|4d4d002a)/, 'a picture (TIFF)'],
  [/^25504446/, 'a PDF'],
  [/^d0cf11e0/, 'an old workbook (.xls), one with a password, or a document'],
]

/** What a file is if its first bytes show that it is no checklist, whatever its name says. Otherwise undefined. */
export const notAChecklist = async (file: File): Promise<string | undefined> => {
  const bytes = new Uint8Array(await file.slice(0, 16).arrayBuffer())
  const begin = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return beginnings.find(([form]) => form.test(begin))?.[1]
}
