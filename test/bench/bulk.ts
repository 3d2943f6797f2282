import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../db/client.ts'
import { writeGeneration } from '../../src/catalog/sync/bulk/write.ts'
import { openSink } from '../../src/files/folder-store.ts'
import { median } from './figures.ts'

export type BulkRuns = {
  lines: number
  ratio: number
  bulkSeconds: number
  copySeconds: number
  growthMegabytes: number
}

/** No line has these characters: each is copied as it stands. */
const asItStands = `with (format csv, quote E'\\x01', delimiter E'\\x02')`

/**
 * Writes the bulk files of a catalog, and then the very same lines, from a table that holds nothing else, by COPY through
 * `gzip -1`; in turns, the medians. `growthMegabytes` is how much the process grew over the last round.
 */
export const compareBulk = async (databaseUrl: string, rounds: number): Promise<BulkRuns> => {
  const db = await openDatabase({ databaseUrl, dataDir: '' })
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-bench-bulk-'))
  const lines = await writeFiles(db, folder)
  await keepLines(db, databaseUrl, folder)
  const runs: { bulk: number; copy: number }[] = []
  let growth = 0
  for (let round = 0; round < rounds; round++) {
    const before = process.memoryUsage().rss
    const bulk = await timed(() => writeFiles(db, folder))
    growth = process.memoryUsage().rss - before
    const copy = await timed(
      () =>
        Bun.$`psql -q ${databaseUrl} -c ${`copy bulk_lines to stdout ${asItStands}`} | gzip -1 > ${join(folder, 'copied.gz')}`,
    )
    runs.push({ bulk, copy })
  }
  await db.sql`drop table bulk_lines`
  await db.close()
  rmSync(folder, { recursive: true })
  return {
    lines,
    ratio: median(runs.map(({ bulk, copy }) => copy / bulk)),
    bulkSeconds: median(runs.map(({ bulk }) => bulk)),
    copySeconds: median(runs.map(({ copy }) => copy)),
    growthMegabytes: Math.round(growth / 1_000_000),
  }
}

const timed = async (work: () => PromiseLike<unknown>) => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

const writeFiles = async (db: Database, folder: string) => {
  const { files } = await writeGeneration(db, (resource) => openSink(join(folder, `${resource}.ndjson.gz`)), {
    baseUrl: 'http://localhost:3000',
    signal: new AbortController().signal,
  })
  return files.reduce((sum, { count }) => sum + count, 0)
}

const keepLines = async ({ sql }: Database, databaseUrl: string, folder: string) => {
  await sql`drop table if exists bulk_lines`
  await sql`create table bulk_lines (line text not null)`
  await Bun.$`cat ${[...new Bun.Glob('*.ndjson.gz').scanSync({ cwd: folder, absolute: true })]} | gunzip | psql -q ${databaseUrl} -c ${`copy bulk_lines from stdin ${asItStands}`}`
  await sql`vacuum analyze bulk_lines`
}
