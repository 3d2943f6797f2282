import { compressed, encodingFor } from '../http/docs/compress.ts'
import type { Reply } from '../http/route.ts'

/** Low, because the result is used for one answer only. */
const quality = 4

/** A shorter text fits an answer's first packet uncompressed. */
const leastLength = 1400

/** An answer's text, compressed in a way the request accepts. */
export const zipped = async (request: Request, { body }: Reply): Promise<Pick<Reply, 'body' | 'headers'>> => {
  if (body === undefined || body instanceof Blob || body instanceof ReadableStream) return { body }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const encoding = encodingFor(request)
  if (text.length < leastLength || !encoding) return { body: text }
  const bytes = await compressed(text, encoding, quality)
  return { body: new Blob([bytes]), headers: { 'Content-Encoding': encoding, Vary: 'Accept-Encoding' } }
}

/** Like `zipped`, for a body that is sent while it is produced. */
export const zippedStream = (
  request: Request,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): { body: ReadableStream; headers?: Record<string, string> } =>
  encodingFor(request, ['gzip'])
    ? { body: body.pipeThrough(new CompressionStream('gzip')), headers: { 'Content-Encoding': 'gzip' } }
    : { body }
