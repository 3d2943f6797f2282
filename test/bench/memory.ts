import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Subprocess } from 'bun'
import { type Database, openDatabase } from '../../db/client.ts'
import { builtExecutable } from '../support/executable.ts'
import { batchRows } from './batches.ts'
import { type Load, load } from './load.ts'
import { megabytes, processorTime, startExecutable } from './process.ts'
import { listOf, many, samples } from './reads.ts'
import { openRig } from './rig.ts'

/** How much memory the executable may take at most, whatever it does. */
export const memoryBound = 200

/** The executable under a load: its memory at the highest and when it was calm again, in MB, and its processor time. */
export type MemoryRow = { name: string; highest: number; calm: number; processorSeconds: number; loads: Load[] }

/**
 * Starts `dist/cardstock` on a catalog, where it makes what its schedule asks for, bulk files above all; then afresh under each
 * load, in a copy of the catalog: reads by id, lists, searches, three batches of 10,000 cards, an import of a collection over
 * HTTP, and all of them at once. The kernel keeps the highest of each.
 */
export async function* measureMemory(
  catalogUrl: string,
  copyCatalog: () => Promise<string>,
  collection: string | undefined,
  seconds: number,
  names: RegExp,
): AsyncGenerator<MemoryRow> {
  const executable = await builtExecutable()
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-bench-memory-'))
  const loads: Record<string, Doing> = {
    ...{ reads, lists, searches, batches },
    ...(collection ? { import: (service) => importFile(service, collection) } : {}),
  }
  const all: Doing = async (service, time) =>
    (await Promise.all(Object.values(loads).map((each) => each(service, time)))).flat()
  const nothing: Doing = async () => []
  const kinds = { 'bulk files': nothing, idle: nothing, ...loads, 'all at once': all }
  for (const [name, work] of Object.entries<Doing>(kinds)) {
    if (!names.test(name) && name !== 'bulk files') continue
    const service = await serve(executable, folder, name === 'bulk files' ? catalogUrl : await copyCatalog())
    await calm(service)
    const answered = await work(service, seconds)
    const highest = await megabytes(service.process, 'VmHWM')
    const processorSeconds = await processorTime(service.process)
    await calm(service)
    yield { name, highest, calm: await megabytes(service.process, 'VmRSS'), processorSeconds, loads: answered }
    await service.stop()
  }
  rmSync(folder, { recursive: true, force: true })
}

type Service = {
  db: Database
  process: Subprocess
  url: string
  reader: Record<string, string>
  operator: Record<string, string>
  stop: () => Promise<void>
}
type Doing = (service: Service, seconds: number) => Promise<Load[]>

const serve = async (executable: string, folder: string, databaseUrl: string): Promise<Service> => {
  const [reader, operator] = await Promise.all([tokenOf(databaseUrl, 'reader'), tokenOf(databaseUrl, 'operator')])
  const db = await openDatabase({ databaseUrl, dataDir: '' })
  const { child, url, stop } = await startExecutable(executable, folder, { DATABASE_URL: databaseUrl })
  return {
    ...{ db, process: child, url, reader, operator },
    stop: async () => {
      await Promise.all([stop(), db.close()])
    },
  }
}

/** The header of a new reader or operator of a database. */
export const tokenOf = async (databaseUrl: string, who: 'reader' | 'operator') => {
  const rig = await openRig(databaseUrl, who)
  await rig.close()
  return { Authorization: `Bearer ${rig.token}` }
}

/** Waits until no job is left and some seconds more; the queue of a first start makes bulk files. */
export const calm = async ({ db }: Pick<Service, 'db'>) => {
  const isBusy = async () =>
    (await db.sql`select from jobs where finished_at is null and run_at <= now() limit 1`).length > 0
  while (await isBusy()) await Bun.sleep(500)
  await Bun.sleep(5000)
}

const reads: Doing = async ({ db, url, reader }, seconds) => {
  const { cards } = await samples(db, { sets: 0, cards: many.cards })
  const urls = cards.map((id) => `${url}/v1/cards/${id}`)
  return [await load(urls, reader, seconds)]
}

const lists: Doing = async ({ db, url, reader }, seconds) => {
  const { sets } = await samples(db, { sets: many.sets, cards: 0 })
  const urls = sets.map((id) => url + listOf(id))
  return [await load(urls, reader, seconds, 8)]
}

const searches: Doing = async ({ db, url, reader }, seconds) => {
  const players = await db.sql<{ name: string }[]>`select name from players order by md5(id::text) limit 1000`
  const urls = players.map(({ name }) => `${url}/v2/search?q=${encodeURIComponent(name)}`)
  return [await load(urls, reader, seconds, 4)]
}

const batches: Doing = async (service) => {
  const { sql } = service.db
  const idsOf = async (table: string, most: number) =>
    (await sql<{ id: string }[]>`select id from ${sql(table)} order by id limit ${most}`).map(({ id }) => id)
  const ids = { sets: await idsOf('sets', 20), players: await idsOf('players', 1000) }
  const [mark = ''] = await idsOf('attributes', 1)
  const bodies = Array.from({ length: 3 }, () => JSON.stringify({ data: batchRows({ ...ids, mark }) }))
  await Promise.all(bodies.map((body) => work(service, '/internal/card-batches', body)))
  return []
}

const importFile = async (service: Service, path: string) => {
  await work(service, '/internal/imports', Bun.file(path), basename(path))
  return []
}

/** Has a job do what a request asks for, and waits until it is done. */
const work = async ({ url, operator }: Service, path: string, body: Blob | string, name = '') => {
  const headers = {
    ...{ ...operator, 'Content-Type': name ? 'application/octet-stream' : 'application/vnd.api+json' },
    ...(name && { 'Content-Disposition': `attachment; filename="${name}"` }),
  }
  const answer = await fetch(url + path, { method: 'POST', headers, body })
  const { job_id: id } = (await answer.json()) as { job_id: string }
  if (answer.status !== 202) throw new Error(`${path}: ${answer.status}`)
  for (let status = 'queued'; status !== 'completed'; await Bun.sleep(500)) {
    const polled = (await (await fetch(`${url}${path}/${id}`, { headers: operator })).json()) as { status: string }
    status = polled.status
    if (status === 'failed') throw new Error(`${path} failed: ${JSON.stringify(polled)}`)
  }
}
