import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Database } from '../database.ts'
import { hasCode } from '../faults.ts'
import { withoutUpkeep } from '../upkeep.ts'
import { copyPages } from './copy-pages.ts'
import { firstPageOf } from './page.ts'

/**
 * Copies the folder of the running database while it answers and is written to: first the files, page by page as they are at
 * that moment, then the log. When the copy is opened, the log brings it to its state at the end of the copying. Throws
 * DamagedPage.
 */
export const copyOnline = (db: Database, from: string, to: string): Promise<void> =>
  // A checkpoint in between could remove the log.
  withoutUpkeep(db, async () => {
    await db.sql`select pg_backup_start('cardstock', true)`
    const stop = () => db.sql<{ label: string }[]>`select labelfile as label from pg_backup_stop(false)`
    try {
      const isWanted = (path: string) => !['pg_wal', 'postmaster.pid'].includes(path)
      await copyTree(from, to, isWanted, copyFileOf(from))
    } catch (error) {
      // Otherwise the session would stay in backup mode forever.
      await stop().catch(() => {})
      throw error
    }
    const [stopped] = await stop()
    await copyTree(join(from, 'pg_wal'), join(to, 'pg_wal'), () => true, copyFile)
    await writeFile(join(to, 'backup_label'), stopped?.label ?? '')
  })

type CopyFile = (from: string, to: string) => Promise<void>

/** Tables and indexes consist of pages, each with its checksum. */
const copyFileOf =
  (root: string): CopyFile =>
  (from, to) => {
    const first = firstPageOf(relative(root, from))
    return first === undefined ? copyFile(from, to) : copyPages(from, to, first)
  }

const copyTree = async (from: string, to: string, isWanted: (name: string) => boolean, copy: CopyFile) => {
  await mkdir(to, { recursive: true, mode: 0o700 })
  const entries = (await readdir(from, { withFileTypes: true })).filter(({ name }) => isWanted(name))
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    await copyTree(join(from, name), join(to, name), () => true, copy)
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  for (let first = 0; first < files.length; first += atOnce)
    await Promise.all(
      files.slice(first, first + atOnce).map((name) => copy(join(from, name), join(to, name)).catch(unlessDropped)),
    )
}

const atOnce = 8

/** If a table was dropped in the meantime, the log drops it, too. */
const unlessDropped = (error: unknown) => {
  if (!hasCode(error, 'ENOENT')) throw error
}
