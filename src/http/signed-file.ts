import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import { readSignedUrl, signedParameters } from '../files/signed-url.ts'
import { forbidden, notFound } from '../jsonapi/errors.ts'
import { refuseUnknown } from '../jsonapi/query.ts'
import { unlessKnown } from './conditional.ts'
import type { Call, Reply, Route } from './route.ts'

/** A file, or the URL in a bucket that serves it, with its own headers. */
type Served = { file: Blob | URL; mediaType: string; etag: string; headers?: Record<string, string> }

/**
 * Answers a request for a file at its signed URL, without a credential. 403 with `advice` if the URL is wrong or has expired,
 * 404 if `find` doesn't return a file. A file in a bucket becomes a redirect. The server sends local files, and the range that
 * a request asks for (206, or 416 if there is no such range).
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
  if (!granted) throw forbidden(`The URL is not signed correctly, or it has expired. ${advice}`)
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

/** A file's bytes, as the OpenAPI document describes them. */
export const fileSchema = () => Type.Unsafe<string>({ type: 'string', format: 'binary' })

/** What all routes that use `sendSigned` declare. `noun` names the file. */
export const signedRoute = (noun: string, mediaType: string) =>
  ({
    method: 'GET',
    access: 'public',
    flat: true,
    query: {
      expires: { schema: Type.Integer(), description: 'When the URL expires, in Unix seconds.', required: true },
      signature: { schema: Type.String(), description: 'The signature of the URL.', required: true },
    },
    answers: {
      200: { description: `The ${noun}.`, schema: fileSchema(), mediaType },
      206: { description: `The requested range of the ${noun}.`, schema: fileSchema(), mediaType },
      302: { description: `The ${noun} is in a bucket, at this URL.`, headers: { Location: 'A signed URL.' } },
      304: { description: 'Your copy is current.' },
      416: { description: `The ${noun} has no such range.` },
    },
    refusals: [400, 403, 404],
  }) satisfies Partial<Route>
