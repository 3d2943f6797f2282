import { compressed, encodingFor } from '../http/docs/compress.ts'
import type { Reply } from '../http/route.ts'

/** What is compressed for one answer alone is not compressed long. */
const quality = 4

/** A shorter text fits the first packets of an answer as it is. */
const leastLength = 1400

/** An answer's text, compressed as its request accepts it. */
export const zipped = async (request: Request, { body }: Reply): Promise<Pick<Reply, 'body' | 'headers'>> => {
  if (body === undefined || body instanceof Blob || body instanceof ReadableStream) return { body }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const encoding = encodingFor(request)
  if (text.length < leastLength || !encoding) return { body: text }
  const bytes = await compressed(text, encoding, quality)
  return { body: new Blob([bytes]), headers: { 'Content-Encoding': encoding, Vary: 'Accept-Encoding' } }
}

/** The same of what is sent while it is made. */
export const zippedStream = (
  request: Request,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): { body: ReadableStream; headers?: Record<string, string> } =>
  encodingFor(request, ['gzip'])
    ? { body: body.pipeThrough(new CompressionStream('gzip')), headers: { 'Content-Encoding': 'gzip' } }
    : { body }
