import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUp } from '../../db/backup/back-up.ts'
import { restore } from '../../db/backup/restore.ts'
import type { Database } from '../../db/client.ts'
import { openEmbedded } from '../../db/embedded/open.ts'
import { migrate } from '../../db/migrate.ts'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import { curate, curatedOf } from '../support/curated.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

const root = mkdtempSync(join(tmpdir(), 'cardstock-backup-'))
const home = join(root, 'home')
const file = join(root, 'all.tar.zst')
let db: Database
beforeAll(async () => {
  db = await openEmbedded(home, { durable: false })
  await migrate(db)
  const now = () => new Date('2026-01-02T03:04:05.678Z')
  const demo = { path: join(import.meta.dir, '../../db/demo') }
  await writeChecklist(db, readChecklist(demo, {}), { publish: true, now })
  await curate(db, now())
  await db.sql`create table notes (id int primary key, text text)`
  await db.sql`insert into notes select g, repeat(md5(g::text), 4) from generate_series(1, 20000) g`
  writeFileSync(join(home, 'app-secret'), 'the secret')
  mkdirSync(join(home, 'images', 'ab'), { recursive: true })
  writeFileSync(join(home, 'images', 'ab', 'card.jpg'), Buffer.alloc(1_500_001, 7))
  mkdirSync(join(home, 'images', 'empty'))
})
afterAll(async () => {
  await db.close()
  rmSync(root, { recursive: true })
})

const curated = async (of: Database) => {
  const found = await curatedOf(of)
  expect([...found].filter(([, rows]) => rows.length === 0)).toEqual([])
  return found
}
const notes = async (of: Database) => (await of.sql<{ n: number }[]>`select count(*)::int as n from notes`)[0]?.n

test('a backup is taken while the database answers and is written to', async () => {
  let [answers, next, ending] = [0, 20_001, false]
  // It is not through before the database has answered so often, however fast it is.
  const sql = new Proxy(db.sql, {
    apply: async (query, _, words: Parameters<typeof db.sql>) => {
      if (String(words[0]).includes('pg_backup_stop')) await until(() => answers > 50)
      return query(...words)
    },
  })
  const busy = (async () => {
    for (; !ending; next++) {
      await db.sql`insert into notes values (${next}, 'meanwhile')`
      answers++
    }
  })()
  const { bytes } = await backUp({ ...db, sql }, home, file)
  ending = true
  await busy
  expect(answers).toBeGreaterThan(50)
  expect(bytes).toBe(statSync(file).size)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(home).filter((name) => name.startsWith('backup-'))).toEqual([])
})

test('a place that cannot be written is told of with the reason, and nothing is left there', async () => {
  const pipe = join(root, 'pipe')
  Bun.spawnSync(['mkfifo', pipe])
  const places = {
    [join(root, 'nowhere', 'all.zst')]: `there is no folder ${join(root, 'nowhere')}.`,
    [join(file, 'all.zst')]: `there is no folder ${file}.`,
    [root]: 'it is a folder.',
    [pipe]: 'it is no ordinary file.',
    [join(root, 'x'.repeat(300))]: 'its name is too long.',
  }
  const before = readdirSync(root, { recursive: true }).sort()
  for (const [place, reason] of Object.entries(places)) {
    const told = await backUp(db, home, place).catch(String)
    expect(told).toEndWith(`${place} cannot be written: ${reason}`)
  }
  expect(readdirSync(root, { recursive: true }).sort()).toEqual(before)
})

test('it is restored with everything in it, into an empty folder', async () => {
  const other = join(root, 'other')
  expect(await restore(other, file)).toMatchObject({ replaced: null })
  const restored = await openEmbedded(other, { durable: false })
  expect(await notes(restored)).toBeGreaterThanOrEqual(20_000)
  const gaps =
    await restored.sql`select id from notes n where id > 1 and not exists (select from notes where id = n.id - 1)`
  expect(gaps).toHaveLength(0)
  expect(await curated(restored)).toEqual(await curated(db))
  await restored.close()
  expect(readFileSync(join(other, 'app-secret'), 'utf8')).toBe('the secret')
  expect(readFileSync(join(other, 'images', 'ab', 'card.jpg'))).toEqual(Buffer.alloc(1_500_001, 7))
  expect(existsSync(join(other, 'images', 'empty'))).toBe(true)
})

test('what a restore replaces is kept beside it', async () => {
  const other = join(root, 'used')
  const before = await openEmbedded(other, { durable: false })
  await before.sql`create table only_here (id int)`
  await before.close()
  const { replaced } = await restore(other, file)
  expect(existsSync(join(replaced ?? '', 'pg', 'PG_VERSION'))).toBe(true)
  const after = await openEmbedded(other, { durable: false })
  expect(await after.sql`select to_regclass('only_here') as found`).toMatchObject([{ found: null }])
  expect(await notes(after)).toBeGreaterThanOrEqual(20_000)
  await after.close()
})

test('a restore that was killed half way is finished by the next start', async () => {
  const other = join(root, 'killed')
  await restore(other, file)
  mkdirSync(join(other, 'restored'))
  writeFileSync(join(other, 'restored', 'app-secret'), 'another')
  const after = await openEmbedded(other, { durable: false })
  await after.close()
  expect(readFileSync(join(other, 'app-secret'), 'utf8')).toBe('another')
  expect(existsSync(join(other, 'restored'))).toBe(false)
})

test('a running database is not restored over', async () => {
  await expect(restore(home, file)).rejects.toThrow('in use')
})

test('a damaged or foreign file changes nothing', async () => {
  const other = join(root, 'careful')
  await restore(other, file)
  const cut = join(root, 'cut.tar.zst')
  writeFileSync(cut, readFileSync(file))
  truncateSync(cut, 300_000)
  writeFileSync(join(root, 'text.zst'), 'no archive at all')
  for (const [bad, reason] of [
    [cut, ''],
    [join(root, 'text.zst'), 'it is not a Cardstock backup.'],
    [join(root, 'missing.zst'), 'there is no such file or folder.'],
    [root, 'it is a folder.'],
  ] as const)
    await expect(restore(other, bad)).rejects.toThrow(`${bad} cannot be restored: ${reason}`)
  const foreign = join(root, 'foreign.tar.zst')
  writeFileSync(foreign, Bun.zstdCompressSync(await new Bun.Archive({ 'notes.txt': 'of another program' }).bytes()))
  await expect(restore(other, foreign)).rejects.toThrow(`${foreign} is not a Cardstock backup.`)
  expect(readdirSync(other).sort()).toEqual(['app-secret', 'images', 'lock', 'pg'])
})
