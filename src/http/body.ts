import type { Config } from '../config.ts'
import { ApiError, badRequest, payloadTooLarge } from '../jsonapi/errors.ts'

/**
 * A body that is read at most once, whole or as it comes. `isPresent` is known before the room asks for it; of one that
 * comes without a length and is not read here it is taken for granted.
 */
export type RequestBody = {
  isPresent: boolean
  read: () => Promise<Uint8Array>
  stream: () => AsyncIterable<Uint8Array>
}

/** The limit of a body that anybody may send, or that is never long: one of this size costs nothing to read. */
export const smallBody = ({ maxBodyBytes }: Pick<Config, 'maxBodyBytes'>): number => Math.min(16 * 1024, maxBodyBytes)

/** What a route without a body reads, whatever came. */
export const noBody: RequestBody = {
  isPresent: false,
  read: async () => new Uint8Array(),
  stream: async function* () {},
}

/**
 * Opens the body of a request: 413 where it is longer than the limit. A body without a length (chunked) is read here, up
 * to the limit, so that 413 comes before every refusal that follows it; but one that a room streams is 413 where it gets too long.
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
    throw error instanceof ApiError ? error : badRequest('The body broke off.')
  }
}

const gathered = async (stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
}
