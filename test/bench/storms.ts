import { openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { clientWith } from '../support/callers.ts'
import { type Blow, storm } from '../support/storm-of-writers.ts'
import { start } from './reads.ts'

/** What a kind of request came to in a storm. */
export type StormRow = { kind: string; requests: number; p50: number; p99: number; slowest: number; statuses: string }

export type StormRun = { rows: StormRow[]; failed: string[]; deadlocks: number; drift: string[] }

const writers = 32

/**
 * 32 writers of operations, PATCH, relationships, batches and renames over 50 records for some seconds, against a service in
 * a process of its own. Deadlocks are those that PostgreSQL counted once the service has ended and told all.
 */
export const blow = async (databaseUrl: string, seconds: number): Promise<StormRun> => {
  const db = await openDatabase({ databaseUrl, dataDir: '' })
  await migrate(db)
  const service = await start('service.ts', 43206, databaseUrl, 'operator')
  const operator = clientWith((request) => fetch(request), service.url, { Authorization: `Bearer ${service.token}` })
  const writer = await storm(operator)
  const until = performance.now() + seconds * 1000
  const goesOn = () => performance.now() < until
  const blows = (await Promise.all(Array.from({ length: writers }, (_, n) => writer(n * 7919 + 1, goesOn)))).flat()
  service.stop()
  for (let sessions = 2; sessions > 1; await Bun.sleep(100)) {
    const [row] = await db.sql<{ sessions: number }[]>`
      select count(*)::int as sessions from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and application_name = 'cardstock'
        and pid <> pg_backend_pid()`
    sessions = (row?.sessions ?? 0) - db.pool().running
  }
  const [stat] = await db.sql<{ deadlocks: string }[]>`
    select deadlocks from pg_stat_database where datname = current_database()`
  const drift = await db.sql<{ what: string; place: string }[]>`select what, place from drift limit 5`
  await db.close()
  const kinds = ['operations', 'patch', 'relationship', 'batch', 'rename']
  return {
    rows: [
      rowOf('all', blows),
      ...kinds.map((kind) =>
        rowOf(
          kind,
          blows.filter((one) => one.kind === kind),
        ),
      ),
    ],
    failed: blows.filter(({ status }) => status >= 500).map(({ kind, status, text }) => `${kind} ${status} ${text}`),
    deadlocks: Number(stat?.deadlocks),
    drift: drift.map(({ what, place }) => `${what} ${place}`),
  }
}

const rowOf = (kind: string, blows: Blow[]): StormRow => {
  const times = blows.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  const statuses = Object.entries(Object.groupBy(blows, ({ status }) => status))
    .map(([status, some]) => `${status}: ${some?.length}`)
    .join(', ')
  return { kind, requests: times.length, p50: at(0.5), p99: at(0.99), slowest: at(1), statuses }
}
