import { turn } from '../../../../../lib/yield-to-event-loop.ts'
import { DamagedZip, UnreadableEntry } from '../zip.ts'
import { BadWorkbook } from './bad-workbook.ts'

/** The text of a part in pieces, with a turn for other requests after each. `count` gets the number of unpacked bytes. Throws BadWorkbook. */
export async function* readPart(
  bytes: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  try {
    for await (const piece of bytes) {
      count(piece.length)
      yield decoder.decode(piece, { stream: true })
      await turn()
    }
  } catch (error) {
    if (error instanceof UnreadableEntry) throw new BadWorkbook(error.reason)
    throw error instanceof DamagedZip ? new BadWorkbook() : error
  }
  yield decoder.decode()
}
