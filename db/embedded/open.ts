import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../src/lib/log.ts'
import { finishRestore } from '../backup/finish-restore.ts'
import { temporary } from '../backup/still-copy.ts'
import type { Database } from '../database.ts'
import { keepUp } from '../upkeep.ts'
import { takeFolder } from './lock.ts'
import { giveBack, requireAccess } from './owner.ts'
import { unpackDirectory } from './pack.ts'
import { readSnapshot } from './snapshot.ts'
import { startDatabase, type Terms } from './start.ts'
import { syncDirectory } from './sync.ts'

/**
 * Opens the database in `dataDir` for this process alone, and creates it first if there is none. Throws FolderInUse. One that
 * isn't durable, for tests, starts and commits faster but doesn't survive a power cut.
 */
export const openEmbedded = async (
  dataDir: string,
  { durable = true, log, ...terms }: { durable?: boolean; log?: Log } & Terms = {},
): Promise<Database> => {
  const release = takeFolder(dataDir)
  try {
    finishRestore(dataDir)
    removeUnfinished(dataDir)
    await placeDatabase(dataDir, durable)
    const db = await startDatabase(join(dataDir, 'pg'), durable, terms)
    const stopUpkeep = keepUp(db, log)
    const close = async () => {
      await stopUpkeep()
      await db.close()
      giveBack(dataDir)
      release()
    }
    return { ...db, close }
  } catch (error) {
    release()
    throw error
  }
}

/** What a killed process left behind from a start, a backup or a restore. */
const removeUnfinished = (dataDir: string) => {
  for (const name of readdirSync(dataDir))
    if (['pg.tmp', 'restore.tmp'].includes(name) || name.startsWith(temporary))
      rmSync(join(dataDir, name), { recursive: true, force: true })
}

// Renaming makes it a database. If a start is killed before that, the next one removes the unfinished folder.
const placeDatabase = async (dataDir: string, durable: boolean) => {
  const [place, unfinished] = [join(dataDir, 'pg'), join(dataDir, 'pg.tmp')]
  if (existsSync(place)) return requireDatabase(place)
  unpackDirectory(await readSnapshot(), unfinished, durable)
  renameSync(unfinished, place)
  if (durable) syncDirectory(dataDir)
}

const requireDatabase = (place: string) => {
  requireAccess(place)
  const version = join(place, 'PG_VERSION')
  if (!existsSync(version))
    throw new Error(`${place} exists but contains no database. Move it away, or set another DATA_DIR.`)
  const written = readFileSync(version, 'utf8').trim()
  if (written !== majorVersion)
    throw new Error(
      `${place} was written by PostgreSQL ${written}, but this Cardstock has PostgreSQL ${majorVersion}. Move the data with the copy command of the Cardstock that wrote it.`,
    )
}

const majorVersion = '18'
