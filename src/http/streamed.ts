import type { Log } from '../lib/log.ts'
import { logFault } from './log-lines.ts'

/**
 * A body that is sent while it is written. Each piece is made once the caller has taken the one before. The first piece is made
 * before the response starts, so an early failure is an ordinary error. A later one is logged and cuts the response off.
 */
export const streamed = async (
  pieces: AsyncGenerator<string>,
  { log, requestId }: { log: Log; requestId: string },
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> => {
  let next = await pieces.next()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        try {
          if (next.done) return controller.close()
          controller.enqueue(encoder.encode(next.value))
          next = await pieces.next()
        } catch (error) {
          logFault(log, error, requestId)
          controller.error(error)
        }
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}
