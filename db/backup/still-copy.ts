import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database.ts'
import { copyOnline } from '../embedded/online-copy.ts'
import { startDatabase } from '../embedded/start.ts'

const temporary = 'backup-'

/**
 * Copies the folder of the open embedded database while it goes on answering, and lends out the folder that has the copy
 * as `pg`. It has been opened once, so that nothing is left to mend in it. It is gone afterwards.
 */
export const withStillCopy = async <T>(db: Database, dataDir: string, work: (folder: string) => Promise<T>) => {
  await removeLeftovers(dataDir)
  const folder = await mkdtemp(join(dataDir, temporary))
  try {
    await copyOnline(db, join(dataDir, 'pg'), join(folder, 'pg'))
    await (await startDatabase(join(folder, 'pg'), false)).close()
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const removeLeftovers = async (dataDir: string) => {
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith(temporary)))
    await rm(join(dataDir, name), { recursive: true, force: true })
}
