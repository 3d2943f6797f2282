import type postgres from 'postgres'
import { intercepted, type Seat, type Statement, workInTurn } from '../serve.ts'
import { isRead } from './lane.ts'
import { type Mark, nextMark, type PrimaryState } from './position.ts'
import { readPrimary } from './probe.ts'
import { openReplica, type Replica, type Surroundings } from './replica.ts'

/** Who answers the reads of one request: a replica, until it refuses one. From then on it is the primary, which is never older. */
export type Reading = { replica?: Replica }

/** How a server does. The primary has no lag. */
export type Served = { server: string; reads: number; isServing?: boolean; lagSeconds?: number }

/** The replicas of a database. */
export type Replicas = {
  /** Notes what the gate's statement said, before any request that it admits reads. */
  know: (primary: PrimaryState) => void
  /** Chooses who answers a request's reads. */
  begin: () => Reading
  /** SQL whose reads go to the replica first. `primary` is the same for the primary. */
  sqlOf: (readingOf: () => Reading, primary: postgres.ISql, seat: Seat) => postgres.ISql
  served: () => Served[]
  close: () => Promise<unknown>
}

type Options = Omit<Surroundings, 'mark' | 'database'> & { urls: readonly string[]; primary: postgres.ISql }

/** Starts to follow replicas, once the primary has said what they are compared with. */
export const openReplicas = ({ urls, primary, ...common }: Options): Replicas => {
  let mark: (Mark & { state: string | null }) | undefined
  let replicas: Replica[] = []
  let isClosed = false
  const reads = new Map<Replica | undefined, number>()
  const know = (said: PrimaryState) => {
    mark = nextMark(mark, said)
  }
  const begin = async () => {
    const { database, ...said } = await readPrimary(primary)
    know(said)
    if (isClosed) return
    replicas = urls.map((url) => openReplica(url, { ...common, database, mark: () => mark as Mark }))
  }
  const beginOnce = () =>
    void begin().catch((error) => {
      common.log?.warn('replicas left out', { reason: (error as Error).message })
      if (!isClosed) setTimeout(beginOnce, againMilliseconds).unref()
    })
  beginOnce()
  const count = (server: Replica | undefined) => reads.set(server, (reads.get(server) ?? 0) + 1)
  return {
    know,
    begin: () => ({ replica: leastBusy(replicas.filter(({ isServing }) => isServing())) }),
    sqlOf: (readingOf, primarySql, seat) =>
      intercepted(primarySql, (statement, send) => {
        const reading = readingOf()
        const { replica } = reading
        const ask = () => {
          reading.replica = undefined
          count(undefined)
          send(statement)
        }
        if (!replica || !isRead(statement)) return ask()
        const answer = (rows: unknown) => {
          count(replica)
          statement.resolve(rows)
        }
        readInTurn(replica, { statement, seat, answer, refuse: ask })
      }),
    served: () => [
      { server: 'primary', reads: reads.get(undefined) ?? 0 },
      ...replicas.map((replica) => ({
        server: replica.server,
        reads: reads.get(replica) ?? 0,
        isServing: replica.isServing(),
        lagSeconds: replica.lagSeconds(),
      })),
    ],
    close: () => {
      isClosed = true
      return Promise.all(replicas.map(({ close }) => close()))
    },
  }
}

const againMilliseconds = 5000

/** The one with the fewest reads under way; of several, any. */
const leastBusy = (replicas: Replica[]): Replica | undefined => {
  const counted = replicas.map((replica) => ({ replica, ...replica.connections.counts(), by: Math.random() }))
  return counted.toSorted((a, b) => a.running + a.waiting - (b.running + b.waiting) || a.by - b.by)[0]?.replica
}

type Asked = { statement: Statement; seat: Seat; answer: (rows: unknown) => void; refuse: () => void }

/** Reads on a replica in the caller's turn. Rejects the statement if nobody waits for it any more. */
const readInTurn = ({ connections, read }: Replica, { statement, seat, answer, refuse }: Asked) => {
  let isGivenUp = false
  const work = async () => {
    const reading = read(statement)
    if (!reading) return refuse()
    const result = await reading.outcome
    if ('rows' in result) answer(result.rows)
    else if (!isGivenUp) refuse()
    await reading.settled
  }
  workInTurn({ ...seat, connections }, work).catch((error) => {
    isGivenUp = true
    statement.reject(error)
  })
}
