import type { ImageType } from '../model/image-formats.ts'

/** The media type of an image by its first bytes, whatever its sender claims. Undefined if uploads don't accept it. */
export const sniffImage = (bytes: Uint8Array): ImageType | undefined => {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (startsWith(bytes, ascii('RIFF')) && startsWith(bytes.subarray(8), ascii('WEBP'))) return 'image/webp'
  return undefined
}

const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0))

const startsWith = (bytes: Uint8Array, mark: number[]) => mark.every((byte, index) => bytes[index] === byte)
