import type { Context } from '../../context.ts'
import type { Call, Reply } from '../../http/route.ts'
import { sendSigned } from '../../http/signed-file.ts'
import { imageStore } from '../images/store.ts'
import { fetchImage } from '../sync/mirror/image.ts'

/** Addresses are signed for whoever may see the image then: readers of drafts, or everyone. */
const address = { kind: 'images', bounds: [[1], [2]], advice: 'read the card image again.' } as const

/**
 * A file of an image, for whoever has its signed address: 404 once the image is deleted, or hidden from those whom the
 * address was made for. A mirror fetches the files of an image with the first request for one.
 */
export const downloadImage = (context: Context, call: Call): Promise<Reply> =>
  sendSigned(context, call, address, async ({ id, name, seconds, bound: [audience = 2] }) => {
    const { config, db } = context
    const [image] = await db.sql<{ content_type: string }[]>`
      select content_type from card_images where id = ${id} and audience >= ${audience}`
    const serve = () => imageStore(config).serve(id, name, seconds)
    const file = image && ((await serve()) ?? ((await fetchImage(context, id)) ? await serve() : undefined))
    if (!file) return undefined
    return {
      file,
      mediaType: name === 'original' ? image.content_type : 'image/webp',
      etag: `${id}-${name}`,
      headers: { 'Content-Security-Policy': "default-src 'none'; sandbox" },
    }
  })
