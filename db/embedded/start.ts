import { EventEmitter } from 'node:events'
import postgres from 'postgres'
import { type Database, makeDatabase, type Ways } from '../database.ts'
import type { Deadlines } from '../turns.ts'
import type { Watch } from '../watch.ts'
import { failedSession, Session } from './session.ts'
import { type ServerThread, startThread } from './thread.ts'

const closeSeconds = 3

/** How long things may take, and who is told of statements. */
export type Terms = { deadlines?: Deadlines; watch?: Watch }

/** Runs the database in `directory`, which only the caller uses. A server that broke down is started again with `start`. */
export const startDatabase = async (
  directory: string,
  durable = true,
  terms: Terms = {},
  start: typeof startThread = startThread,
): Promise<Database> => {
  let thread: Promise<ServerThread> = start(directory, durable)
  await thread
  const connect = async () => {
    const last = thread
    const running = await last.catch(() => undefined)
    // Never two at once on one directory: the next one starts when nothing of the last one is left.
    if (!running?.alive && thread === last)
      thread = Promise.resolve(running?.ended).then(() => start(directory, durable))
    return thread.then((running) => new Session(running), failedSession)
  }
  const client = postgres({ ...options, socket: connect } as postgres.Options<Record<string, never>>)
  const clients = { service: client, requests: client, gate: client, pulse: client }
  const ways: Ways = {
    kind: 'embedded',
    ...inProcess(),
    close: async () => {
      await client.end({ timeout: closeSeconds })
      const running = await thread.catch(() => undefined)
      await running?.close(closeSeconds * 1000)
    },
    isAnswering: ({ sql }, endedAt) =>
      Promise.race([
        sql`select 1`.then(() => true),
        Bun.sleep(probeMilliseconds).then(() => performance.now() - endedAt < busyMilliseconds),
      ]),
  }
  return makeDatabase(clients, ways, { places: 1, ...terms })
}

const probeMilliseconds = 300

/** There is only one session. If it finished something this recently, it is just busy. */
const busyMilliseconds = 30_000

// There is only one session, so everything waits in postgres.js's queue. It lives as long as the process.
const options = {
  host: 'embedded',
  user: 'postgres',
  database: 'postgres',
  max: 1,
  max_pipeline: 1,
  max_lifetime: null,
  idle_timeout: 0,
  connect_timeout: 0,
  backoff: () => 0,
  onnotice: () => {},
}

// Nobody else can use this database, so a notification needs to go no further than this process.
const inProcess = (): Pick<Database, 'notify' | 'listen'> => {
  const channels = new EventEmitter().setMaxListeners(0)
  return {
    notify: async (channel, payload = '') => void setImmediate(() => channels.emit(channel, payload)),
    listen: async (channel, heard) => {
      channels.on(channel, heard)
      return async () => void channels.off(channel, heard)
    },
  }
}
