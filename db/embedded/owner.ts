import { accessSync, chmodSync, constants, existsSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { hasCode } from '../faults.ts'

/** Who owns a file. */
export type Owner = { uid: number; gid: number }

/** The owner of a file or folder. */
export const ownerOf = (path: string): Owner => {
  const { uid, gid } = statSync(path)
  return { uid, gid }
}

/** The topmost folder of a path that doesn't exist yet. Undefined if they all exist. */
export const firstMissing = (path: string): string | undefined => {
  const whole = resolve(path)
  return existsSync(whole) ? undefined : (firstMissing(dirname(whole)) ?? whole)
}

/**
 * Gives a folder or a file, and everything in it, to an owner, with modes 0700 and 0600. Only root can change owners; for other
 * users it becomes their own.
 */
export const giveTree = (path: string, owner: Owner): void => {
  const stats = lstatSync(path)
  if (process.getuid?.() === 0) lchownSync(path, owner.uid, owner.gid)
  if (stats.isDirectory()) for (const name of readdirSync(path)) giveTree(join(path, name), owner)
  if (stats.isDirectory() || stats.isFile()) chmodSync(path, stats.isDirectory() ? 0o700 : 0o600)
}

/** What a command writes to the data directory, besides images, which requests write. */
const writtenByCommands = ['pg', 'lock', 'app-secret', 'bulk']

/**
 * Gives what a command run by root wrote to a data directory back to the directory's owner, so that their service can continue.
 */
export const giveBack = (dataDir: string): void => {
  const owner = ownerOf(dataDir)
  if (process.getuid?.() !== 0 || owner.uid === 0) return
  for (const name of writtenByCommands) if (existsSync(join(dataDir, name))) giveTree(join(dataDir, name), owner)
}

/** Throws a sentence that names the first path in a folder that this process may not use. */
export const requireAccess = (folder: string): void => {
  demand(folder, anything)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) requireAccess(path)
    else demand(path, constants.R_OK | constants.W_OK)
  }
}

const demand = (path: string, mode: number) => {
  try {
    accessSync(path, mode)
  } catch (error) {
    throw hasCode(error, 'EACCES') ? new Error(forbidden(path), { cause: error }) : error
  }
}

const anything = constants.R_OK | constants.W_OK | constants.X_OK

/** The sentence for a path that this process may not use, and what to do about it. */
export const forbidden = (path: string): string => {
  const { uid, mode } = statSync(path)
  const shown = (mode & 0o7777).toString(8).padStart(4, '0')
  const own = process.getuid?.()
  return `${path} cannot be used: permission denied. It belongs to uid ${uid} (mode ${shown}), and this process runs as uid ${own}. Run it as uid ${uid}, or give the whole data directory to uid ${own} with chown -R.`
}
