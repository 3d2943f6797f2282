import { type Database, openDatabase } from '../../db/client.ts'
import { median, moveOn } from './figures.ts'
import { type Load, load } from './load.ts'

type Process = { url: string; pid: number; token: string; stop: () => void }

const here = import.meta.dir

/** Starts a script of this folder as a server of its own, and waits until it answers. */
export const start = async (script: string, port: number, databaseUrl: string, who = 'reader'): Promise<Process> => {
  const child = Bun.spawn(['bun', `${here}/${script}`, String(port), databaseUrl, who], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 200; tries++) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) break
    if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}.`)
    await Bun.sleep(50)
  }
  const token = script === 'service.ts' ? await firstLine(child.stdout) : ''
  return { url, pid: child.pid, token, stop: () => child.kill('SIGTERM') }
}

const firstLine = async (output: ReadableStream<Uint8Array>) => {
  let text = ''
  for await (const chunk of output as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('\n')) break
  }
  return text.split('\n')[0] ?? ''
}

export type ReadRow = {
  name: string
  perSecond: number
  ratio: number
  p99Milliseconds: number
  failed: number
  bound: number
}

/** Ids of published cards and sets, spread over the catalog. */
const samples = async (db: Database) => {
  const sets = await db.sql<{ id: string }[]>`
    select id from sets where audience = 2 and live_cards >= 25 order by md5(id::text) limit 300`
  const cards = await db.sql<{ id: string }[]>`
    select c.id from (select id from sets where audience = 2 and live_cards > 0 order by md5(id::text) limit 500) s
    cross join lateral (select id from cards where set_id = s.id and deleted_at is null limit 1) c`
  return { sets: sets.map((row) => row.id), cards: cards.map((row) => row.id) }
}

/** A service is compared when its code is compiled, as it is for all but the first seconds of its life. */
const warmUpSeconds = 10

/**
 * Throughput of the two hot reads against a bare Bun.serve with one SELECT on the same machine, in turns, several rounds;
 * the medians of the ratios.
 */
export const compareReads = async (databaseUrl: string, seconds: number, rounds: number): Promise<ReadRow[]> => {
  const db = await openDatabase({ databaseUrl, dataDir: '' })
  const { sets, cards } = await samples(db)
  const floor = await start('floor.ts', 43201, databaseUrl)
  const service = await start('service.ts', 43202, databaseUrl)
  const headers = { Authorization: `Bearer ${service.token}` }
  const byId = cards.map((id) => `${service.url}/v1/cards/${id}`)
  const lists = sets.map((id) => `${service.url}/v1/cards?filter%5Bset_id%5D=${id}&include=set,oncard,attributes`)
  const runs: { floor: Load; byId: Load; list: Load; written: Load }[] = []
  for (const urls of [byId, lists]) await load(urls, headers, warmUpSeconds)
  for (let round = 0; round < rounds; round++)
    runs.push({
      floor: await load(
        cards.map((id) => `${floor.url}/${id}`),
        {},
        seconds,
      ),
      byId: await load(byId, headers, seconds),
      list: await load(lists, headers, seconds),
      written: await whileWriting(db, () => load(lists, headers, seconds)),
    })
  await db.close()
  floor.stop()
  service.stop()
  const row = (name: string, which: keyof (typeof runs)[number], bound: number): ReadRow => ({
    name,
    perSecond: median(runs.map((run) => run[which].perSecond)),
    ratio: median(runs.map((run) => run[which].perSecond / run.floor.perSecond)),
    p99Milliseconds: median(runs.map((run) => run[which].p99Milliseconds)),
    failed: runs.reduce((sum, run) => sum + run[which].failed, 0),
    bound,
  })
  return [
    row('bare SELECT by id', 'floor', 1),
    row('GET /v1/cards/{id}', 'byId', 0.5),
    row('GET /v1/cards by set, 25 rows, include=set,oncard,attributes', 'list', 0.25),
    row('the same list while the catalog is written ten times a second', 'written', 0),
  ]
}

/** Ends what is remembered ten times a second, as writers would. */
const whileWriting = async <T>(db: Database, work: () => Promise<T>): Promise<T> => {
  const writing = setInterval(() => void moveOn(db), 100)
  return work().finally(() => clearInterval(writing))
}

export type SoakRow = { second: number; perSecond: number; rssMegabytes: number }

/** Reads by id for some minutes, in slices: throughput must not fall, memory must not grow. */
export const soak = async (databaseUrl: string, seconds: number): Promise<SoakRow[]> => {
  const db = await openDatabase({ databaseUrl, dataDir: '' })
  const { cards } = await samples(db)
  await db.close()
  const service = await start('service.ts', 43203, databaseUrl)
  const headers = { Authorization: `Bearer ${service.token}` }
  const rows: SoakRow[] = []
  const slice = Math.max(5, Math.floor(seconds / 10))
  for (let second = slice; second <= seconds; second += slice) {
    const { perSecond } = await load(
      cards.map((id) => `${service.url}/v1/cards/${id}`),
      headers,
      slice,
    )
    rows.push({ second, perSecond, rssMegabytes: await residentMegabytes(service.pid) })
  }
  service.stop()
  return rows
}

const residentMegabytes = async (pid: number) => {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
