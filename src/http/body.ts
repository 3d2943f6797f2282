import type { Config } from '../config.ts'
import { ApiError, badRequest, payloadTooLarge } from '../jsonapi/errors.ts'

/**
 * A body that is read at most once, whole or as it arrives. `isPresent` is known before the room reads it. A streamed body
 * without a length is assumed to be present.
 */
type RequestBody = {
  isPresent: boolean
  read: () => Promise<Uint8Array>
  stream: () => AsyncIterable<Uint8Array>
}

/** The limit for bodies that anybody may send, or that are never long. Reading this much costs nothing. */
export const smallBody = ({ maxBodyBytes }: Pick<Config, 'maxBodyBytes'>): number => Math.min(16 * 1024, maxBodyBytes)

/** The body of a route without one, whatever was sent. */
export const noBody: RequestBody = {
  isPresent: false,
  read: async () => new Uint8Array(),
  stream: async function* () {},
}

/**
 * Opens the body of a request. 413 if it is longer than the limit. A body without a length (chunked) is read here, up to the
 * limit, so that the 413 comes before all later refusals. A streamed body gets its 413 when it becomes too long.
 */
export const openBody = async (request: Request, limitBytes: number, isStreamed = false): Promise<RequestBody> => {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > limitBytes) throw payloadTooLarge(limitBytes)
  if (!request.body || length === '0') return noBody
  let bytes: Promise<Uint8Array> | undefined
  const stream = () => upTo(request.body as ReadableStream<Uint8Array>, limitBytes)
  const read = () => {
    bytes ??= gathered(stream())
    return bytes
  }
  return { isPresent: isStreamed || length !== null || (await read()).byteLength > 0, read, stream }
}

async function* upTo(body: ReadableStream<Uint8Array>, limitBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > limitBytes) throw payloadTooLarge(limitBytes)
      yield chunk
    }
  } catch (error) {
    throw error instanceof ApiError ? error : badRequest('The body ended before it was complete.')
  }
}

const gathered = async (stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
}
