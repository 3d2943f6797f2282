import { arrayOf } from '../../../db/arrays.ts'
import type { Database } from '../../../db/client.ts'
import { GiveUp } from '../../jobs/define.ts'

/** The size of a piece of a file before compression. */
const pieceBytes = 32 * 1024
/** Pieces per statement, in and out. This limits how much of its file an import has in memory. */
const atOnce = 16

/**
 * Stores a file in pieces as it arrives, and returns its length in bytes. Each statement commits on its own, so that a slow sender
 * doesn't hold a transaction open.
 */
export const keepPieces = async (db: Database, importId: string, file: AsyncIterable<Uint8Array>): Promise<number> => {
  const waiting: Uint8Array[] = []
  let length = 0
  let bytes = 0
  let no = 0
  const keep = async (isEnd: boolean) => {
    const whole = Buffer.concat(waiting.splice(0))
    const most = isEnd ? whole.length : whole.length - (whole.length % pieceBytes)
    const pieces: Uint8Array[] = []
    for (let at = 0; at < most; at += pieceBytes) pieces.push(whole.subarray(at, Math.min(most, at + pieceBytes)))
    for (let at = 0; at < pieces.length; at += atOnce)
      no += await insertPieces(db, importId, no, pieces.slice(at, at + atOnce))
    if (most < whole.length) waiting.push(Uint8Array.from(whole.subarray(most)))
    length = whole.length - most
  }
  for await (const chunk of file) {
    waiting.push(chunk)
    length += chunk.byteLength
    bytes += chunk.byteLength
    if (length >= pieceBytes * atOnce) await keep(false)
  }
  await keep(true)
  return bytes
}

const insertPieces = async ({ sql }: Database, importId: string, first: number, pieces: Uint8Array[]) => {
  const packed = pieces.map((piece) => Bun.zstdCompressSync(piece, { level: 1 }))
  await sql`
    insert into import_pieces (import_id, no, bytes)
    select ${importId}, ${first}::int + place::int - 1, bytes
    from unnest(${hexArray(packed)}::text::bytea[]) with ordinality as p (bytes, place)`
  return pieces.length
}

const hexArray = (values: Uint8Array[]) =>
  arrayOf(values.map((value) => `"\\\\x${Buffer.from(value).toString('hex')}"`))

/**
 * Reads the stored file from the start. `onBytes` gets the number of bytes read so far. Throws if the signal aborts, and GiveUp if
 * some of the file's `total` bytes are gone, because a part of a file isn't what was sent.
 */
export async function* readPieces(
  { sql }: Database,
  importId: string,
  { signal, total, onBytes }: { signal: AbortSignal; total: number; onBytes: (bytes: number) => void },
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for (let next = 0; ; next += atOnce) {
    signal.throwIfAborted()
    const rows = await sql<{ bytes: Uint8Array }[]>`
      select bytes from import_pieces
      where import_id = ${importId} and no >= ${next}::int and no < ${next + atOnce}::int order by no`
    for (const row of rows) {
      const piece = Bun.zstdDecompressSync(row.bytes)
      bytes += piece.byteLength
      onBytes(bytes)
      yield piece
    }
    if (rows.length === atOnce) continue
    if (bytes < total) throw new GiveUp('Its file no longer exists.')
    return
  }
}

/** Removes a file's pieces in batches, so that others get their turn on the embedded database. */
export const removePieces = async ({ sql }: Database, importId: string) => {
  for (;;) {
    const removed = await sql`
      delete from import_pieces where import_id = ${importId} and no in (
        select no from import_pieces where import_id = ${importId} order by no limit 500
      )`
    if (removed.count === 0) return
  }
}
