import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { restore } from '../../../db/backup/restore.ts'
import { openEmbedded } from '../../../db/embedded/open.ts'
import { commandLine } from '../../support/command-line.ts'
import { ownDatabaseRuns } from '../../support/own-database.ts'
import { ownServer } from '../../support/own-server.ts'
import { until } from '../../support/until.ts'

const runs = ownDatabaseRuns('kills of backup, restore and copy')
const server = runs ? await ownServer('kills of copy') : undefined
setDefaultTimeout(300_000)

const root = mkdtempSync(join(tmpdir(), 'cardstock-killed-'))
const home = join(root, 'data')
const { run, start, serve } = commandLine(root, { DATA_DIR: home })
afterAll(async () => {
  await server?.remove()
  rmSync(root, { recursive: true, force: true })
})

/** Marks all that a data directory keeps: rows, a secret, and an image that takes its time. */
const mark = async (folder: string, word: string) => {
  const db = await openEmbedded(folder, { durable: false })
  await db.sql`insert into settings (name, value) values ('mark', ${word}) on conflict (name) do update set value = ${word}`
  await db.close()
  writeFileSync(join(folder, 'app-secret'), word)
  mkdirSync(join(folder, 'images'), { recursive: true })
  writeFileSync(join(folder, 'images', 'large'), Buffer.concat([Buffer.from(word), randomBytes(24_000_000)]))
}

/** The marks that a start finds there. */
const marksOf = async (folder: string) => {
  const db = await openEmbedded(folder, { durable: false })
  const [row] = await db.sql<{ value: string }[]>`select value from settings where name = 'mark'`
  await db.close()
  return [row?.value, readFileSync(join(folder, 'app-secret'), 'utf8'), readImage(folder)]
}

const readImage = (folder: string) => readFileSync(join(folder, 'images', 'large')).toString('latin1', 0, 3)

/** Kills a command as soon as something is so, or lets it end where it was faster. */
const killWhen = async (words: string[], isSo: () => boolean | Promise<boolean>) => {
  const { child, ended } = start(words)
  await until(async () => child.exitCode !== null || (await isSo()))
  child.kill('SIGKILL')
  return ended
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
const copyIn = (folder: string) => namesIn(folder).find((name) => name.startsWith('backup-')) ?? 'backup-'
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

describe.skipIf(!runs)('under kill -9 it is done or not done:', () => {
  beforeAll(async () => {
    await mark(home, 'old')
    expect((await run(['backup', 'old.zst'])).code).toBe(0)
  })

  test('backup', async () => {
    const file = join(root, 'all.zst')
    const moments = {
      begun: () => copyIn(home) !== 'backup-',
      copied: () => existsSync(join(home, copyIn(home), 'pg', 'backup_label')),
      packing: () => sizeOf(`${file}.tmp`) > 0,
    }
    for (const isSo of Object.values(moments)) {
      await killWhen(['backup', 'all.zst'], isSo)
      if (existsSync(file)) await restore(join(root, 'check'), file)
    }
    expect((await run(['backup', 'all.zst'])).code).toBe(0)
    expect(namesIn(root).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(namesIn(home).filter((name) => /^backup-|tmp$/.test(name))).toEqual([])
    await restore(join(root, 'check'), file)
    expect(await marksOf(join(root, 'check'))).toEqual(['old', 'old', 'old'])
  })

  test('restore', async () => {
    const moments = {
      begun: () => existsSync(join(home, 'restore.tmp')),
      unpacking: () => existsSync(join(home, 'restore.tmp', 'pg', 'PG_VERSION')),
      unpacked: () => sizeOf(join(home, 'restore.tmp', 'images', 'large')) > 20_000_000,
      moving: () => existsSync(join(home, 'restored')) || namesIn(home).some((name) => name.startsWith('replaced-')),
    }
    for (const [moment, isSo] of Object.entries(moments)) {
      await mark(home, 'new')
      await killWhen(['restore', 'old.zst'], isSo)
      const marks = await marksOf(home)
      expect([moment, ...new Set(marks)]).toEqual([moment, expect.stringMatching(/^(old|new)$/)])
      expect(namesIn(home).filter((name) => /^restored$|tmp$/.test(name))).toEqual([])
      for (const name of namesIn(home).filter((one) => one.startsWith('replaced-')))
        rmSync(join(home, name), { recursive: true })
    }
    expect((await run(['restore', 'old.zst'])).code).toBe(0)
    expect(await marksOf(home)).toEqual(['old', 'old', 'old'])
  })

  test.skipIf(!server)('copy --to', async () => {
    const admin = postgres(server?.url ?? '', { max: 1, onnotice: () => {} })
    const url = (name: string) => (server?.url ?? '').replace(/postgres$/, name)
    await addRows()
    const moments = {
      migrating: `state is not null`,
      copying: `query like 'insert into "settings"%'`,
      ending: `query like 'alter table%add constraint%' or query ilike 'commit%'`,
    }
    for (const [name, condition] of Object.entries(moments)) {
      await admin.unsafe(`create database ${name} template template0`)
      const ofIt = `from pg_stat_activity where datname = '${name}'`
      const isSo = async () => (await admin.unsafe(`select 1 ${ofIt} and (${condition})`)).length > 0
      await killWhen(['copy', '--to', url(name)], isSo)
      await until(async () => (await admin.unsafe(`select 1 ${ofIt}`)).length === 0)
      const again = await run(['copy', '--to', url(name), '--json'])
      // It was done if a second copy is refused, and then all of it is there.
      if (again.code === 1) expect(again.err).toContain('The target database is in use')
      const target = postgres(url(name), { max: 1 })
      const [row] = await target`select count(*)::int as n from settings where name like 'row %'`
      await target.end()
      expect([name, row?.n]).toEqual([name, rows])
    }
    await admin.end()
    expect(namesIn(home).filter((name) => name.startsWith('backup-'))).toEqual([])
  })
})

const rows = 8_000

const addRows = async () => {
  const db = await openEmbedded(home, { durable: false })
  await db.sql`insert into settings (name, value) select 'row ' || g, repeat('x', 200) from generate_series(1, ${rows}) g`
  await db.close()
  expect((await run(['user', 'create', '--email', 'ada@example.org', '--password', 'long enough'])).code).toBe(0)
}

test.skipIf(!runs)('backups at the same time wait for one another, and each is whole', async () => {
  const running = await serve()
  const names = ['one.zst', 'two.zst', 'three.zst']
  const taken = await Promise.all(names.map((name) => run(['backup', name])))
  await running.stop()
  expect(taken.map(({ code, err }) => ({ code, err }))).toEqual(names.map(() => ({ code: 0, err: '' })))
  for (const name of names) {
    await restore(join(root, name, '..', `of-${name}`), join(root, name))
    expect(readImage(join(root, `of-${name}`))).toBe('old')
  }
})
