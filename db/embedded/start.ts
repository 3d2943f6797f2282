import { EventEmitter } from 'node:events'
import postgres from 'postgres'
import { type Database, makeDatabase, type Ways } from '../database.ts'
import { type Deadlines, usualDeadlines } from '../turns.ts'
import { failedSession, Session } from './session.ts'
import { type ServerThread, startThread } from './thread.ts'

const closeSeconds = 3

/**
 * Runs the database in `directory`, of which the caller is the only user. A server that broke down is started again;
 * `start` is how.
 */
export const startDatabase = async (
  directory: string,
  durable = true,
  deadlines: Deadlines = usualDeadlines,
  start: typeof startThread = startThread,
): Promise<Database> => {
  let thread: Promise<ServerThread> = start(directory, durable)
  await thread
  const connect = async () => {
    if (!(await thread.catch(() => undefined))?.alive) thread = start(directory, durable)
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
  return makeDatabase(clients, ways, { places: 1, deadlines })
}

const probeMilliseconds = 300

/** There is one session: while it ended something so lately, it is only busy. */
const busyMilliseconds = 30_000

// One session is all there is, so that whatever waits, waits in postgres.js's queue; and it lives as long as the process.
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

// Nobody else can be on this database, so that a notification needs to go no further than this process.
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
