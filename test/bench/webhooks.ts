import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { builtExecutable } from '../support/executable.ts'
import { median } from './figures.ts'
import { generateCatalog } from './generate.ts'
import { type Load, load } from './load.ts'
import { calm as jobsDone, tokenOf } from './memory.ts'
import { processorTime, startExecutable } from './process.ts'
import { many, samples } from './reads.ts'

/** How long a change may take to reach those that answer, and how much slower callers may be meanwhile. */
export const webhookBounds = { p99Milliseconds: 3000, slower: 1.05 }
const receivers = { quick: 900, hanging: 100 }
/** How many deliveries each was sent before. */
const deliveriesEach = 100
/** How often a set is published while callers are measured. */
const changeEverySeconds = 10
const connections = 8

/** From a change to its deliveries, over some changes, in milliseconds; and what a delivery costs the service's processor. */
type DeliveryRow = { name: string; p50: number; p99: number; processorMilliseconds: number }
/** Callers' reads by id with webhooks against without: the medians of the rounds' ratios. */
type CallersRow = { perSecondRatio: number; p99Ratio: number; perSecond: number; failed: number; delivered: number }

/**
 * Tells 900 receivers that answer of changes, while 100 others hang, and were not known to, or do so since a while; then reads by id
 * with a set published every ten seconds, with all webhooks paused and with all of them active.
 */
export const measureWebhooks = async (databaseUrl: string, seconds: number, rounds: number) => {
  const db = await openDatabase({ databaseUrl, dataDir: '' })
  await migrate(db)
  await generateCatalog(db, 10_000)
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-bench-webhooks-'))
  const [reader, operator] = [await tokenOf(databaseUrl, 'reader'), await tokenOf(databaseUrl, 'operator')]
  const settings = { DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_PRIVATE: 'true' }
  const { child, url, stop } = await startExecutable(await builtExecutable(), folder, settings)
  const [quick, hanging] = [aReceiver('at once'), aReceiver('never')]
  const world: World = { db, url, operator, quick, hanging, processor: () => processorTime(child) }
  try {
    await jobsDone(world)
    await fillWebhooks(world)
    const deliveries: DeliveryRow[] = []
    for (const name of ['nothing hangs', 'a hundred hang, and did not before', 'a hundred hang since a while'] as const)
      deliveries.push({ name, ...(await tell(world, name, rounds)) })
    return {
      deliveries,
      callers: await compareCallers(world, reader, Math.max(seconds, changeEverySeconds), rounds),
    }
  } finally {
    await stop()
    await db.close()
    quick.stop()
    hanging.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type World = {
  db: Database
  url: string
  operator: Record<string, string>
  quick: ReturnType<typeof aReceiver>
  hanging: ReturnType<typeof aReceiver>
  processor: () => Promise<number>
}

const post = async ({ url, operator }: World, path: string, type: string, attributes: object) => {
  const headers = { ...operator, 'Content-Type': 'application/vnd.api+json' }
  const body = JSON.stringify({ data: { type, attributes } })
  const answer = await fetch(url + path, { method: 'POST', headers, body })
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status} ${await answer.text()}`)
}

let sets = 0
const publish = (world: World) => post(world, '/v1/sets', 'sets', { name: `Told ${++sets}`, status: 'published' })

/** One that was made as callers do, as many like it, and what they were sent. */
const fillWebhooks = async (world: World) => {
  const { db, quick, hanging } = world
  await post(world, '/internal/webhooks', 'webhooks', { target_url: quick.url, events: ['set.published'] })
  const alike = (target: string, count: number) => db.sql`
    insert into webhooks (id, user_id, target_url, events, secret, changes_from, events_from, created_at, updated_at)
    select gen_random_uuid(), user_id, ${target}, events, secret, changes_from, events_from, created_at, updated_at
    from (select * from webhooks limit 1) w, generate_series(1, ${count}::int)`
  await alike(hanging.url, receivers.hanging)
  await alike(quick.url, receivers.quick - 1)
  await db.sql`
    insert into webhook_deliveries (id, webhook_id, event, body, status, in_order, created_at)
    select gen_random_uuid(), w.id, 'set.published', '{}', 'delivered', true, now()
    from webhooks w, generate_series(1, ${deliveriesEach}::int)`
  await db.sql`vacuum analyze`
}

/** Waits until nothing is being sent, to those that hang either. */
const calm = ({ db }: World) =>
  until(async () => (await db.sql`select from webhooks where holder is not null limit 1`).length === 0)

/** Those that hang are paused, new and first in line, or failing already. */
const arrange = async ({ db, hanging }: World, name: string) => {
  await db.sql`delete from webhook_deliveries where status = 'pending'`
  await db.sql`
    update webhooks w set holder = null, locked_until = null, due_at = null, events_from = f.last + 1, events_taken = 0,
      failing_since = case when target_url = ${hanging.url} and ${name.includes('since')} then now() end,
      paused_at = case when target_url = ${hanging.url} and ${name.includes('nothing')} then now() end,
      tried_at = case when target_url <> ${hanging.url} then now() end
    from feed f`
}

const tell = async (world: World, name: string, rounds: number) => {
  const times: number[] = []
  const costs: number[] = []
  for (let round = 0; round < rounds; round++) {
    await calm(world)
    await arrange(world, name)
    await Bun.sleep(2000)
    world.quick.arrivals.length = 0
    const before = await world.processor()
    const began = performance.now()
    await publish(world)
    await until(() => world.quick.arrivals.length >= receivers.quick)
    await Bun.sleep(500)
    costs.push((((await world.processor()) - before) * 1000) / receivers.quick)
    times.push(...world.quick.arrivals.map((at) => at - began))
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), processorMilliseconds: median(costs) }
}

const compareCallers = async (world: World, reader: Record<string, string>, seconds: number, rounds: number) => {
  const { cards } = await samples(world.db, { sets: 0, cards: many.cards })
  const urls = cards.map((id) => `${world.url}/v1/cards/${id}`)
  await load(urls, reader, 3, connections)
  await calm(world)
  await arrange(world, 'new')
  world.quick.arrivals.length = 0
  const readFor = async (paused: boolean) => {
    await world.db
      .sql`update webhooks w set paused_at = case when ${paused} then now() end, events_from = f.last + 1 from feed f`
    const timer = setInterval(() => void publish(world).catch(() => {}), changeEverySeconds * 1000)
    const first = Bun.sleep(1000).then(() => publish(world))
    const [run] = await Promise.all([load(urls, reader, seconds, connections), first])
    clearInterval(timer)
    return run
  }
  const runs: { without: Load; beside: Load }[] = []
  for (let round = 0; round < rounds; round++) runs.push({ without: await readFor(true), beside: await readFor(false) })
  const callers: CallersRow = {
    perSecondRatio: median(runs.map(({ without, beside }) => without.perSecond / beside.perSecond)),
    p99Ratio: median(runs.map(({ without, beside }) => beside.p99Milliseconds / without.p99Milliseconds)),
    perSecond: median(runs.map(({ without }) => without.perSecond)),
    failed: runs.reduce((sum, { without, beside }) => sum + without.failed + beside.failed, 0),
    delivered: world.quick.arrivals.length,
  }
  return callers
}

/** A server on this machine that answers with 204, at once or never, and notes when it was asked. */
const aReceiver = (when: 'at once' | 'never') => {
  const arrivals: number[] = []
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 60 },
    fetch: async (request) => {
      await request.text()
      arrivals.push(performance.now())
      return when === 'never' ? new Promise<Response>(() => {}) : new Response(null, { status: 204 })
    },
  })
  return { arrivals, url: `http://127.0.0.1:${server.port}/hook`, stop: () => server.stop(true) }
}

const until = async (isSo: () => boolean | Promise<boolean>) => {
  while (!(await isSo())) await Bun.sleep(50)
}
