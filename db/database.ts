import { drizzle } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { builderOver, type Orm } from './builder.ts'
import { hasCode } from './faults.ts'
import { type Seat, sqlInTurn, sqlOfTurn, workInTurn } from './serve.ts'
import { type Asker, type Deadlines, shareConnections, type Turn, usualDeadlines } from './turns.ts'

/** Raw SQL. Timestamps, dates, counts and bigints come as text; arguments are sent apart from the statement. */
export type Sql = postgres.ISql

export type { Orm } from './builder.ts'

/** What a function needs to run statements: a database or a transaction. */
export type Queryable = {
  readonly sql: Sql
  /** The query builder over the same client. */
  readonly orm: Orm
  /**
   * Wakes listeners in every process on this database; in a transaction, once that has committed. It may be lost:
   * a slow poll has to stand behind it.
   */
  readonly notify: (channel: string, payload?: string) => Promise<void>
}

/** Work that succeeds or fails as a whole. Inside it use only this: on the embedded database everything else waits for it. */
export type Transaction = Queryable & { readonly kind: Database['kind'] }

/** How many connections requests may have, how many are at work, and how many statements wait for one. */
type Pool = { max: number; running: number; waiting: number }

/** One door to a database, wherever it runs. As it is opened, it is the service's own, and nothing has a deadline. */
export type Database = Queryable & {
  readonly kind: 'embedded' | 'postgres'
  /** READ COMMITTED; begun again from the start after a deadlock or a serialization failure, so `work` may run twice. */
  transaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
  /** The database as one caller gets it: in turn with others, and with deadlines (decisions.md §12). */
  servedTo: (asker: Asker) => Database
  /** The same caller's, in the lane of statements that may read much. */
  readonly heavy: Database
  /** The database for work on behalf of many callers at once; the same object as long as it is open. */
  readonly shared: Database
  /** Connections that the gate has to itself. */
  readonly gate: Queryable
  /** A connection that /health has to itself. */
  readonly pulse: Queryable
  /** Whether the database answers, however busy it is. */
  isAnswering: () => Promise<boolean>
  /** Returns the function that stops listening. */
  listen: (channel: string, heard: (payload: string) => void) => Promise<() => Promise<void>>
  pool: () => Pool
  close: () => Promise<void>
}

/** How a kind of database carries notifications, shows that it lives, and ends. */
export type Ways = Pick<Database, 'kind' | 'notify' | 'listen' | 'close'> & {
  /** Whether it answers; `endedAt` is when it last ended a statement of anybody, by `performance.now()`. */
  isAnswering: (pulse: Queryable, endedAt: number) => Promise<boolean>
}

/** The clients of a database by what they are for; the embedded one has a single session, so that they are all the same. */
type Clients = Record<'service' | 'requests' | 'gate' | 'pulse', postgres.Sql>

/** How many connections requests share, and how long things may take. */
type Share = { places: number; deadlines?: Deadlines }

/** Makes the door over clients of postgres.js; sets their parsers as Drizzle needs them. */
export const makeDatabase = (clients: Clients, ways: Ways, { places, deadlines = usualDeadlines }: Share): Database => {
  for (const client of new Set(Object.values(clients))) drizzle(client)
  const { kind, notify, listen, close } = ways
  const isAnswering = () => ways.isAnswering(pulse, connections.endedAt())
  const connections = shareConnections({ places, deadlines, isAnswering, stopsFreely: kind === 'postgres' })

  const inTurn = (asker: Asker, isHeavy = false): Asking => {
    const seat: Seat = { connections, asker, isHeavy }
    const begin = <T>(work: Work<T>) =>
      workInTurn(seat, (turn) => once(clients.requests, ways, work, { seat, turn, deadlines }))
    return asking(sqlInTurn(clients.requests, seat), notify, begin)
  }
  /** What works by itself has connections of its own on a server; the embedded database has one session for all. */
  const apart = (asker: Asker, client: postgres.Sql): Asking =>
    kind === 'embedded'
      ? inTurn({ ...asker, isPatient: true })
      : asking(client, notify, (work) => once(client, ways, work))

  const gate = apart({ key: 'gate', isUrgent: true }, clients.gate)
  const pulse = apart({ key: 'pulse', isUrgent: true }, clients.pulse)
  const pool = () => ({ max: places, ...connections.counts() })
  const servedTo = (asker: Asker) =>
    doorOf(
      () => inTurn(asker),
      () => inTurn(asker, true),
    )
  /** Each request has one, and most read only what many share: what asks for its caller alone is made when it is needed. */
  const doorOf = (ask: () => Asking, askHeavy: () => Asking): Database => {
    let [asking, lane]: [Asking?, Database?] = []
    const usual = () => {
      asking ??= ask()
      return asking
    }
    return {
      ...{ kind, notify, listen, close, isAnswering, gate, pulse, pool, servedTo },
      get sql() {
        return usual().sql
      },
      get orm() {
        return usual().orm
      },
      get transaction() {
        return usual().transaction
      },
      get heavy() {
        lane ??= doorOf(askHeavy, askHeavy)
        return lane
      },
      get shared() {
        return shared
      },
    }
  }
  const shared = servedTo({ key: 'shared', isForMany: true })
  const own = apart({ key: 'service' }, clients.service)
  return doorOf(
    () => own,
    () => own,
  )
}

type Work<T> = (tx: Transaction) => Promise<T>

/** What asks: statements and transactions. */
type Asking = Queryable & Pick<Database, 'transaction'>

const asking = (sql: Sql, notify: Queryable['notify'], begin: <T>(work: Work<T>) => Promise<T>): Asking => {
  let orm: Orm | undefined
  return {
    sql,
    get orm() {
      orm ??= builderOver(sql)
      return orm
    },
    notify,
    transaction: (work) => again(() => begin(work)),
  }
}

/** Locks are taken in one order, so that few transactions meet otherwise; one that was overtaken by others so often fails. */
const attempts = 4

const again = async <T>(begin: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await begin()
    } catch (error) {
      if (attempt === attempts || !hasCode(error, '40001', '40P01')) throw error
      await Bun.sleep(Math.random() * 10 * attempt)
    }
}

const once = async <T>(
  client: postgres.Sql,
  { kind, notify }: Pick<Ways, 'kind' | 'notify'>,
  work: Work<T>,
  served?: { seat: Seat; turn: Turn; deadlines: Deadlines },
) => {
  let result: T | undefined
  const said = new Map<string, [channel: string, payload?: string]>()
  await client.begin(modeOf(kind, served), async (sql) => {
    const say: Queryable['notify'] = async (...words) => void said.set(words.join(' '), words)
    result = await work(inside(served ? sqlOfTurn(sql, served.seat, served.turn) : sql, kind, say))
    if (served?.turn.failed) throw served.turn.failed
  })
  for (const words of said.values()) notify(...words).catch(() => {})
  return result as T
}

/** A write has more time in the database than a statement of a request has otherwise (db/postgres.ts). */
const modeOf = (kind: Database['kind'], served: { seat: Seat; deadlines: Deadlines } | undefined) => {
  const mode = 'isolation level read committed'
  if (kind !== 'postgres' || !served?.seat.asker.writes) return mode
  return `${mode}; set local statement_timeout = ${served.deadlines.write}`
}

const inside = (sql: postgres.ISql, kind: Database['kind'], notify: Queryable['notify']): Transaction => {
  let orm: Orm | undefined
  return {
    kind,
    sql,
    notify,
    get orm() {
      orm ??= builderOver(sql)
      return orm
    },
  }
}
