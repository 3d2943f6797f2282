import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { createPieces } from '../../src/files/pieces.ts'
import { DamagedArchive, readTar } from '../../src/files/read-tar.ts'
import { fileReason } from '../../src/lib/file-fault.ts'
import { DamagedPage } from '../embedded/copy-pages.ts'
import { closeFolder } from '../embedded/folder-modes.ts'
import { takeFolder } from '../embedded/lock.ts'
import { firstMissing, giveTree, type Owner, ownerOf } from '../embedded/owner.ts'
import { findDamage, firstPageOf, pageBytes } from '../embedded/page.ts'
import { startDatabase } from '../embedded/start.ts'
import { syncDirectory } from '../embedded/sync.ts'
import { migrations } from '../migrations/index.ts'
import { finishRestore } from './finish-restore.ts'

/** Thrown for a file that can't be restored. Nothing has been changed then. */
class UnfitBackup extends Error {}

/** The result of a restore: the folder with the previous data, and the owner of everything that was written. */
export type Restored = { replaced: string | null; owner: Owner }

/**
 * Restores a file from `backUp` into the data directory, which no process may be using: throws FolderInUse. The backup is
 * unpacked and its database opened before anything is touched, and the previous content is kept next to it. Everything that is
 * written belongs to the owner of the data directory, whoever restores it, or if that is created here, to the owner of its
 * parent folder. Afterwards, only that owner can access the data directory, whoever created it.
 */
export const restore = async (dataDir: string, file: string): Promise<Restored> => {
  const made = firstMissing(dataDir)
  const owner = ownerOf(made ? dirname(made) : dataDir)
  const release = takeFolder(dataDir)
  try {
    giveTree(made ?? join(dataDir, 'lock'), owner)
    finishRestore(dataDir, owner)
    const unpacked = join(dataDir, 'restore.tmp')
    rmSync(unpacked, { recursive: true, force: true })
    try {
      await unpack(file, unpacked)
      await tryDatabase(join(unpacked, 'pg'), file)
      giveTree(unpacked, owner)
    } catch (error) {
      rmSync(unpacked, { recursive: true, force: true })
      throw error instanceof UnfitBackup
        ? error
        : new UnfitBackup(`${file} cannot be restored: ${reasonOf(error as Error)}`)
    }
    renameSync(unpacked, join(dataDir, 'restored'))
    syncDirectory(dataDir)
    const replaced = finishRestore(dataDir, owner)
    closeFolder(dataDir)
    return { replaced, owner }
  } finally {
    release()
  }
}

const reasonOf = (error: Error & { code?: string }) =>
  error.code === 'ZSTD_error_prefix_unknown' ? 'it is not a Cardstock backup.' : fileReason(error)

const unpack = (file: string, folder: string) =>
  pipeline(createReadStream(file), createZstdDecompress(), (bytes: AsyncIterable<Uint8Array>) => layOut(bytes, folder))

const layOut = async (bytes: AsyncIterable<Uint8Array>, folder: string) => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const folders = [folder]
  const closing = new Set<Promise<void>>()
  try {
    for await (const { name, isFolder, bytes: content } of readTar(bytes, { hasEnd: true })) {
      if (name.startsWith('/') || name.split('/').includes('..'))
        throw new DamagedArchive(`The archive contains an invalid name: ${name}`)
      const path = join(folder, name)
      if (isFolder) {
        await mkdir(path, { recursive: true, mode: 0o700 })
        folders.push(path)
      } else {
        const file = await open(path, 'wx', 0o600)
        await writeChecked(file, name, content).finally(() => closing.add(syncAndClose(file)))
        if (closing.size >= atOnce) await Promise.all(closing).then(() => closing.clear())
      }
    }
  } finally {
    await Promise.all(closing)
  }
  for (const path of folders) syncDirectory(path)
}

const writeChecked = async (file: FileHandle, name: string, content: AsyncIterable<Uint8Array>) => {
  const check = checkPages(name)
  const { take } = createPieces(content)
  for (let piece = await take(pieceBytes); piece.length > 0; piece = await take(pieceBytes)) {
    check(piece)
    await file.writeFile(piece)
  }
}

/** A whole number of pages. */
const pieceBytes = 1024 * 1024

const atOnce = 64

/** Checks a file's pieces, in order. Throws DamagedPage. */
const checkPages = (name: string): ((piece: Uint8Array) => void) => {
  const first = name.startsWith('pg/') ? firstPageOf(name.slice('pg/'.length)) : undefined
  if (first === undefined) return () => {}
  let pages = 0
  return (piece) => {
    const damaged = findDamage(piece, first + pages)
    if (damaged !== undefined) throw new DamagedPage(name, pages + damaged)
    pages += piece.length / pageBytes
  }
}

const syncAndClose = async (file: FileHandle) => {
  await file.sync()
  await file.close()
}

const tryDatabase = async (folder: string, file: string) => {
  if (!existsSync(join(folder, 'PG_VERSION'))) throw new UnfitBackup(`${file} is not a Cardstock backup.`)
  const db = await startDatabase(folder, true)
  try {
    const rows = await db.sql<{ name: string }[]>`select name from migrations order by name`
    const unknown = rows.find(({ name }) => !migrations.some((one) => one.name === name))
    if (unknown) throw new UnfitBackup(`${file} comes from a newer Cardstock: it has ${unknown.name}.`)
  } finally {
    await db.close()
  }
}
