import type { Answer, Sheet } from './workbook-thread.ts'

/** A workbook that can't be read. The message is part of a sentence. */
export class BadWorkbook extends Error {}

/** The most bytes of a workbook, because all of it is held in memory. */
const mostBytes = 32 * 1024 * 1024

/** How long reading a workbook may take. One can be crafted that unpacks for days. */
const longestSeconds = 300

/**
 * Reads the sheets of an .xlsx, in a thread of its own: a large one takes seconds, during which nothing else would be answered.
 * Throws BadWorkbook.
 */
export const readSheets = async (
  bytes: AsyncIterable<Uint8Array>,
  mostSeconds: number = longestSeconds,
): Promise<Sheet[]> => {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > mostBytes) throw new BadWorkbook(`it is larger than ${mostBytes >> 20} MiB`)
    pieces.push(piece)
  }
  const answer = await askThread(Uint8Array.from(Buffer.concat(pieces.splice(0))), mostSeconds)
  if ('wrong' in answer) throw new BadWorkbook(answer.wrong)
  return answer.sheets
}

const askThread = async (workbook: Uint8Array<ArrayBuffer>, mostSeconds: number): Promise<Answer> => {
  const thread = new Worker(new URL('./workbook-thread.ts', import.meta.url).href)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const timer = setTimeout(resolve, mostSeconds * 1000, { wrong: `reading it takes more than ${mostSeconds} seconds` })
  thread.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data)
  thread.onerror = ({ message }) => reject(new Error(`The thread that reads workbooks failed: ${message}`))
  thread.postMessage(workbook, [workbook.buffer])
  return promise.finally(() => {
    clearTimeout(timer)
    thread.terminate()
  })
}
