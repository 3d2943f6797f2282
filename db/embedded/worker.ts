import type { Programs } from './assets.ts'
import type { HeldDescriptors } from './open-files.ts'
import { startServer } from './server.ts'

/** Runs the embedded database outside of the main thread, so that a long statement doesn't block requests. */
export type Order =
  | { kind: 'open'; programs: Programs; directory: string; durable: boolean; held: HeldDescriptors }
  | { kind: 'connect' }
  | { kind: 'messages'; bytes: Uint8Array }
  | { kind: 'close' }

export type Report =
  | { kind: 'opened' }
  | { kind: 'failed'; message: string }
  | { kind: 'answer'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'done' }
  | { kind: 'closed' }

declare const self: { onmessage: (event: { data: Order }) => void }

let server: Awaited<ReturnType<typeof startServer>> | undefined
let last: Promise<void> = Promise.resolve()

const report = (it: Report) => postMessage(it, it.kind === 'answer' ? [it.bytes.buffer] : [])

self.onmessage = ({ data: order }) => {
  last = last
    .then(() => obey(order))
    .catch((error) => report({ kind: 'failed', message: String(error?.message ?? error) }))
}

const obey = async (order: Order) => {
  if (order.kind === 'open') {
    const { programs, directory, durable, held } = order
    server = await startServer(programs, directory, durable, held, (message) => report({ kind: 'failed', message }))
    report({ kind: 'opened' })
  } else if (order.kind === 'close') {
    await server?.close()
    report({ kind: 'closed' })
  } else if (order.kind === 'connect') await beginSession()
  else {
    await answer(order.bytes)
    report({ kind: 'done' })
  }
}

// There is only one session. Whatever an earlier connection left in it is discarded, as a server does when a session ends.
const beginSession = async () => {
  if (server?.isInTransaction()) await server.exec('rollback')
  await server?.exec('discard all')
}

const answer = async (bytes: Uint8Array) => {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const send = () => {
    if (size > 0) report({ kind: 'answer', bytes: joined(chunks.splice(0), size) })
    size = 0
  }
  await server?.runExclusive(async () => {
    await server?.execProtocolRawStream(bytes, {
      onRawData: (data) => {
        chunks.push(new Uint8Array(data))
        size += data.length
        if (size >= 256 * 1024) send()
      },
    })
  })
  send()
}

const joined = (chunks: Uint8Array<ArrayBuffer>[], size: number) => {
  const [only] = chunks
  if (chunks.length === 1 && only) return only
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
