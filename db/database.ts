import { drizzle } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import type { Origin } from '../src/lib/origin.ts'
import { builderOver, type Orm } from './builder.ts'
import { hasCode, isConnectionLost } from './faults.ts'
import { OutcomeUnknown } from './late.ts'
import type { Replica } from './replicas/replica.ts'
import type { Reading, Replicas } from './replicas/replicas.ts'
import { type Seat, sqlInTurn, sqlOfTurn, sqlWatched, workInTurn } from './serve.ts'
import { type Asker, type Deadlines, shareConnections, type Turn, usualDeadlines } from './turns.ts'
import type { Watch } from './watch.ts'

/** Raw SQL. Timestamps, dates, counts and bigints are texts. Arguments are sent separately from the statement. */
export type Sql = postgres.ISql

export type { Orm } from './builder.ts'

/** What a function needs to run statements: a database or a transaction. */
export type Queryable = {
  readonly sql: Sql
  /** The query builder over the same client. */
  readonly orm: Orm
  /**
   * Wakes listeners in every process on this database; in a transaction, once it has committed. A notification may get lost, so
   * combine it with slow polling.
   */
  readonly notify: (channel: string, payload?: string) => Promise<void>
  /** The request that this works for, if any. It goes on with what is enqueued. */
  readonly origin?: Origin
}

/**
 * Work that succeeds or fails as a whole. Use only this inside it, because on the embedded database everything else waits for
 * it.
 */
export type Transaction = Queryable & { readonly kind: Database['kind'] }

/** A transaction that may have parts. */
export type Whole = Transaction & {
  /** A part that fails on its own: what it wrote is undone, and so are its locks. One at a time. */
  readonly part: <T>(work: (tx: Whole) => Promise<T>) => Promise<T>
}

/** How many connections requests may use, how many are in use, and how many statements are waiting for one. */
type Pool = { max: number; running: number; waiting: number }

/** One interface to a database, wherever it runs. The one that is opened belongs to the service itself and has no deadlines. */
export type Database = Queryable & {
  readonly kind: 'embedded' | 'postgres'
  /** READ COMMITTED. Restarted after a deadlock or a serialization failure, so `work` may run twice. */
  transaction: <T>(work: (tx: Whole) => Promise<T>) => Promise<T>
  /** The database for one caller: in turn with others, and with deadlines (decisions.md §12). */
  servedTo: (asker: Asker) => Database
  /** The service's own database, for a job that a request may have caused. */
  forJob: (job: string, origin?: Origin) => Database
  /** The same caller's database, in the lane for statements that may read a lot. */
  readonly heavy: Database
  /** The database for work on behalf of many callers at once. The same object for as long as it is open. */
  readonly shared: Database
  /**
   * The same caller's database for what differs only with the catalog's state, if the gate has just said what that is. Replicas may
   * answer its reads.
   */
  readonly catalog: Database
  /** Of what many callers read on a replica: the same on the primary. */
  readonly primary?: Database
  /** Servers that may answer reads of the catalog, if there are any. */
  readonly replicas?: Replicas
  /** Connections that only the gate uses. */
  readonly gate: Queryable
  /** A connection that only /health uses. */
  readonly pulse: Queryable
  /** Whether the database answers, however busy it is. */
  isAnswering: () => Promise<boolean>
  /** Returns a function that stops listening. */
  listen: (channel: string, heard: (payload: string) => void) => Promise<() => Promise<void>>
  pool: () => Pool
  close: () => Promise<void>
}

/** How a kind of database delivers notifications, shows that it is alive, and closes. */
export type Ways = Pick<Database, 'kind' | 'notify' | 'listen' | 'close'> & {
  /** Whether it answers. `endedAt` is when it last finished any statement, by `performance.now()`. */
  isAnswering: (pulse: Queryable, endedAt: number) => Promise<boolean>
}

/** The clients of a database by purpose. The embedded database has a single session, so all of them are the same. */
type Clients = Record<'service' | 'requests' | 'gate' | 'pulse', postgres.Sql>

/** How many connections requests share, how long things may take, and who is told of statements. */
type Share = { places: number; deadlines?: Deadlines; watch?: Watch; replicas?: Replicas }

/** Makes the interface over postgres.js clients, and sets their parsers as Drizzle needs them. */
export const makeDatabase = (
  clients: Clients,
  ways: Ways,
  { places, deadlines = usualDeadlines, watch, replicas }: Share,
): Database => {
  for (const client of new Set(Object.values(clients))) drizzle(client)
  const { kind, notify, listen, close } = ways
  const isAnswering = () => ways.isAnswering(pulse, connections.endedAt())
  const connections = shareConnections({ places, deadlines, isAnswering, stopsFreely: kind === 'postgres' })

  const watched: Watched = (sql, asker) => sqlWatched(sql, asker, watch)
  const inTurn = (asker: Asker, isHeavy = false, readingOf?: () => Reading): Asking => {
    const seat: Seat = { connections, asker, isHeavy }
    const sql = sqlInTurn(clients.requests, seat)
    const begin = <T>(work: Work<T>) =>
      workInTurn(seat, (turn) =>
        once(clients.requests, ways, work, { asker, watched, turn: { seat, turn, deadlines } }),
      )
    if (!replicas || !readingOf) return asking(watched(sql, asker), notify, begin, asker.origin)
    const onPrimary: typeof begin = (work) => {
      readingOf().replica = undefined
      return begin(work)
    }
    return asking(watched(replicas.sqlOf(readingOf, sql, seat), asker), notify, onPrimary, asker.origin)
  }
  /** Internal work has its own connections on a server. On the embedded database everything shares one session. */
  const apart = (asker: Asker, client: postgres.Sql): Asking =>
    kind === 'embedded'
      ? inTurn({ ...asker, isPatient: true })
      : asking(watched(client, asker), notify, (work) => once(client, ways, work, { asker, watched }), asker.origin)

  const gate = apart({ key: 'gate', isUrgent: true }, clients.gate)
  const pulse = apart({ key: 'pulse', isUrgent: true }, clients.pulse)
  const pool = () => ({ max: places, ...connections.counts() })
  const forJob = (job: string, origin?: Origin) => {
    const own = apart({ key: 'service', purpose: { job }, origin }, clients.service)
    return doorOf(
      () => own,
      () => own,
    )
  }
  const servedTo = (asker: Asker): Database =>
    doorOf(
      () => inTurn(asker),
      () => inTurn(asker, true),
      { catalogOf: replicas && (() => readBy(asker, replicas.begin())) },
    )
  const readBy = (asker: Asker, reading: Reading) =>
    doorOf(
      () => inTurn(asker, false, () => reading),
      () => inTurn(asker, true, () => reading),
      { sharedOf: () => sharedOn(reading.replica) },
    )
  /** Each request has one, and most use only what many share, so what a caller needs alone is made on first use. */
  const doorOf = (ask: () => Asking, askHeavy: () => Asking, more: More = {}): Database => {
    let [asking, lane]: [Asking?, Database?] = []
    const usual = () => {
      asking ??= ask()
      return asking
    }
    const { sharedOf = () => shared, catalogOf, primary } = more
    const door: Database = {
      ...{ kind, notify, listen, close, isAnswering, gate, pulse, pool, servedTo, forJob, replicas, primary },
      get sql() {
        return usual().sql
      },
      get orm() {
        return usual().orm
      },
      get transaction() {
        return usual().transaction
      },
      get origin() {
        return usual().origin
      },
      get heavy() {
        lane ??= doorOf(askHeavy, askHeavy, more)
        return lane
      },
      get shared() {
        return sharedOf()
      },
      get catalog() {
        return catalogOf?.() ?? door
      },
    }
    return door
  }
  const many: Asker = { key: 'shared', isForMany: true }
  const shared = servedTo(many)
  /** What many callers read of one server. */
  const ofMany = new Map<Replica | undefined, Database>()
  const sharedOn = (replica: Replica | undefined) =>
    ofMany.getOrInsertComputed(replica, () => {
      const ask = () => inTurn(many, false, () => ({ replica }))
      const own: Database = doorOf(ask, ask, { sharedOf: () => own, primary: shared })
      return own
    })
  const own = apart({ key: 'service' }, clients.service)
  return doorOf(
    () => own,
    () => own,
  )
}

/** What a door has instead of the usual. */
type More = { sharedOf?: () => Database; catalogOf?: () => Database; primary?: Database }

type Work<T> = (tx: Whole) => Promise<T>

/** What runs statements and transactions. */
type Asking = Queryable & Pick<Database, 'transaction'>

/** The SQL of somebody, whose statements are watched if anybody does. */
type Watched = (sql: Sql, asker: Asker) => Sql

const asking = (
  sql: Sql,
  notify: Queryable['notify'],
  begin: <T>(work: Work<T>) => Promise<T>,
  origin: Origin | undefined,
): Asking => {
  let orm: Orm | undefined
  return {
    sql,
    get orm() {
      orm ??= builderOver(sql)
      return orm
    },
    notify,
    origin,
    transaction: (work) => again(() => begin(work)),
  }
}

/** Locks are taken in one order, so conflicts are rare. A transaction that is overtaken this often fails. */
const attempts = 4

/** Begins again after a deadlock or a serialization failure. */
export const again = async <T>(begin: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await begin()
    } catch (error) {
      if (attempt === attempts || !hasCode(error, '40001', '40P01')) throw error
      await Bun.sleep(Math.random() * 10 * attempt)
    }
}

type Served = { seat: Seat; turn: Turn; deadlines: Deadlines }

const once = async <T>(
  client: postgres.Sql,
  { kind, notify }: Pick<Ways, 'kind' | 'notify'>,
  work: Work<T>,
  by: { asker: Asker; watched: Watched; turn?: Served },
) => {
  const { asker, watched, turn: served } = by
  let result: T | undefined
  let isCommitting = false
  const said = new Map<string, [channel: string, payload?: string]>()
  const say: Queryable['notify'] = async (...words) => void said.set(words.join(' '), words)
  const inTurn: Inside['inTurn'] = (sql) => watched(served ? sqlOfTurn(sql, served.seat, served.turn) : sql, asker)
  try {
    await client.begin(modeOf(kind, served), async (sql) => {
      result = await work(inside(sql, { kind, say, inTurn, origin: asker.origin, parts: { begun: 0 } }))
      if (served?.turn.failed) throw served.turn.failed
      isCommitting = true
      if (served) served.turn.isCommitting = true
    })
  } catch (error) {
    throw isCommitting && isConnectionLost(error) ? new OutcomeUnknown(error) : error
  }
  if (served) served.seat.asker.hasCommitted = true
  for (const words of said.values()) notify(...words).catch(() => {})
  return result as T
}

/**
 * The server ends a transaction whose process or machine hangs for 20 seconds, so that others get its locks. A write's
 * statements have more time than those of other requests (db/postgres.ts).
 */
const modeOf = (kind: Database['kind'], served: Served | undefined) => {
  const mode = 'isolation level read committed'
  if (kind !== 'postgres') return mode
  const ended = `${mode}; set local idle_in_transaction_session_timeout = 20000`
  return served?.seat.asker.writes ? `${ended}; set local statement_timeout = ${served.deadlines.write}` : ended
}

type Inside = {
  kind: Database['kind']
  say: Queryable['notify']
  inTurn: (sql: postgres.ISql) => postgres.ISql
  origin: Origin | undefined
  /** The driver names a transaction's parts by their number. */
  parts: { begun: number }
}

const inside = (client: postgres.TransactionSql, around: Inside): Whole => {
  const sql = around.inTurn(client)
  let orm: Orm | undefined
  return {
    kind: around.kind,
    sql,
    notify: around.say,
    origin: around.origin,
    get orm() {
      orm ??= builderOver(sql)
      return orm
    },
    part: async (work) => {
      const name = `s${around.parts.begun++}`
      let result: Awaited<ReturnType<typeof work>> | undefined
      try {
        await client.savepoint(async (inner) => {
          result = await work(inside(inner, around))
        })
      } finally {
        await sql`release savepoint ${sql(name)}`
      }
      return result as Awaited<ReturnType<typeof work>>
    },
  }
}
