import type { Context } from '../../../context.ts'
import { unlessKnown } from '../../../http/conditional.ts'
import type { Call, Reply } from '../../../http/route.ts'
import { forbidden, notFound } from '../../../jsonapi/errors.ts'
import { refuseUnknown } from '../../../jsonapi/query.ts'
import { findFile } from './files.ts'
import { contentType } from './naming.ts'
import { readBulkUrl } from './signed-url.ts'
import { bulkStore } from './store.ts'

/**
 * A bulk file, for whoever has its signed address: 403 where that is wrong or has expired, 404 once the file is kept no
 * longer. From S3 it is a redirect. Of a file the server itself sends the range that is asked for (206, or 416 where it has
 * none); its ETag is its SHA-256.
 */
export const downloadBulkFile = async ({ config, db, secret }: Context, call: Call): Promise<Reply> => {
  const { id = '', name = '' } = call.params
  const { searchParams: search } = call.url
  const seconds = readBulkUrl(secret, { id, name, search }, call.now)
  if (!seconds) throw forbidden('The address is not signed, or it has expired: read the list of bulk files again.')
  refuseUnknown(search, ['expires', 'signature'])
  const listed = await findFile(db, id)
  const file = listed && (await bulkStore(config).serve(id, listed.resource, seconds))
  if (!file) throw notFound()
  if (file instanceof URL) return { status: 302, headers: { Location: file.href, 'Cache-Control': 'no-store' } }
  const headers = {
    'Cache-Control': `private, max-age=${Math.floor(seconds)}, immutable`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Accept-Ranges': 'bytes',
    ETag: `"${listed.sha256}"`,
  }
  return unlessKnown(call.request, { status: 200, headers, mediaType: contentType, body: file })
}
