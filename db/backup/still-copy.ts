import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database.ts'
import { copyOnline } from '../embedded/online-copy.ts'
import { startDatabase } from '../embedded/start.ts'

/** The prefix of folders with copies. */
export const temporary = 'backup-'

/**
 * Copies the folder of the open embedded database while it keeps answering, and passes the folder that has the copy as `pg` to
 * `work`. The copy has been opened once, so that there is nothing left to recover. Afterwards it is deleted. Only one copy is
 * made at a time; others wait their turn.
 */
export const withStillCopy = <T>(db: Database, dataDir: string, work: (folder: string) => Promise<T>): Promise<T> => {
  const turn = last.then(() => withCopy(db, dataDir, work))
  last = turn.catch(() => {})
  return turn
}

let last: Promise<unknown> = Promise.resolve()

const withCopy = async <T>(db: Database, dataDir: string, work: (folder: string) => Promise<T>) => {
  const folder = await mkdtemp(join(dataDir, temporary))
  try {
    await copyOnline(db, join(dataDir, 'pg'), join(folder, 'pg'))
    await (await startDatabase(join(folder, 'pg'), false)).close()
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
