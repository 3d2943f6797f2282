import { EventEmitter } from 'node:events'
import type { ServerThread } from './thread.ts'

/**
 * The part of a socket that postgres.js uses, connected to the embedded database in this process instead of a network. Every
 * write of postgres.js contains whole protocol messages, so one write is one order to the server.
 */
export class Session extends EventEmitter {
  readyState: 'open' | 'closed' = 'open'
  readonly #server: ServerThread | undefined
  #begun = false

  constructor(server?: ServerThread) {
    super()
    this.#server = server
  }

  write(bytes: Uint8Array, done?: () => void): boolean {
    if (this.readyState === 'open') this.#pass(bytes)
    done?.()
    return true
  }

  end() {
    this.destroy()
  }

  destroy(error?: Error) {
    if (this.readyState === 'closed') return
    this.readyState = 'closed'
    if (error) this.emit('error', error)
    queueMicrotask(() => this.emit('close', Boolean(error)))
  }

  pause() {}

  resume() {}

  #pass(bytes: Uint8Array) {
    if (!this.#begun) {
      if (isCancel(bytes)) return this.#cancel()
      this.#begun = true
      this.#server?.connect(
        (answer) => this.emit('data', answer),
        (error) => this.destroy(error),
      )
    }
    this.#server?.send(bytes)
  }

  // The server reads nothing while it runs a statement. Stopping a statement means stopping the server, and the next session
  // starts a new one.
  #cancel() {
    this.#server?.kill('a statement was canceled.')
    this.destroy()
  }
}

/** A session whose server didn't start. To postgres.js it looks like a server that it can't reach. */
export const failedSession = (error: Error): Session => {
  const session = new Session()
  setImmediate(() => session.destroy(error))
  return session
}

const cancelCode = 80_877_102

const isCancel = (bytes: Uint8Array) =>
  bytes.length === 16 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(4) === cancelCode
