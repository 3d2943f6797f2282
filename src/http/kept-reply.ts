import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { answerSealer } from '../access/kept-answers.ts'
import type { Context } from '../context.ts'
import { conflict } from '../jsonapi/errors.ts'
import type { Reply } from './route.ts'

/** What stands before an answer's body. `namesRequest`: the body goes on with the id of its request, in `meta`. */
type Head = Pick<Reply, 'status' | 'mediaType' | 'headers'> & { hasBody: boolean; namesRequest: boolean }

const compress = promisify(zstdCompress)
const expand = promisify(zstdDecompress)

/** How the document of a refusal ends (`errorReply`). */
const endOf = (requestId: string) => `"request_id":${JSON.stringify(requestId)}}}`

/** A reply as it is kept: packed and sealed. Undefined for a body that is no text. */
export const packReply = async (
  { secret }: Pick<Context, 'secret'>,
  { status, mediaType, headers, body }: Reply,
  requestId: string,
): Promise<Buffer | undefined> => {
  if (body instanceof Blob || body instanceof ReadableStream) return undefined
  const text =
    body === undefined || typeof body === 'string'
      ? body
      : Buffer.isBuffer(body)
        ? body.toString()
        : JSON.stringify(body)
  const end = endOf(requestId)
  const namesRequest = status >= 400 && text?.endsWith(end) === true
  const head: Head = { status, mediaType, headers, hasBody: text !== undefined, namesRequest }
  const kept = namesRequest ? text?.slice(0, -end.length) : text
  const bytes = await compress(`${JSON.stringify(head)}\n${kept ?? ''}`)
  return answerSealer(secret).sealBytes(bytes)
}

/** The reply that was kept, for another request. 409 if the secret that sealed it is no longer accepted. */
export const unpackReply = async (
  { secret }: Pick<Context, 'secret'>,
  sealed: Buffer,
  requestId: string,
): Promise<Reply> => {
  const bytes = answerSealer(secret).unsealBytes(sealed)
  if (!bytes)
    throw conflict('This was done, but its answer can no longer be read: the secret of the service has changed.')
  const text = (await expand(bytes)).toString()
  const at = text.indexOf('\n')
  const { hasBody, namesRequest, ...reply } = JSON.parse(text.slice(0, at)) as Head
  const body = hasBody ? `${text.slice(at + 1)}${namesRequest ? endOf(requestId) : ''}` : undefined
  return { ...reply, body }
}
