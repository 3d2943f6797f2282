import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { compareImports } from './before-imports.ts'
import { type Load, load } from './load.ts'
import { type BeforeRow, inTurn, pairs, rowOf, type Side, type Sides, sides } from './sides.ts'

const databases: Sides<string> = { before: 'cardstock_bench_before', after: 'cardstock_bench_after' }

/**
 * Compares two executables in turns, on PostgreSQL. Each imports the collection into databases of its own. The catalog of the
 * older one is then copied and migrated for the newer one. Both serve theirs, and are asked in turns: every card by id, lists,
 * searches. Also measures starts and the memory of a service at rest. The figures are medians of rounds, the ratios medians of
 * the ratios of each round. `fresh` makes an empty database, or a copy of one, and answers its URL.
 */
export async function* compareBefore(
  executables: Sides<string>,
  fresh: (name: string, from?: string) => Promise<string>,
  source: string,
  { seconds, rounds, importRounds }: { seconds: number; rounds: number; importRounds: number },
): AsyncGenerator<BeforeRow> {
  const place = mkdtempSync(join(tmpdir(), 'cardstock-bench-before-'))
  const folders: Sides<string> = { before: join(place, 'before'), after: join(place, 'after') }
  for (const side of sides) mkdirSync(folders[side])
  const urls: Sides<string> = { before: '', after: '' }
  const command = (side: Side, ...words: string[]) => runIn(folders[side], executables[side], urls[side], words)

  yield* compareImports(importRounds, 'PostgreSQL', async (side) => {
    urls[side] = await fresh(databases[side])
    await command(side, 'migrate')
    return () => command(side, 'import', '--publish', source)
  })
  yield* compareImports(importRounds, 'embedded', async (side) => {
    const folder = mkdtempSync(join(folders[side], 'embedded-'))
    const run = (...words: string[]) => runIn(folder, executables[side], '', words)
    await run('migrate')
    return () => run('import', '--publish', source)
  })

  urls.after = await fresh(databases.after, databases.before)
  await command('after', 'migrate')

  const starts = pairs()
  const memory = pairs()
  for (let round = 0; round < rounds; round++)
    for (const side of inTurn(round)) {
      const service = await serve(executables[side], urls[side], folders[side])
      starts[side].push(service.startSeconds)
      await Bun.sleep(2000)
      memory[side].push(await residentMegabytes(service.pid))
      await service.stop()
    }
  yield rowOf('start until /health answers', starts, 's', 1.05)
  yield rowOf('memory two seconds after the start', memory, 'MB', 1.05)

  const services = {} as Sides<Served>
  for (const side of sides) {
    await command(
      side,
      'user',
      'create',
      '--email',
      'bench@example.org',
      '--password',
      'bench bench bench',
      '--plan',
      'pro',
    )
    const made = await command(side, 'key', 'create', '--user', 'bench@example.org', '--json')
    await command(side, 'limit', 'set', '--user', 'bench@example.org', '--limit', '999999999', '--window', '86400')
    const { key } = JSON.parse(made.out) as { key: string }
    services[side] = { ...(await serve(executables[side], urls[side], folders[side])), key }
  }
  const asked = await questions(urls.after)
  for (const [name, paths] of Object.entries(asked.loads)) {
    const rates = pairs()
    const ask = (side: Side, time: number): Promise<Load> => {
      const { address, key } = services[side]
      return load(
        paths.map((path) => address + path),
        { Authorization: `Bearer ${key}` },
        time,
      )
    }
    for (const side of sides) await ask(side, 4)
    for (let round = 0; round < rounds; round++)
      for (const side of inTurn(round)) {
        const { perSecond, failed } = await ask(side, seconds)
        if (failed > 0) throw new Error(`${name}: ${failed} failed`)
        rates[side].push(1e6 / perSecond)
      }
    yield rowOf(name, rates, 'µs', 1.02)
  }
  const times: Record<'p50' | 'p99', Sides<number[]>> = { p50: pairs(), p99: pairs() }
  for (let round = 0; round <= rounds; round++)
    for (const side of inTurn(round)) {
      const each = await timeEach(services[side], asked.searches)
      if (round === 0) continue
      times.p50[side].push(each[Math.floor(each.length * 0.5)] as number)
      times.p99[side].push(each[Math.floor(each.length * 0.99)] as number)
    }
  yield rowOf('search, one at a time, p50', times.p50, 'ms', 1.05)
  yield rowOf('search, one at a time, p99', times.p99, 'ms', 1.05)
  for (const side of sides) await services[side].stop()
  rmSync(place, { recursive: true, force: true })
}

/** Runs a command of an executable, on the embedded database if there is no URL. Throws if it fails. */
const runIn = async (folder: string, executable: string, databaseUrl: string, words: string[]) => {
  const env = { ...settings(databaseUrl), DATA_DIR: folder }
  const child = Bun.spawn([executable, ...words], { env, cwd: folder, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${words.join(' ')}: ${err}`)
  return { out, processor: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6 }
}

const settings = (databaseUrl: string) => ({
  ...{
    PATH: process.env.PATH ?? '',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    APP_ENV: 'development',
    LOG_LEVEL: 'warn',
  },
  APP_SECRET: 'a secret for the bench alone, no other',
})

type Service = { address: string; pid: number; startSeconds: number; stop: () => Promise<void> }
type Served = Service & { key: string }

const serve = async (executable: string, databaseUrl: string, folder: string): Promise<Service> => {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  const { port } = server
  server.stop(true)
  const started = performance.now()
  const env = { ...settings(databaseUrl), DATA_DIR: folder, PORT: String(port), HOST: '127.0.0.1' }
  const child = Bun.spawn([executable, 'serve'], { env, cwd: folder, stdout: 'ignore', stderr: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  const address = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(`${address}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`${executable} ended with ${child.exitCode}`)
    await Bun.sleep(5)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  return { address, pid: child.pid, startSeconds: (performance.now() - started) / 1000, stop }
}

const residentMegabytes = async (pid: number) => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await Bun.file(`/proc/${pid}/status`).text()) ?? []
  return Number(kilobytes) / 1000
}

/** Paths of every card by id, of lists of sets with and without what is on the cards, and searches for people, sets and numbers. */
const questions = async (databaseUrl: string) => {
  const sql: Sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const cards = await sql<{ id: string }[]>`select id from cards where deleted_at is null order by md5(id::text)`
  const sets = await sql<{ id: string }[]>`select id from sets where live_cards >= 25 order by md5(id::text)`
  const people = await sql<{ name: string; last: string; number: string; set: string }[]>`
    select p.name, p.last_name as last, c.number, s.name as set
    from cards c join sets s on s.id = c.set_id join oncard o on o.card_id = c.id join players p on p.id = o.player_id
    order by md5(c.id::text) limit 60`
  await sql.end()
  const set = ({ id }: { id: string }) => `/v1/cards?filter%5Bset_id%5D=${id}&per_page=25`
  return {
    loads: {
      'GET /v1/cards/{id}': cards.map(({ id }) => `/v1/cards/${id}`),
      'GET /v2/cards/{id}': cards.map(({ id }) => `/v2/cards/${id}`),
      'GET /v1/cards of a set, 25': sets.map(set),
      'the same with include=set,oncard,attributes': sets.map((each) => `${set(each)}&include=set,oncard,attributes`),
      'GET /v1/sets/{id}': sets.map(({ id }) => `/v1/sets/${id}`),
    },
    searches: people
      .map((one) => ({ ...one, set: one.set.replaceAll(' - ', ' ') }))
      .flatMap(({ name, last, number, set: of }) => [name, last, `${last} ${of}`, `${last} #${number}`, of])
      .map((q) => `/v2/search?q=${encodeURIComponent(q)}`),
  }
}

/** Milliseconds of each request, one after the other, from the shortest to the longest. */
const timeEach = async ({ address, key }: Served, paths: string[]) => {
  const times: number[] = []
  for (const path of paths) {
    const started = performance.now()
    const response = await fetch(address + path, { headers: { Authorization: `Bearer ${key}` } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)
}
