import type { Context } from '../../context.ts'
import { unlessKnown } from '../../http/conditional.ts'
import type { Call, Reply } from '../../http/route.ts'
import { forbidden, notFound } from '../../jsonapi/errors.ts'
import { refuseUnknown } from '../../jsonapi/query.ts'
import { fetchImage } from '../sync/mirror/image.ts'
import { readImageUrl } from './signed-url.ts'
import { imageStore } from './store.ts'
import type { FileName } from './variants.ts'

/**
 * A file of an image, for whoever has its signed address: 403 where that is wrong or has expired, 404 once the image is
 * deleted or hidden from those whom the address was made for. From S3 it is a redirect.
 * A mirror fetches the files of an image when it is asked for them first. Of a file the server itself sends the range that
 * is asked for (206, or 416 where it has none).
 */
export const downloadImage = async (context: Context, call: Call): Promise<Reply> => {
  const { config, db, secret } = context
  const { id = '', name = '' } = call.params
  const { searchParams } = call.url
  const presented = { id, name, expires: searchParams.get('expires'), signature: searchParams.get('signature') }
  const granted = readImageUrl(secret, presented, call.now)
  if (!granted) throw forbidden('The address is not signed, or it has expired: read the card image again.')
  refuseUnknown(searchParams, ['expires', 'signature'])
  const [image] = await db.sql<{ content_type: string }[]>`
    select content_type from card_images where id = ${id} and audience >= ${granted.audience}`
  const serve = () => imageStore(config).serve(id, name as FileName, granted.seconds)
  const file = image && ((await serve()) ?? ((await fetchImage(context, id)) ? await serve() : undefined))
  if (!file) throw notFound()
  if (file instanceof URL) return { status: 302, headers: { Location: file.href, 'Cache-Control': 'no-store' } }
  const headers = {
    'Cache-Control': `private, max-age=${Math.floor(granted.seconds)}, immutable`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Accept-Ranges': 'bytes',
    ETag: `"${id}-${name}"`,
  }
  const mediaType = name === 'original' ? image.content_type : 'image/webp'
  return unlessKnown(call.request, { status: 200, headers, mediaType, body: file })
}
