import postgres from 'postgres'
import { bearer, type Caller, type Storm, storms } from './costly.ts'
import { median } from './figures.ts'
import { start } from './reads.ts'
import { openRig } from './rig.ts'

export type FairRow = {
  name: string
  /** The p99 of the other caller's reads alone and beside the storm, in milliseconds, and the median of the rounds' ratios. */
  alone: number
  beside: number
  ratio: number
  perSecond: number
  /** Answers to the other caller that were no 200, alone (just after the storm before) and beside. */
  failed: number
  /** The slowest answer of /health while it stormed, and how many were no 200. */
  healthMilliseconds: number
  healthFailed: number
  /** After how long the database had no statement of the service any more, once the clients were gone. */
  quietMilliseconds: number
  statuses: Record<string, number>
}

/** Readers of the other caller, and how often /health is asked. */
const readersAtOnce = 6
const healthMilliseconds = 100
/** What stays after this long did not end. */
const mostQuietMilliseconds = 10_000

/**
 * Reads by id of one caller alone, and beside all that another asks at once; each id is asked once, so that no memory
 * helps. The storm lasts for `seconds`, and the reads alone half as long.
 */
export const compareFairness = async (databaseUrl: string, seconds: number, rounds: number): Promise<FairRow[]> => {
  const rig = await openRig(databaseUrl)
  const service = await start('service.ts', 43204, databaseUrl)
  const watch = postgres(databaseUrl, { max: 1, onnotice: () => {}, connection: { application_name: 'bench' } })
  const nextId = await endlessIds(watch)
  const beginning = { service, watch, nextId, seconds }
  const rows: FairRow[] = []
  await readFor(beginning, { headers: bearer(service.token) }, '/v1', 5000)
  for (const storm of await storms(watch, service.token, rig.token)) {
    const runs: Awaited<ReturnType<typeof runOnce>>[] = []
    for (let round = 0; round < rounds; round++) runs.push(await runOnce(beginning, storm))
    rows.push({ name: storm.name, ...merged(runs) })
  }
  service.stop()
  await watch.end()
  await rig.close()
  return rows
}

type World = {
  service: { url: string }
  watch: postgres.Sql
  nextId: () => string
  seconds: number
}

/** Ids of published cards in no order, each once until all were had. */
const endlessIds = async (sql: postgres.Sql) => {
  const cards = await sql<{ id: string }[]>`
    select c.id from (select id from sets where audience = 2 order by md5(id::text) limit 1000) s
    cross join lateral (select id from cards where set_id = s.id and deleted_at is null limit 200) c order by md5(c.id::text)`
  let at = 0
  return () => cards[at++ % cards.length]?.id as string
}

const runOnce = async (world: World, storm: Storm) => {
  const { service, watch, seconds } = world
  const alone = await readFor(world, storm.other, storm.prefix, seconds * 500)
  const child = Bun.spawn(['bun', `${import.meta.dir}/storm.ts`], {
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '1000' },
  })
  const urls = storm.paths.map((path) => `${service.url}${path}`)
  child.stdin.write(JSON.stringify({ urls, headers: storm.headers, atOnce: storm.atOnce }))
  await child.stdin.end()
  await Bun.sleep(1500)
  const [beside, health] = await Promise.all([
    readFor(world, storm.other, storm.prefix, seconds * 1000),
    askHealth(service.url, seconds * 1000),
  ])
  child.kill('SIGTERM')
  const statuses = (await new Response(child.stdout).json()) as Record<string, number>
  await child.exited
  return { alone, beside, health, statuses, quiet: await untilQuiet(watch) }
}

const merged = (runs: Awaited<ReturnType<typeof runOnce>>[]): Omit<FairRow, 'name'> => ({
  alone: median(runs.map(({ alone }) => alone.p99)),
  beside: median(runs.map(({ beside }) => beside.p99)),
  ratio: median(runs.map(({ alone, beside }) => beside.p99 / alone.p99)),
  perSecond: median(runs.map(({ beside }) => beside.perSecond)),
  failed: runs.reduce((sum, { alone, beside }) => sum + alone.failed + beside.failed, 0),
  healthMilliseconds: Math.max(...runs.map(({ health }) => health.slowest)),
  healthFailed: runs.reduce((sum, { health }) => sum + health.failed, 0),
  quietMilliseconds: Math.max(...runs.map(({ quiet }) => quiet)),
  statuses: runs.reduce<Record<string, number>>((sums, { statuses }) => {
    for (const [status, count] of Object.entries(statuses)) sums[status] = (sums[status] ?? 0) + count
    return sums
  }, {}),
})

const readFor = async ({ service, nextId }: World, { headers }: Caller, prefix: string, milliseconds: number) => {
  const [began, times] = [performance.now(), [] as number[]]
  let failed = 0
  const reader = async () => {
    while (performance.now() - began < milliseconds) {
      const started = performance.now()
      const response = await fetch(`${service.url}${prefix}/cards/${nextId()}`, { headers })
      const text = await response.text()
      times.push(performance.now() - started)
      if (response.status === 200) continue
      failed++
      process.stderr.write(`${response.status} ${text}\n`)
    }
  }
  await Promise.all(Array.from({ length: readersAtOnce }, reader))
  const sorted = times.toSorted((a, b) => a - b)
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, perSecond: (times.length / milliseconds) * 1000, failed }
}

const askHealth = async (url: string, milliseconds: number) => {
  const began = performance.now()
  const asked: Promise<{ status: number; milliseconds: number }>[] = []
  while (performance.now() - began < milliseconds) {
    const started = performance.now()
    asked.push(fetch(`${url}/health`).then(({ status }) => ({ status, milliseconds: performance.now() - started })))
    await Bun.sleep(healthMilliseconds)
  }
  const answers = await Promise.all(asked)
  return {
    slowest: Math.max(...answers.map((one) => one.milliseconds)),
    failed: answers.filter(({ status }) => status !== 200).length,
  }
}

const untilQuiet = async (sql: postgres.Sql) => {
  const began = performance.now()
  for (;;) {
    const [row] = await sql<{ active: number }[]>`
      select count(*)::int as active from pg_stat_activity
      where datname = current_database() and application_name = 'cardstock' and state = 'active'`
    const waited = performance.now() - began
    if (row?.active === 0 || waited > mostQuietMilliseconds) return waited
    await Bun.sleep(20)
  }
}
