import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Log } from '../src/lib/log.ts'
import { readPostgresUrl } from '../src/lib/postgres-url.ts'
import { lifetimes } from '../src/limits.ts'
import { type Database, makeDatabase, type Sql, type Ways } from './database.ts'
import { laneDeadlines } from './replicas/lane.ts'
import { openReplicas } from './replicas/replicas.ts'
import { watchSilence } from './silence.ts'
import { type Deadlines, usualDeadlines } from './turns.ts'
import type { Watch } from './watch.ts'

export type PostgresOptions = {
  url: string
  /** Where to listen, past a pooler that would swallow notifications. */
  directUrl?: string
  /** Standbys that may answer reads of the catalog. */
  replicaUrls?: readonly string[]
  prepare?: boolean
  /** How many connections requests share. */
  poolSize?: number
  /** Whether to send settings when a connection starts. Old poolers refuse them. */
  planner?: boolean
  deadlines?: Deadlines
  watch?: Watch
  log?: Log
}

/**
 * A PostgreSQL server. Connects at the first query. Requests have `poolSize` connections, jobs and commands half as many in
 * addition, the gate two, /health and LISTEN one each. Each replica has `poolSize` and one.
 */
export const openPostgres = ({
  url,
  directUrl,
  replicaUrls = [],
  prepare = true,
  poolSize = 8,
  planner = true,
  deadlines = usualDeadlines,
  watch,
  log,
}: PostgresOptions): Database => {
  const optionsOf = (max: number, settings: Record<string, string | number> = {}, pipelined = 1) => ({
    ...{ ...shared, max_pipeline: pipelined },
    connection: planner ? { ...session, ...assumed, ...plannerSettings, ...settings } : session,
    max,
    prepare,
  })
  const connect = (...how: Parameters<typeof optionsOf>) => clientOf(url, optionsOf(...how))
  const clients = {
    service: connect(poolSize === 1 ? 1 : Math.max(2, Math.ceil(poolSize / 2)), { statement_timeout: 0 }),
    requests: connect(poolSize, { statement_timeout: deadlines.statement }),
    gate: connect(2),
    // /health's statements are sent at once, because each round trip takes as long as the process is busy.
    pulse: connect(1, {}, 100),
  }
  const listener = directUrl ? clientOf(directUrl, { ...shared, max: 1 }) : clients.service
  const all = new Set([...Object.values(clients), listener])
  const silence = watchSilence(clients.pulse, [
    { client: clients.gate, seconds: lifetimes.read.seconds },
    { client: clients.requests, seconds: deadlines.write / 1000 + graceSeconds },
    // Statements of jobs have no deadline, and a listener is never asked anything.
    ...[...new Set([clients.service, listener])].map((client) => ({ client, seconds: Number.POSITIVE_INFINITY })),
  ])
  const replicas =
    replicaUrls.length > 0
      ? openReplicas({
          ...{ urls: replicaUrls, primary: clients.service, places: poolSize, deadlines, log },
          connect: (replicaUrl) => {
            const limits = { statement_timeout: laneDeadlines.statement }
            const client = clientOf(replicaUrl, { ...optionsOf(1, limits, 2), ...ofReplica })
            drizzle(client)
            return client
          },
        })
      : undefined
  const ways: Ways = {
    kind: 'postgres',
    notify: async (channel, payload = '') => void (await clients.service`select pg_notify(${channel}, ${payload})`),
    listen: async (channel, heard) => {
      silence.beat()
      const { unlisten } = await listener.listen(channel, heard)
      return () => unlisten()
    },
    close: async () => {
      silence.end()
      await Promise.all([replicas?.close(), ...[...all].map((client) => client.end({ timeout: 5 }))])
    },
    isAnswering: async ({ sql }) => Promise.race([takesWrites(sql), Bun.sleep(probeMilliseconds).then(() => false)]),
  }
  return makeDatabase(clients, ways, { places: poolSize, deadlines, replicas, watch })
}

/** A replica is asked again by `db/replicas`, after pauses of its own. */
const ofReplica = { connect_timeout: 2, backoff: () => 0 }

/** The server ends what is late. This long after it should have, its connection is thrown away. */
const graceSeconds = 2

/**
 * A client of the database at a URL, or of another one there. The driver takes lists of hosts and ports, but its types don't.
 */
export const clientOf = (url: string, options: postgres.Options<Record<string, never>>, other?: string) => {
  const { hosts, socket, database, user, password, parameters } = readPostgresUrl(url)
  const several = { connect_timeout: severalTimeout, target_session_attrs: 'primary' }
  const where = {
    ...(socket ? { path: socket } : { host: hosts.map(({ host }) => host), port: hosts.map(({ port }) => port) }),
    ...(hosts.length > 1 ? several : {}),
  }
  return postgres(`postgres://host/?${parameters}`, {
    ...options,
    ...{ database: other ?? database, user, password },
    ...(where as object),
  })
}

/** Seconds for each of several hosts. Requests wait, so a machine that is switched off must not take all their time. */
const severalTimeout = 2

/** A standby and a read-only database answer, but can't serve: every request is counted. */
const takesWrites = async (sql: Sql): Promise<boolean> => {
  const [state] = await sql<{ is_read_only: boolean }[]>`
    select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only`
  return state?.is_read_only === false
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
