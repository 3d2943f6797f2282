import type { Database } from '../../../db/client.ts'
import { actOf, levelOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import type { Call, Reply } from '../../http/route.ts'
import { unavailable } from '../../jsonapi/errors.ts'
import type { Log } from '../../lib/log.ts'
import { storageFaultOf } from '../../lib/storage-fault.ts'
import type { ImageSide } from '../model/image-formats.ts'
import { resourceOf } from '../model/index.ts'
import { findMerged } from '../show/merged.ts'
import { findRow } from '../show/rows.ts'
import { type CardSource, createCardImage, noSuchCard } from '../write/attached/card-images.ts'
import type { Writer } from '../write/record.ts'
import { enter } from '../write/write-transaction.ts'
import { abandonUpload, filesLeft, noteUpload, settleUpload } from './orphan-files.ts'
import { imageStore } from './store.ts'
import { type ReadImage, readImage } from './variants.ts'

/** An uploaded image: its bytes, the pointer to them in the body, its type, and its card with the place that named it. */
export type Upload = {
  bytes: Uint8Array
  pointer: string
  imageType: ImageSide
  cardId: string
  cardSource: CardSource
}

/**
 * Stores an uploaded image, creates its record and answers. The image is read and its files are saved before the transaction
 * begins. If that fails, they are removed.
 */
export const keepUpload = (
  context: Context,
  call: Call,
  upload: Upload,
  answer: (context: Context, id: string) => Promise<Reply>,
): Promise<Reply> => keep(context, { level: levelOf(call.caller), ...actOf(call) }, upload, call.commit, answer)

/** The same for any writer, without a request. Returns the id. */
export const keepImage = (context: Context, writer: Writer, upload: Upload): Promise<string> =>
  keep(
    context,
    writer,
    upload,
    (own, work) => work(own),
    async (_, id) => id,
  )

const keep = async <T>(
  context: Context,
  writer: Writer,
  upload: Upload,
  commit: (context: Context, work: (context: Context) => Promise<T>) => Promise<T>,
  answer: (context: Context, id: string) => Promise<T>,
): Promise<T> => {
  const { db, config, log } = context
  const { cardSource } = upload
  const cardId = await findCard(db, upload.cardId, writer.level)
  if (!cardId) throw noSuchCard(cardSource)
  const read = await readImage(upload.bytes, upload.pointer)
  const id = Bun.randomUUIDv7()
  const store = imageStore(config)
  await noteUpload(db, id, writer.now)
  try {
    await store.save(id, [read.original, ...read.variants]).catch(storeFailed(log))
    return await commit(context, async (own) => {
      await enter(own.db, async (tx) => {
        await createCardImage(tx, id, { cardId, imageType: upload.imageType, ...rowOf(read) }, cardSource, writer)
        await settleUpload(tx, id)
      })
      return answer(own, id)
    })
  } catch (error) {
    await abandonUpload(db, store, id, writer.now).catch(filesLeft(log))
    throw error
  }
}

/** The id of the card, or of the one that it was merged into. Undefined if that is hidden at this level. */
const findCard = async (db: Database, id: string, level: number): Promise<string | undefined> => {
  if (await findRow(db, resourceOf('cards'), id, level)) return id
  const into = (await findMerged(db, [id], level)).get(id)
  return into?.type === 'cards' ? into.id : undefined
}

/** A bucket that doesn't answer becomes a 503, and the log says why. A full disk is refused the same way as everywhere. */
const storeFailed = (log: Log) => (error: Error & { code?: string }) => {
  if (storageFaultOf(error)) throw error
  log.error('image_store_failed', { code: error.code, message: error.message })
  throw unavailable('The image store is not accepting files right now. Try again in a moment.')
}

const rowOf = ({ original, variants }: ReadImage) => ({
  contentType: original.contentType,
  width: original.width,
  height: original.height,
  bytes: original.bytes.byteLength,
  variants: variants.map(({ name, width, height }) => ({ name, width, height })),
})
