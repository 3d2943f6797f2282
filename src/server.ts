import { sweepWindows } from './access/limiter.ts'
import { sweepRevokedTokens } from './access/revoked-tokens.ts'
import { makeApp } from './app.ts'
import { readAhead } from './catalog/search/name-cache/refresh.ts'
import type { Context } from './context.ts'
import { listenFault } from './lib/listen-fault.ts'
import { startWorker } from './worker.ts'

/** A service that listens. `stop` refuses new requests and waits up to `graceSeconds` for running ones. */
type Server = { address: string; port: number; stop: (graceSeconds?: number) => Promise<void> }

const sweepMilliseconds = 10 * 60_000
const drainSeconds = 8
const jobSeconds = 5
/** Nothing listens there. A connection to ourselves would stay open unused, and `stop` would wait for it. */
const nowhere = 'http://127.0.0.1:1'

/**
 * Starts to listen on the port in the settings. Throws if it is taken, or if this machine doesn't have the address. If others
 * serve meanwhile, it first reads what searches need.
 */
export const startServer = async (context: Context): Promise<Server> => {
  const { config, supervisor } = context
  const app = makeApp(context)
  const reading = readAhead(context.db)
  if (supervisor?.othersServe) await reading
  const server = listen(app, config, supervisor !== undefined)
  const port = server.port ?? config.port
  const address = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  // The thread for outgoing requests starts with the first one. Without a free descriptor, starting it later would kill the
  // process.
  fetch.preconnect(nowhere)
  const stopWorker = startWorker(context)
  const sweeping = setInterval(() => void sweep(context), sweepMilliseconds)
  return {
    address,
    port,
    stop: async (graceSeconds = drainSeconds) => {
      clearInterval(sweeping)
      const answered = Promise.race([server.stop(), Bun.sleep(graceSeconds * 1000)])
      await Promise.all([answered, stopWorker(Math.min(graceSeconds, jobSeconds) * 1000)])
      await server.stop(true)
    },
  }
}

const listen = (app: ReturnType<typeof makeApp>, { host, port }: Context['config'], reusePort: boolean) => {
  try {
    const { server } = app.listen({ hostname: host, port, reusePort })
    if (server) return server
  } catch (error) {
    throw listenFault({ host, port }, error)
  }
  throw listenFault({ host, port })
}

const sweep = async ({ db, clock, log }: Context) => {
  try {
    await sweepWindows(db, clock)
    await sweepRevokedTokens(db, clock)
  } catch (error) {
    log.warn('sweep failed', { message: (error as Error).message })
  }
}
