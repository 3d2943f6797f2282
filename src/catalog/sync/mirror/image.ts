import { findMirror } from '../../../access/mirror.ts'
import type { Context } from '../../../context.ts'
import { unavailable } from '../../../jsonapi/errors.ts'
import { imageStore } from '../../images/store.ts'
import { fileNames, type ImageFile } from '../../images/variants.ts'
import { sourceOf } from './mirroring.ts'
import { objectOf, readText, readWhole, Unreadable } from './record.ts'
import { type Source, SourceFault } from './source.ts'

type Parts = Pick<Context, 'db' | 'config' | 'log'>

const underWay = new WeakMap<Parts['db'], Map<string, Promise<boolean>>>()

/**
 * Fetches an image's files from the mirror's source, once, and keeps them. Returns whether they are here now. They aren't if this isn't a
 * mirror or the source has no such image. Throws 503 if the source doesn't answer.
 */
export const fetchImage = (parts: Parts, id: string): Promise<boolean> => {
  const here = underWay.getOrInsertComputed(parts.db.shared, () => new Map<string, Promise<boolean>>())
  return here.getOrInsertComputed(id, () => fetchFiles(parts, id).finally(() => here.delete(id)))
}

const fetchFiles = async ({ db, config, log }: Parts, id: string): Promise<boolean> => {
  if (!(await findMirror(db))) return false
  const source = sourceOf(db)
  if (!source) throw unavailable('The image has not been copied yet, and this process does not follow the source.')
  const store = imageStore(config)
  try {
    const files = await readFiles(source, id)
    if (!(await store.serve(id, 'original', 1))) await store.save(id, files).catch(unlessThere)
    return true
  } catch (error) {
    if (error instanceof SourceFault && error.status === 404) return false
    if (!(error instanceof SourceFault || error instanceof Unreadable)) throw error
    log.warn('mirror_image_missing', { id, message: error.message })
    throw unavailable("The image has not been copied yet, and this mirror's source can't provide it now.")
  }
}

const deadlineMilliseconds = 20_000
const mostBytes = 64 * 1024 * 1024

const readFiles = async (source: Source, id: string): Promise<ImageFile[]> => {
  const signal = AbortSignal.timeout(deadlineMilliseconds)
  const { data } = await source.read(`/v2/card-images/${id}`, signal)
  const given = objectOf(objectOf(data, 'data').attributes, 'attributes')
  const variants = Array.isArray(given.variants) ? given.variants : []
  const original = { ...given, name: 'original', url: given.download_url }
  return Promise.all(
    [original, ...variants].map(async (one): Promise<ImageFile> => {
      const file = objectOf(one, 'a file')
      const name = fileNames.find((one) => one === file.name)
      if (!name) throw new Unreadable('the name of an image file')
      const bytes = await readBytes(await source.open(readText(file, 'url'), signal))
      if (name === 'original' && bytes.byteLength !== readWhole(given, 'bytes')) throw new Unreadable('an image file')
      return {
        ...{ name, bytes, width: readWhole(file, 'width'), height: readWhole(file, 'height') },
        contentType: name === 'original' ? readText(given, 'content_type') : 'image/webp',
      }
    }),
  )
}

const readBytes = async (response: Response): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.byteLength
    if (size > mostBytes) throw new Unreadable('an image file that is too large')
    pieces.push(piece as Uint8Array)
  }
  return Buffer.concat(pieces)
}

/** Ignores the error if another process was faster. */
const unlessThere = (error: Error & { code?: string }) => {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
}
