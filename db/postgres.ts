import postgres from 'postgres'
import { type Database, makeDatabase, type Ways } from './database.ts'
import { type Deadlines, usualDeadlines } from './turns.ts'

export type PostgresOptions = {
  url: string
  /** Where to listen, past a pooler that would swallow notifications. */
  directUrl?: string
  prepare?: boolean
  /** How many connections requests share. */
  poolSize?: number
  /** Whether to send settings when a connection starts. Old poolers refuse them. */
  planner?: boolean
  deadlines?: Deadlines
}

/**
 * A PostgreSQL server. Connects at the first query. Requests have `poolSize` connections, jobs and commands half as many in
 * addition, the gate two, /health and LISTEN one each.
 */
export const openPostgres = ({
  url,
  directUrl,
  prepare = true,
  poolSize = 8,
  planner = true,
  deadlines = usualDeadlines,
}: PostgresOptions): Database => {
  const connect = (max: number, settings: Record<string, string | number> = {}, pipelined = 1) =>
    postgres(url, {
      ...{ ...shared, ...hostOf(url), max_pipeline: pipelined },
      connection: planner ? { ...session, ...assumed, ...plannerSettings, ...settings } : session,
      max,
      prepare,
    })
  const clients = {
    service: connect(poolSize === 1 ? 1 : Math.max(2, Math.ceil(poolSize / 2)), { statement_timeout: 0 }),
    requests: connect(poolSize, { statement_timeout: deadlines.statement }),
    gate: connect(2),
    // /health's statements are sent at once, because each round trip takes as long as the process is busy.
    pulse: connect(1, {}, 100),
  }
  const listener = directUrl ? postgres(directUrl, { ...shared, ...hostOf(directUrl), max: 1 }) : clients.service
  const all = new Set([...Object.values(clients), listener])
  const ways: Ways = {
    kind: 'postgres',
    notify: async (channel, payload = '') => void (await clients.service`select pg_notify(${channel}, ${payload})`),
    listen: async (channel, heard) => {
      const { unlisten } = await listener.listen(channel, heard)
      return () => unlisten()
    },
    close: async () => void (await Promise.all([...all].map((client) => client.end({ timeout: 5 })))),
    isAnswering: async ({ sql }) =>
      Promise.race([sql`select 1`.then(() => true), Bun.sleep(probeMilliseconds).then(() => false)]),
  }
  return makeDatabase(clients, ways, { places: poolSize, deadlines })
}

/** The host and port of an IPv6 address, which the driver would cut at its first colon. It takes lists, but its types don't. */
const hostOf = (url: string): object => {
  const { hostname, port } = new URL(url)
  return hostname.startsWith('[') ? { host: [hostname.slice(1, -1)], port: [Number(port || 5432)] } : {}
}

/** A working server answers this soon, however busy it is. */
const probeMilliseconds = 1000

/** Retries soon if a server is unreachable. The wait doubles, up to a second. */
const backoff = (tries: number) => Math.min(0.05 * 2 ** tries, 1)

/** How dates and texts are written, whatever the role or the database has set. Every pooler accepts these. */
const session = { application_name: 'cardstock', TimeZone: 'UTC', DateStyle: 'ISO', standard_conforming_strings: 'on' }

/** Other things that our statements rely on and that a role may have set differently. */
const assumed = { default_transaction_isolation: 'read committed', array_nulls: 'on' }

/**
 * Every hot statement is prepared and finds its rows with an index, whatever its values are. Planning it again for each
 * execution costs up to ten times as much as running it, and compiling it even more.
 */
export const plannerSettings = { plan_cache_mode: 'force_generic_plan', jit: 'off' }

const shared = {
  max_pipeline: 1,
  connect_timeout: 10,
  backoff,
  connection: session,
  onnotice: () => {},
}
