import type { ImageType } from '../../model/image-formats.ts'
import { readJpeg } from './jpeg.ts'
import type { NoPicture, Picture } from './picture.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

const readers: Record<ImageType, (bytes: Uint8Array) => Picture | NoPicture> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/webp': readWebp,
}

/** The picture in a file of this type, by the file's structure. Whether its pixels can be read, a decoder finds out. */
export const readPicture = (bytes: Uint8Array, type: ImageType): Picture | NoPicture => readers[type](bytes)
