import postgres from 'postgres'
import { type Database, openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { issueCredential } from '../../src/access/credentials.ts'
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
  const write = await storm(operator)
  const callers = await Promise.all(Array.from({ length: writers }, () => aWriter(db, service.url)))
  const until = performance.now() + seconds * 1000
  const goesOn = () => performance.now() < until
  const blows = (await Promise.all(callers.map((each, n) => write(each, n * 7919 + 1, goesOn)))).flat()
  service.stop()
  await db.close()
  const server = postgres(databaseUrl, { max: 1, onnotice: () => {}, connection: { application_name: 'bench' } })
  for (let sessions = 1; sessions > 0; await Bun.sleep(100)) {
    const [row] = await server<{ sessions: number }[]>`
      select count(*)::int as sessions from pg_stat_activity
      where datname = current_database() and application_name = 'cardstock'`
    sessions = row?.sessions ?? 0
  }
  const [stat] = await server<{ deadlocks: string }[]>`
    select deadlocks from pg_stat_database where datname = current_database()`
  const drift = await server<{ what: string; place: string }[]>`select what, place from drift limit 5`
  await server.end()
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

/** A session of a new operator, who has turns and a window of their own. */
const aWriter = async (db: Database, url: string) => {
  const [owner, now] = [Bun.randomUUIDv7(), new Date()]
  const email = `${owner}@example.org`
  await db.sql`
    insert into users (id, email, email_key, operator, created_at, updated_at)
    values (${owner}, ${email}, ${email}, true, now(), now())`
  const { secret } = await issueCredential(db, 'session', owner, { brand: 'cardstock', appEnv: '' }, now)
  return clientWith((request) => fetch(request), url, { Authorization: `Bearer ${secret}` })
}

const rowOf = (kind: string, blows: Blow[]): StormRow => {
  const times = blows.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  const statuses = Object.entries(Object.groupBy(blows, ({ status }) => status))
    .map(([status, some]) => `${status}: ${some?.length}`)
    .join(', ')
  return { kind, requests: times.length, p50: at(0.5), p99: at(0.99), slowest: at(1), statuses }
}
