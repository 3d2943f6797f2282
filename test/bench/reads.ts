import { type Database, openDatabase } from '../../db/client.ts'
import { median, moveOn } from './figures.ts'
import { type Load, load } from './load.ts'

type Process = { url: string; token: string; stop: () => void }

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
  return { url, token, stop: () => child.kill('SIGTERM') }
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

/** Ids of published cards and of sets with a page of cards, in no order, at most so many of each. */
export const samples = async ({ sql }: Database, most: { sets: number; cards: number }) => {
  const sets = await sql<{ id: string }[]>`
    select id from sets where audience = 2 and live_cards >= 25 order by md5(id::text) limit ${most.sets}`
  const cards = await sql<{ id: string }[]>`
    select c.id from cards c join sets s on s.id = c.set_id and s.audience = 2
    where c.deleted_at is null order by md5(c.id::text) limit ${most.cards}`
  return { sets: sets.map((row) => row.id), cards: cards.map((row) => row.id) }
}

const few = { sets: 300, cards: 500 }
/** What does not fit the response cache, as `few` do. */
export const many = { sets: 3000, cards: 600_000 }

/** A service is compared when its code is compiled, as it is for all but the first seconds of its life. */
const warmUpSeconds = 6

/** The list of a set's cards with what is on them. */
export const listOf = (id: string) => `/v1/cards?filter%5Bset_id%5D=${id}&include=set,oncard,attributes`

/**
 * Throughput of the two hot reads against a bare Bun.serve that reads the same rows, on the same machine in turns, several
 * rounds; the medians of the ratios. Each is asked for few records, which the response cache holds, and for many, which it does not.
 */
export const compareReads = async (databaseUrl: string, seconds: number, rounds: number): Promise<ReadRow[]> => {
  const db = await openDatabase({ databaseUrl, dataDir: '' })
  const [some, all] = [await samples(db, few), await samples(db, many)]
  const service = await start('service.ts', 43202, databaseUrl)
  const headers = { Authorization: `Bearer ${service.token}` }
  const bytes = await sizeOf(`${service.url}${listOf(all.sets[0] as string)}`, headers)
  const floor = await start('floor.ts', 43201, databaseUrl, String(bytes))
  const asked = {
    floor: all.cards.map((id) => `${floor.url}/${id}`),
    floorList: all.sets.map((id) => `${floor.url}/list/${id}`),
    byId: some.cards.map((id) => `${service.url}/v1/cards/${id}`),
    list: some.sets.map((id) => service.url + listOf(id)),
    manyById: all.cards.map((id) => `${service.url}/v1/cards/${id}`),
    manyLists: all.sets.map((id) => service.url + listOf(id)),
  }
  type Asked = keyof typeof asked
  const kinds = Object.keys(asked) as Asked[]
  const ask = (kind: Asked, time: number) => load(asked[kind], kind.startsWith('floor') ? {} : headers, time)
  for (const kind of kinds) await ask(kind, warmUpSeconds)
  const runs: Record<Asked | 'written', Load>[] = []
  for (let round = 0; round < rounds; round++) {
    const run: Partial<Record<Asked | 'written', Load>> = {}
    for (const kind of kinds) run[kind] = await ask(kind, seconds)
    run.written = await whileWriting(db, () => ask('list', seconds))
    runs.push(run as Record<Asked | 'written', Load>)
  }
  await db.close()
  floor.stop()
  service.stop()
  const row = (name: string, which: Asked | 'written', bound: number, under: Asked = 'floor'): ReadRow => ({
    name,
    perSecond: median(runs.map((run) => run[which].perSecond)),
    ratio: median(runs.map((run) => run[which].perSecond / run[under].perSecond)),
    p99Milliseconds: median(runs.map((run) => run[which].p99Milliseconds)),
    failed: runs.reduce((sum, run) => sum + run[which].failed, 0),
    bound,
  })
  return [
    row('bare SELECT by id, 600,000 ids', 'floor', 1),
    row('GET /v1/cards/{id}, 600,000 ids', 'manyById', 0.7),
    row('GET /v1/cards/{id}, 500 ids', 'byId', 0.5),
    row(
      'bare list: 25 cards and what is on them in two SELECTs, as many bytes, 3,000 sets',
      'floorList',
      1,
      'floorList',
    ),
    row('GET /v1/cards by set, 25 rows, include=set,oncard,attributes, 3,000 sets', 'manyLists', 0.6, 'floorList'),
    row('the same of 300 sets, against the bare SELECT by id', 'list', 0.25),
    row('the same of 300 sets while the catalog is written ten times a second', 'written', 0),
  ]
}

const sizeOf = async (url: string, headers: Record<string, string>) =>
  (await (await fetch(url, { headers })).bytes()).length

/** Moves the catalog on ten times a second, as writers would. */
const whileWriting = async <T>(db: Database, work: () => Promise<T>): Promise<T> => {
  const writing = setInterval(() => void moveOn(db), 100)
  return work().finally(() => clearInterval(writing))
}
