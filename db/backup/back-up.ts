import { createWriteStream, existsSync, readdirSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { whyUnwritable } from '../../src/files/writable.ts'
import { type Entry, writeTar } from '../../src/files/write-tar.ts'
import { fileReason } from '../../src/lib/file-fault.ts'
import type { Database } from '../database.ts'
import { syncDirectory } from '../embedded/sync.ts'
import { withStillCopy } from './still-copy.ts'

/** Thrown if the backup can't be written. Nothing is left of it then. */
class UnfitPlace extends Error {}

/**
 * Writes everything in the data directory of the open embedded database, including secret and images, into one file: a tar
 * compressed with zstd. The database keeps answering. The file gets its name only once it is complete and on disk, every page
 * of the database was checked, and the copied database has been opened once. Throws DamagedPage. Returns its size in bytes.
 */
export const backUp = async (db: Database, dataDir: string, file: string): Promise<{ bytes: number }> => {
  const whole = resolve(file)
  const cannot = (reason: string) => new UnfitPlace(`${whole} cannot be written: ${reason}`)
  const explain = (error: Error): never => {
    throw cannot(fileReason(error))
  }
  const fault = await whyUnfit(whole)
  if (fault) throw cannot(fault)
  await tryPlace(whole).catch(explain)
  return withStillCopy(db, dataDir, (copy) =>
    writeWhole([...tree(copy), ...others(dataDir, whole)], whole).catch(explain),
  )
}

/** A device or a pipe would be replaced by the backup. */
const whyUnfit = async (whole: string) =>
  (await whyUnwritable(whole)) ??
  (existsSync(whole) && !statSync(whole).isFile() ? 'it is no ordinary file.' : undefined)

/** Fails before anything is copied. */
const tryPlace = async (whole: string) => {
  const unfinished = unfinishedOf(whole)
  await (await open(unfinished, 'w', 0o600)).close()
  await rm(unfinished)
}

const writeWhole = async (entries: Entry[], whole: string) => {
  const unfinished = unfinishedOf(whole)
  try {
    const out = createWriteStream(unfinished, { mode: 0o600 })
    await pipeline(Readable.from(writeTar(entries)), createZstdCompress(checked), out)
    const written = await open(unfinished, 'r+')
    const { size } = await written.stat()
    await written.sync()
    await written.close()
    await rename(unfinished, whole)
    syncDirectory(dirname(whole))
    return { bytes: size }
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** With a checksum at the end, so that any damage to the file is noticed when it is read. */
const checked = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

const unfinishedOf = (whole: string) => `${whole}.tmp`

/**
 * The rest of the data directory. An image is written before its row, so the copy misses none that it knows of. A deleted one
 * may disappear while its folder is read.
 */
const others = (dataDir: string, file: string): Entry[] =>
  readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => !isOfThisProcess(entry.name) && (entry.isDirectory() || entry.isFile()))
    .flatMap((entry) => {
      const path = join(dataDir, entry.name)
      return [
        { name: entry.name, path, isFolder: entry.isDirectory() },
        ...(entry.isDirectory() ? tree(path, entry.name) : []),
      ]
    })
    .filter(({ path }) => resolve(path) !== file)
    .map((entry) => ({ ...entry, mayGo: true }))

const isOfThisProcess = (name: string) => /^(pg|lock|restored|(backup|replaced)-.*|.*\.(tmp|sock|zst))$/.test(name)

/** Every folder and file below a folder, named by its path in there, below `name`. */
const tree = (folder: string, name = ''): Entry[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return { name: join(name, relative(folder, path)), path, isFolder: entry.isDirectory() }
    })
