import { AsyncLocalStorage } from 'node:async_hooks'
import type postgres from 'postgres'
import { isConnectionLost } from './faults.ts'
import { OutcomeUnknown } from './late.ts'
import type { Asker, Connections, Stoppable, Turn } from './turns.ts'
import type { Watch } from './watch.ts'

/** A postgres.js statement before it is sent. `handler` sends it, `resolve` and `reject` settle it. */
export type Statement = {
  handler: (statement: Statement) => void
  resolve: (rows: unknown) => void
  reject: (error: unknown) => void
  cancel: () => Promise<unknown> | null
  /** Whether it is running in the database. */
  active: boolean
  /** Its connection, once it was sent. */
  state: { drop: () => void } | null
  /** Whether it has ended. What its connection does after that belongs to somebody else. */
  isOver?: boolean
  /** Resolves once the database has received the request to end it. */
  stopping?: Promise<unknown>
  /** Set if it was canceled. If it wasn't sent by then, it is already settled. */
  cancelled: unknown
  /** Its text, around its arguments, and whether it was written as a template. */
  strings: readonly string[]
  args: readonly unknown[]
  tagged: boolean
  options: object
  /** How its rows arrive, if not as objects all at once. */
  isRaw?: unknown
  cursorFn?: unknown
  forEachFn?: unknown
  onlyDescribe?: unknown
  /** The text that was sent, with placeholders for its arguments. */
  string?: string
  /** When it was its turn, by `performance.now()`. */
  sentAt?: number
}

/** Who asks, and on which connections. */
export type Seat = { connections: Connections; asker: Asker; isHeavy: boolean }

/**
 * The SQL of a client. Each statement waits for its turn and ends at its deadline. Fragments of other statements are never
 * sent, and take no turn.
 */
export const sqlInTurn = (client: postgres.ISql, seat: Seat): postgres.ISql =>
  intercepted(client, (statement, send) => runInTurn(seat, statement, send))

/** The SQL of a transaction that has its turn. Its statements end with it, and none is sent after it was given up. */
export const sqlOfTurn = (client: postgres.ISql, { connections }: Seat, turn: Turn): postgres.ISql =>
  intercepted(client, (statement, send) => {
    if (turn.failed) return statement.reject(turn.failed)
    if (statement.cancelled) return
    onceSettled(statement, () => connections.note(turn, undefined))
    connections.note(turn, stoppable(statement))
    send(statement)
  })

/** Runs work that occupies one connection from start to end, once it is its turn. */
export const workInTurn = <T>(seat: Seat, work: (turn: Turn) => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const { connections } = seat
    // It may begin when somebody else's work ends, and is no part of that.
    const begin = AsyncLocalStorage.bind(() => {
      work(turn)
        .finally(() => connections.end(turn))
        .then(resolve, reject)
    })
    const turn = newTurn(seat, reject, begin)
    connections.take(turn)
  })

/** The SQL of a client whose statements somebody watches. */
export const sqlWatched = (client: postgres.ISql, asker: Asker, watch: Watch | undefined): postgres.ISql =>
  watch
    ? intercepted(client, (statement, send) => {
        tellEnd(statement, watch(asker))
        send(statement)
      })
    : client

const tellEnd = (statement: Statement, ended: ReturnType<Watch>) => {
  const { resolve, reject } = statement
  const askedAt = performance.now()
  let isTold = false
  const tell = (error?: unknown) => {
    const { string: text, sentAt = askedAt } = statement
    // One that is late ends twice: for its caller, and later in the database. Without a text, it was never sent.
    if (text && !isTold) ended({ text, sentAt, error })
    isTold = true
  }
  statement.resolve = (rows) => {
    tell()
    resolve(rows)
  }
  statement.reject = (error) => {
    tell(error)
    reject(error)
  }
}

const runInTurn = (seat: Seat, statement: Statement, send: Statement['handler']) => {
  const { connections } = seat
  const reject = (error: unknown) => refuse(mayHaveWritten(seat, statement, error) ? new OutcomeUnknown(error) : error)
  const refuse = statement.reject
  statement.reject = reject
  const giveUp = (error: Error) => {
    // The waiting caller is told at once. The statement itself runs until it is stopped.
    const { active } = statement
    reject(error)
    statement.active = active
  }
  const turn = newTurn(seat, giveUp, () => {
    if (statement.cancelled) return connections.end(turn)
    onceSettled(statement, () => connections.end(turn))
    connections.note(turn, stoppable(statement))
    statement.sentAt = turn.movedAt
    send(statement)
  })
  connections.take(turn)
}

/** Whether a statement that commits on its own was sent and lost. What only selects changes nothing. */
const mayHaveWritten = ({ asker }: Seat, { state, strings }: Statement, error: unknown) =>
  asker.writes === true && Boolean(state) && isConnectionLost(error) && !/^\s*select\b/i.test(strings[0] ?? '')

const newTurn = ({ asker, isHeavy }: Seat, giveUp: Turn['giveUp'], begin: () => void): Turn => {
  const turn: Turn = {
    ...{ key: asker.key, isUrgent: asker.isUrgent, isForMany: asker.isForMany, isHeavy },
    ...{ asker, askedAt: performance.now(), giveUp },
    begin: () => {
      turn.hasBegun = true
      turn.movedAt = performance.now()
      begin()
    },
  }
  return turn
}

const onceSettled = (statement: Statement, settled: () => void) => {
  const { resolve, reject } = statement
  // The connection isn't reused while the database may still end whatever runs on it.
  const onceHeard = () => (statement.stopping ? void statement.stopping.then(settled) : settled())
  statement.resolve = (rows) => {
    statement.isOver = true
    // Its connection becomes free a moment later. Right now, the next statement would be queued behind another one.
    queueMicrotask(onceHeard)
    resolve(rows)
  }
  statement.reject = (error) => {
    statement.isOver = true
    // A lost connection is closed first, so that the next statement goes to another one.
    setImmediate(onceHeard)
    reject(error)
  }
}

/**
 * Asks the database to end a statement. Whether it did shows when the statement settles; if that takes too long, its connection
 * is thrown away.
 */
const stoppable = (statement: Statement): Stoppable => ({
  isSent: () => Boolean(statement.state),
  stop: () => {
    if (statement.isOver) return
    statement.stopping = Promise.resolve(statement.cancel()).catch(() => {})
    void statement.stopping
      .then(() => Bun.sleep(graceMilliseconds))
      .then(() => void (statement.isOver || statement.state?.drop()))
  },
})

const graceMilliseconds = 2000

/** A client whose statements are handed to somebody who sends them. Fragments of other statements never are. */
export const intercepted = (
  client: postgres.ISql,
  handle: (statement: Statement, send: Statement['handler']) => void,
): postgres.ISql => {
  const intercept = (made: unknown) => {
    const statement = made as Statement
    const send = statement.handler
    statement.handler = () => handle(statement, send)
    return made
  }
  const tagged = (first: unknown, ...rest: unknown[]) => {
    const made = (client as unknown as (...words: unknown[]) => unknown)(first, ...rest)
    return (first as { raw?: unknown } | null)?.raw ? intercept(made) : made
  }
  const { unsafe, array, json, typed, types, options } = client as postgres.Sql
  return Object.assign(tagged, {
    ...{ array, json, typed, types, options },
    unsafe: (...words: Parameters<typeof unsafe>) => intercept(unsafe(...words)),
  }) as unknown as postgres.ISql
}
