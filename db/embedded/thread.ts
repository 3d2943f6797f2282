import { storageCodeOf } from '../../src/lib/storage-fault.ts'
import { compilePrograms } from './assets.ts'
import { closeHeld, holdDescriptors, requireDescriptors } from './open-files.ts'
import type { Order, Report } from './worker.ts'

/** The embedded database's server, running in its own thread. */
export type ServerThread = {
  /** Whether it still answers. Once it doesn't, it never will. */
  readonly alive: boolean
  /** Resolves once its thread has ended, and holds nothing any more. */
  readonly ended: Promise<void>
  /** Begins a session and ends the previous one. Answers go to `receive`, the end of the server to `fail`. */
  connect: (receive: (bytes: Buffer) => void, fail: (error: Error) => void) => void
  send: (bytes: Uint8Array) => void
  /** Stops it in an orderly way, or by force after the deadline. What it has acknowledged is safe either way. */
  close: (deadlineMilliseconds: number) => Promise<void>
  /** Stops it at once, even in the middle of a statement, which nothing else can stop. */
  kill: (reason: string) => void
}

/**
 * The server ended while it was in use. The code is postgres.js's for a lost connection, or PostgreSQL's own if it ran out of
 * disk space or descriptors.
 */
class ServerEnded extends Error {
  readonly code: string

  constructor(reason: string) {
    super(`The embedded database ended: ${reason}`)
    this.code = storageCodeOf(reason) ?? 'CONNECTION_CLOSED'
  }
}

/** Starts the server on a directory with a database, or creates one in an empty directory. */
export const startThread = async (directory: string, durable: boolean): Promise<ServerThread> => {
  requireDescriptors()
  const worker = new Worker(new URL('./worker.ts', import.meta.url).href)
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const held = holdDescriptors()
  const ended = new Promise<void>((resolve) =>
    worker.addEventListener('close', () => {
      closeHeld(held)
      resolve()
    }),
  )
  let alive = true
  let session: { receive: (bytes: Buffer) => void; fail: (error: Error) => void } | undefined

  const order = (it: Order) => worker.postMessage(it)
  const kill = (reason: string) => {
    if (!alive) return
    alive = false
    watch.stop()
    worker.terminate()
    const error = new ServerEnded(reason)
    opened.reject(error)
    closed.resolve()
    session?.fail(error)
  }
  const watch = hangingWatch(() => kill(`a statement ran for more than ${hangingSeconds} seconds.`))

  worker.onerror = (event) => kill(event.message)
  worker.onmessage = ({ data: report }: { data: Report }) => {
    if (report.kind === 'answer') session?.receive(Buffer.from(report.bytes.buffer))
    else if (report.kind === 'done') watch.end()
    else if (report.kind === 'opened') opened.resolve()
    else if (report.kind === 'closed') closed.resolve()
    else kill(report.message)
  }
  const open = compilePrograms().then((programs) => order({ kind: 'open', programs, directory, durable, held }))
  try {
    await Promise.all([open, opened.promise])
  } catch (error) {
    kill((error as Error).message)
    await ended
    throw error
  }
  return {
    ended,
    get alive() {
      return alive
    },
    connect: (receive, fail) => {
      session = { receive, fail }
      order({ kind: 'connect' })
    },
    send: (bytes) => {
      watch.begin()
      order({ kind: 'messages', bytes })
    },
    close: async (deadlineMilliseconds) => {
      order({ kind: 'close' })
      await Promise.race([closed.promise, Bun.sleep(deadlineMilliseconds)])
      alive = false
      watch.stop()
      worker.terminate()
    },
    kill,
  }
}

// Far longer than any of our statements. This is for a server that is stuck and won't answer again.
const hangingSeconds = 300

const hangingWatch = (hangs: () => void) => {
  let waiting = 0
  let timer: Timer | undefined
  const reset = () => {
    clearTimeout(timer)
    timer = waiting > 0 ? setTimeout(hangs, hangingSeconds * 1000) : undefined
  }
  return {
    begin: () => {
      waiting++
      if (waiting === 1) reset()
    },
    end: () => {
      waiting--
      reset()
    },
    stop: () => clearTimeout(timer),
  }
}
