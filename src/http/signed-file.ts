import type { Context } from '../context.ts'
import { readSignedUrl, signedParameters } from '../files/signed-url.ts'
import { forbidden, notFound } from '../jsonapi/errors.ts'
import { refuseUnknown } from '../jsonapi/query.ts'
import { unlessKnown } from './conditional.ts'
import type { Call, Reply } from './route.ts'

/** A file, or the address in a bucket that serves it, with the headers of its own. */
export type Served = { file: Blob | URL; mediaType: string; etag: string; headers?: Record<string, string> }

/**
 * Answers a request for a file at its signed address, without a credential: 403 where that is wrong or has expired, with
 * `advice`, 404 where `find` has no such file (any more). From a bucket it is a redirect; of a file here the server sends
 * the range that the request names (206, or 416 where it has none).
 */
export const sendSigned = async (
  { secret }: Pick<Context, 'secret'>,
  call: Call,
  { kind, bounds, advice }: { kind: 'images' | 'bulk'; bounds?: readonly (readonly number[])[]; advice: string },
  find: (named: { id: string; name: string; seconds: number; bound: readonly number[] }) => Promise<Served | undefined>,
): Promise<Reply> => {
  const { id = '', name = '' } = call.params
  const { searchParams: search } = call.url
  const granted = readSignedUrl(secret, kind, { id, name, search }, call.now, bounds)
  if (!granted) throw forbidden(`The address is not signed, or it has expired: ${advice}`)
  refuseUnknown(search, signedParameters)
  const served = await find({ id, name, ...granted })
  if (!served) throw notFound()
  const { file, mediaType, etag, headers } = served
  if (file instanceof URL) return { status: 302, headers: { Location: file.href, 'Cache-Control': 'no-store' } }
  return unlessKnown(call.request, {
    status: 200,
    headers: {
      'Cache-Control': `private, max-age=${Math.floor(granted.seconds)}, immutable`,
      ...headers,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Accept-Ranges': 'bytes',
      ETag: `"${etag}"`,
    },
    mediaType,
    body: file,
  })
}
