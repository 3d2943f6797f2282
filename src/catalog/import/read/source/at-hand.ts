import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file of which any part can be read: in memory, or on disk by its descriptor. Close it when it's no longer needed. */
export type AtHand = ({ bytes: Buffer } | { descriptor: number }) & { length: number; close: () => Promise<void> }

/** Up to this many bytes are kept in memory. */
const mostInMemory = 8 * 1024 * 1024

/**
 * Takes in a stream, because what it holds is listed at its end. A long one goes to a temporary file that has no name anymore
 * once it's open, so that nothing of it stays, even if the process is killed. Nothing is taken in beyond `mostBytes`.
 */
export const takeIn = async (
  stream: AsyncIterable<Uint8Array>,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<AtHand> => {
  const pieces: Uint8Array[] = []
  let length = 0
  let file: Awaited<ReturnType<typeof openNameless>> | undefined
  try {
    for await (const piece of stream) {
      pieces.push(piece)
      length += piece.length
      if (length > mostBytes) break
      if (length <= mostInMemory) continue
      file ??= await openNameless()
      for (const each of pieces.splice(0)) await writeAll(file, each)
    }
  } catch (error) {
    await file?.close()
    throw error
  }
  if (!file) return { bytes: Buffer.concat(pieces), length, close: async () => undefined }
  const taken = file
  return { descriptor: taken.fd, length, close: () => taken.close() }
}

const openNameless = async () => {
  const path = join(tmpdir(), `cardstock-${Bun.randomUUIDv7()}`)
  const file = await open(path, 'wx+', 0o600)
  await Bun.file(path).delete()
  return file
}

const writeAll = async (file: Awaited<ReturnType<typeof openNameless>>, piece: Uint8Array) => {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten
}

/** A file on disk, as it is. */
export const onDisk = async (path: string): Promise<AtHand> => {
  const file = await open(path)
  return { descriptor: file.fd, length: (await file.stat()).size, close: () => file.close() }
}
