import type { KeptFile } from '../../files/store.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { type ImageType, imageTypes, variantBoxes } from '../model/image-formats.ts'
import { setUpright } from './exif.ts'
import type { NoPicture, Picture } from './picture/picture.ts'
import { readPicture } from './picture/read-picture.ts'
import { sniffImage } from './sniff.ts'

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

/**
 * Reads an image and makes its variants. 422 at the pointer if it isn't a complete JPEG, PNG or WebP, moves, or is too large.
 */
export const readImage = async (bytes: Uint8Array, pointer: string): Promise<ReadImage> => {
  const contentType = sniffImage(bytes)
  if (!contentType) throw refused(pointer, `Must be an image: ${imageTypes.join(', ')}.`)
  const picture = readPicture(bytes, contentType)
  if (typeof picture === 'string') throw refused(pointer, reasons[picture])
  try {
    return await inTurn(async () => decode(await upright(picture, contentType), contentType, pointer))
  } catch (error) {
    throw refusalOf(error, pointer)
  }
}

const reasons = {
  damaged: 'The image is damaged or cut off.',
  animated: 'Must be a still picture. This is an animated WebP.',
} as const satisfies Record<NoPicture, string>

const refused = (pointer: string, detail: string) => validationFailed([{ pointer, detail }])

const refusalOf = (error: unknown, pointer: string) => {
  const { code } = error as { code?: string }
  if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') return refused(pointer, `Must have at most ${pixelLimit} pixels.`)
  return code?.startsWith('ERR_IMAGE_') ? refused(pointer, reasons.damaged) : error
}

/**
 * The picture's file as it is looked at. A PNG or WebP that was held otherwise is turned: not every program asks for the
 * orientation of these. A PNG and a lossless WebP lose nothing by it.
 */
const upright = async ({ bytes, orientation, isLossless }: Picture, contentType: ImageType): Promise<Uint8Array> => {
  if (orientation === undefined) return bytes
  const turned = setUpright(new Bun.Image(bytes, { maxPixels: pixelLimit }), orientation)
  if (contentType === 'image/png') return turned.png().bytes()
  return turned.webp(isLossless ? { lossless: true } : { quality: 95 }).bytes()
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
