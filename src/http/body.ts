import { ApiError, badRequest, payloadTooLarge } from '../jsonapi/errors.ts'

/** A body that is read at most once. `isPresent` is known before the room asks for the bytes. */
export type RequestBody = { isPresent: boolean; read: () => Promise<Uint8Array> }

/** What a route without a body reads, whatever came. */
export const noBody: RequestBody = { isPresent: false, read: async () => new Uint8Array() }

/**
 * Opens the body of a request: 413 where it is longer than the limit. A body without a length (chunked) is read here, up
 * to the limit, so that 413 comes before every refusal that follows it.
 */
export const openBody = async (request: Request, limitBytes: number): Promise<RequestBody> => {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > limitBytes) throw payloadTooLarge(limitBytes)
  if (!request.body || length === '0') return noBody
  let bytes: Promise<Uint8Array> | undefined
  const read = () => {
    bytes ??= readUpTo(request.body as ReadableStream<Uint8Array>, limitBytes)
    return bytes
  }
  return { isPresent: length !== null || (await read()).byteLength > 0, read }
}

const readUpTo = async (body: ReadableStream<Uint8Array>, limitBytes: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > limitBytes) throw payloadTooLarge(limitBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof ApiError ? error : badRequest('The body broke off.')
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
}
