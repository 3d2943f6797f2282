import type { KeptFile } from '../../files/store.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { imageTypes, variantBoxes } from '../model/image-formats.ts'
import { isWholeJpeg, sniffImage } from './sniff.ts'
import { withoutMetadata } from './without-metadata.ts'

type VariantName = keyof typeof variantBoxes
/** The names of an image's files: the original, and its variants. */
type FileName = 'original' | VariantName
export const fileNames: readonly FileName[] = ['original', 'thumb', 'small', 'large']

export type ImageFile = KeptFile & { name: FileName; width: number; height: number }

/**
 * An image after reading: the original without metadata, with the dimensions that it is shown with, and its variants in WebP.
 */
export type ReadImage = { original: ImageFile; variants: (ImageFile & { name: VariantName })[] }

/** The most pixels of an image (each costs 4 bytes of memory), and the most on its longer side. */
export const pixelLimit = 40_000_000
const sideLimit = 20_000

/** Reads an image and makes its variants. 422 at the pointer if it isn't a complete JPEG, PNG or WebP, or is too large. */
export const readImage = async (bytes: Uint8Array, pointer: string): Promise<ReadImage> => {
  const contentType = sniffImage(bytes)
  if (!contentType) throw refused(pointer, `Must be an image: ${imageTypes.join(', ')}.`)
  if (contentType === 'image/jpeg' && !isWholeJpeg(bytes)) throw refused(pointer, unreadable)
  try {
    return await inTurn(() => decode(withoutMetadata(bytes, contentType), contentType, pointer))
  } catch (error) {
    throw refusalOf(error, pointer)
  }
}

const unreadable = 'The image is damaged or cut off.'

const refused = (pointer: string, detail: string) => validationFailed([{ pointer, detail }])

const refusalOf = (error: unknown, pointer: string) => {
  const { code } = error as { code?: string }
  if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') return refused(pointer, `Must have at most ${pixelLimit} pixels.`)
  return code?.startsWith('ERR_IMAGE_') ? refused(pointer, unreadable) : error
}

const decode = async (bytes: Uint8Array, contentType: string, pointer: string): Promise<ReadImage> => {
  const { width, height } = await new Bun.Image(bytes, { maxPixels: pixelLimit }).metadata()
  if (Math.max(width, height) > sideLimit) throw refused(pointer, `Must be at most ${sideLimit} pixels on each side.`)
  const reduced = await fit(new Bun.Image(bytes, { maxPixels: pixelLimit }), variantBoxes.large)
    .png({ compressionLevel: 1 })
    .bytes()
  return {
    original: { name: 'original', contentType, width, height, bytes },
    variants: await Promise.all(
      Object.entries(variantBoxes).map(([name, box]) => makeVariant(reduced, name as VariantName, box)),
    ),
  }
}

const makeVariant = async (reduced: Uint8Array, name: VariantName, box: number) => {
  const image = fit(new Bun.Image(reduced), box).webp({ quality: 82 })
  const bytes = await image.bytes()
  return { name, contentType: 'image/webp', width: image.width, height: image.height, bytes }
}

const fit = (image: Bun.Image, box: number) => image.resize(box, box, { fit: 'inside', withoutEnlargement: true })

const atOnce = 2
let underWay = 0
const waiting: (() => void)[] = []

/** Two images at a time are in memory as pixels. The others wait. */
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (underWay >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else underWay++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else underWay--
  }
}
