/** How what is taken for a checklist by mistake begins, its first bytes as hexadecimal digits, and what it is. */
const beginnings: [RegExp, string][] = [
  [/^ffd8ff/, 'a picture (JPEG)'],
  [/^89504e47/, 'a picture (PNG)'],
  [/^47494638/, 'a picture (GIF)'],
  [/^52494646.{8}57454250/, 'a picture (WebP)'],
  [/^.{8}66747970/, 'a picture (HEIC, AVIF) or a film'],
  [/^(49492a00|4d4d002a)/, 'a picture (TIFF)'],
  [/^25504446/, 'a PDF'],
  [/^d0cf11e0/, 'an old workbook (.xls) or document'],
]

/** What a file is that holds no checklist, by its first bytes, whatever its name says; undefined for all else. */
export const notAChecklist = async (file: File): Promise<string | undefined> => {
  const bytes = new Uint8Array(await file.slice(0, 16).arrayBuffer())
  const begin = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return beginnings.find(([form]) => form.test(begin))?.[1]
}
