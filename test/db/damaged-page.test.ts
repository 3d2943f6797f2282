import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { backUp } from '../../db/backup/back-up.ts'
import { restore } from '../../db/backup/restore.ts'
import { openEmbedded } from '../../db/embedded/open.ts'
import { findDamage, firstPageOf, pageBytes } from '../../db/embedded/page.ts'
import { commandLine } from '../support/command-line.ts'
import { ownDatabaseRuns } from '../support/own-database.ts'

const runs = ownDatabaseRuns('backups of a damaged folder')
setDefaultTimeout(240_000)

const root = mkdtempSync(join(tmpdir(), 'cardstock-damaged-'))
const home = join(root, 'data')
const { run, serve } = commandLine(root, { DATA_DIR: home })
afterAll(() => rmSync(root, { recursive: true }))

let table = ''
beforeAll(async () => {
  if (!runs) return
  const db = await openEmbedded(home, { durable: false })
  await db.sql`create table notes as select g as id, repeat(md5(g::text), 4) as text from generate_series(1, 5000) g`
  await db.sql`vacuum (freeze, analyze) notes`
  const [row] = await db.sql<{ path: string }[]>`select pg_relation_filepath('notes') as path`
  table = join(home, 'pg', row?.path ?? '')
  await db.close()
})

const block = 7

/** Turns a bit round in the middle of a page, and back again. */
const flip = (path: string, at = block * pageBytes + 5000) => {
  const file = openSync(path, 'r+')
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, at)
  writeSync(
    file,
    byte.map((was) => was ^ 0x10),
    0,
    1,
    at,
  )
  closeSync(file)
}

const damaged = (file: string) => `${file} is damaged: its block ${block} does not match its checksum.`

describe.skipIf(!runs)('backup checks every page that it copies and fails on a damaged one', () => {
  test('of a stopped database, and of one that serves', async () => {
    flip(table)
    const stopped = await run(['backup', 'all.tar.zst'])
    const server = await serve()
    const serving = await run(['backup', 'all.tar.zst'])
    flip(table)
    const mended = await run(['backup', 'whole.tar.zst'])
    await server.stop()
    for (const { code, err, out } of [stopped, serving]) expect({ code, out, err }).toMatchObject({ code: 1, out: '' })
    for (const { err } of [stopped, serving]) expect(err).toContain(damaged(table))
    expect(mended.code).toBe(0)
    expect(readdirSync(root).sort()).toEqual(['data', 'whole.tar.zst'])
    expect(readdirSync(home).filter((name) => name.startsWith('backup-'))).toEqual([])
  })

  test('but not where a full disk left a part of a page at the end, which the database overwrites', async () => {
    const { size } = statSync(table)
    appendFileSync(table, Buffer.alloc(pageBytes / 2, 1))
    const { code, err } = await run(['backup', 'part.tar.zst'])
    truncateSync(table, size)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    await restore(join(root, 'part'), join(root, 'part.tar.zst'))
    const db = await openEmbedded(join(root, 'part'), { durable: false })
    expect([...(await db.sql`select count(*)::int as count from notes`)]).toEqual([{ count: 5000 }])
    await db.close()
    for (const name of ['part', 'part.tar.zst']) rmSync(join(root, name), { recursive: true })
  })

  test('and restore refuses a backup that has one', async () => {
    const db = await openEmbedded(home, { durable: false })
    const file = join(root, 'bent.tar.zst')
    // The damage comes between the check and the archive, as it does on a disk that fails.
    const sql = new Proxy(db.sql, {
      apply: async (query, _, words: Parameters<typeof db.sql>) => {
        const answer = await query(...words)
        if (String(words[0]).includes('pg_backup_stop'))
          for (const name of readdirSync(home).filter((one) => one.startsWith('backup-')))
            flip(join(home, name, relative(home, table)))
        return answer
      },
    })
    await backUp({ ...db, sql }, home, file)
    await db.close()
    const told = await restore(join(root, 'other'), file).catch(String)
    expect(told).toContain(`${file} cannot be restored: ${damaged(relative(home, table))}`)
    expect(readdirSync(join(root, 'other'))).toEqual(['lock'])
    rmSync(file)
  })

  test('whichever bit of whichever page it is, but for one in 65,536', () => {
    const bytes = readFileSync(table)
    expect(findDamage(bytes, 0)).toBeUndefined()
    const [found, missed]: [number[], number[]] = [[], []]
    for (let at = 3; at < bytes.length; at += 997) {
      const was = bytes[at] ?? 0
      bytes[at] = was ^ (1 << (at % 8))
      const damaged = findDamage(bytes, 0)
      if (damaged === undefined) missed.push(at)
      else found.push(damaged - Math.floor(at / pageBytes))
      bytes[at] = was
    }
    // A checksum of 16 bits misses one flip in 65,536. Three of these are missed in fewer than one of a million runs.
    expect([new Set(found), missed.length < 3, found.length > 800]).toEqual([new Set([0]), true, true])
    // A page of another place, and one that is cut short.
    expect(findDamage(bytes, 1)).toBe(0)
    expect(findDamage(bytes.subarray(0, pageBytes + 100), 0)).toBe(1)
    expect(findDamage(new Uint8Array(2 * pageBytes), 0)).toBeUndefined()
  })

  test('in whatever file is made of pages', () => {
    const folder = join(home, 'pg')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    const others = files.filter((path) => firstPageOf(path) === undefined && /^(base|global)\//.test(path))
    expect(
      others.filter((path) => !/\/(PG_VERSION|pg_filenode\.map|pg_control|pg_internal\.init)$/.test(path)),
    ).toEqual([])
    expect(['base/5/16384', 'base/5/16384.2', 'global/1262_vm', 'base/5/t3_16384'].map(firstPageOf)).toEqual([
      ...[0, 262_144, 0, undefined],
    ])
    for (const path of files.filter((one) => firstPageOf(one) !== undefined))
      expect(findDamage(readFileSync(join(folder, path)), 0)).toBeUndefined()
  })
})
