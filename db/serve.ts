import type postgres from 'postgres'
import type { Asker, Connections, Stoppable, Turn } from './turns.ts'

/** A statement of postgres.js before it is sent: `handler` sends it, `resolve` and `reject` settle it. */
type Statement = {
  handler: (statement: Statement) => void
  resolve: (rows: unknown) => void
  reject: (error: unknown) => void
  cancel: () => Promise<unknown> | null
  /** Whether it is at work in the database. */
  active: boolean
  /** What it needs to be cancelled, once it was sent. */
  state: unknown
  /** Whether it ended: what its connection does then is somebody else's. */
  isOver?: boolean
  /** Ends when the database has heard that it is to end it. */
  stopping?: Promise<unknown>
  /** Set if it was cancelled; one that was not sent by then is already settled. */
  cancelled: unknown
}

/** Who asks, and on which connections. */
export type Seat = { connections: Connections; asker: Asker; isHeavy: boolean }

/**
 * The SQL of a client, each statement of which waits for its turn and ends at its deadline. What is only a piece of another
 * statement is never sent, and takes no turn.
 */
export const sqlInTurn = (client: postgres.ISql, seat: Seat): postgres.ISql =>
  intercepted(client, (statement, send) => runInTurn(seat, statement, send))

/** The SQL of a transaction that has its turn: its statements end with it, and after it was given up none is sent. */
export const sqlOfTurn = (client: postgres.ISql, { connections }: Seat, turn: Turn): postgres.ISql =>
  intercepted(client, (statement, send) => {
    if (turn.failed) return statement.reject(turn.failed)
    if (statement.cancelled) return
    onceSettled(statement, () => connections.note(turn, undefined))
    connections.note(turn, stoppable(statement))
    send(statement)
  })

/** Runs work that takes one connection from its begin to its end, once it is its turn. */
export const workInTurn = <T>(seat: Seat, work: (turn: Turn) => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const { connections } = seat
    const turn = newTurn(seat, reject, () => {
      work(turn)
        .finally(() => connections.end(turn))
        .then(resolve, reject)
    })
    connections.take(turn)
  })

const runInTurn = (seat: Seat, statement: Statement, send: Statement['handler']) => {
  const { connections } = seat
  const { reject } = statement
  const giveUp = (error: Error) => {
    // The waiting caller hears it now; the statement itself runs until it is stopped.
    const { active } = statement
    reject(error)
    statement.active = active
  }
  const turn = newTurn(seat, giveUp, () => {
    if (statement.cancelled) return connections.end(turn)
    onceSettled(statement, () => connections.end(turn))
    connections.note(turn, stoppable(statement))
    send(statement)
  })
  connections.take(turn)
}

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
  // The connection takes nothing else while the database may yet end whatever it does there.
  const onceHeard = () => (statement.stopping ? void statement.stopping.then(settled) : settled())
  statement.resolve = (rows) => {
    statement.isOver = true
    // Its connection is free a moment later: now the next statement would be sent behind another one.
    queueMicrotask(onceHeard)
    resolve(rows)
  }
  statement.reject = (error) => {
    statement.isOver = true
    // A connection that was lost is closed first: the next statement goes to another one.
    setImmediate(onceHeard)
    reject(error)
  }
}

/** Asks the database to end a statement; whether it did is seen when the statement settles. */
const stoppable = (statement: Statement): Stoppable => ({
  isSent: () => Boolean(statement.state),
  stop: () => {
    if (statement.isOver) return
    statement.stopping = Promise.resolve(statement.cancel()).catch(() => {})
  },
})

const intercepted = (
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
