import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database.ts'
import { hasCode } from '../faults.ts'
import { withoutUpkeep } from '../upkeep.ts'

/**
 * Copies the folder of the running database while it answers and is written to: files first, torn as they may be, then
 * the log that mends them when the copy is opened. The copy is the database as of the end of the copying.
 */
export const copyOnline = (db: Database, from: string, to: string): Promise<void> =>
  // A checkpoint in between could take the log away.
  withoutUpkeep(db, async () => {
    await db.sql`select pg_backup_start('cardstock', true)`
    await copyTree(from, to, (path) => path !== 'pg_wal' && path !== 'postmaster.pid')
    const [stop] = await db.sql<{ label: string }[]>`select labelfile as label from pg_backup_stop(false)`
    await copyTree(join(from, 'pg_wal'), join(to, 'pg_wal'), () => true)
    await writeFile(join(to, 'backup_label'), stop?.label ?? '')
  })

const copyTree = async (from: string, to: string, wanted: (path: string) => boolean) => {
  await mkdir(to, { recursive: true, mode: 0o700 })
  const entries = (await readdir(from, { withFileTypes: true })).filter(({ name }) => wanted(name))
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    await copyTree(join(from, name), join(to, name), () => true)
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  for (let first = 0; first < files.length; first += atOnce)
    await Promise.all(files.slice(first, first + atOnce).map((name) => copyOne(join(from, name), join(to, name))))
}

const atOnce = 8

/** A table that was dropped meanwhile is dropped in the log, too. */
const copyOne = (from: string, to: string) =>
  copyFile(from, to).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
  })
