import { FFIType } from 'bun:ffi'
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileReason } from '../../src/lib/file-fault.ts'
import { openLibc } from '../../src/lib/libc.ts'
import { hasCode } from '../faults.ts'
import { forbidden } from './owner.ts'

/** Thrown if another process already works on the data directory. */
export class FolderInUse extends Error {
  constructor(
    readonly dataDir: string,
    /** The id of the process that has it. Empty if it hasn't written its id yet. */
    readonly holder: string,
  ) {
    super(
      `The folder ${dataDir} is in use by another cardstock process${holder && ` (pid ${holder})`}. Stop that one, or give this one its own DATA_DIR.`,
    )
  }
}

/**
 * Takes the data directory for this process alone and returns a function that releases it. Throws FolderInUse, or an error that
 * says why the folder can't be used. The operating system releases it when the process ends, however it ends. The file stays,
 * because removing it would let two processes in.
 */
export const takeFolder = (dataDir: string): (() => void) => {
  const path = join(dataDir, 'lock')
  const descriptor = openLock(dataDir, path)
  if (flock(descriptor, exclusive | atOnce) !== 0) {
    closeSync(descriptor)
    throw new FolderInUse(dataDir, readFileSync(path, 'utf8').trim())
  }
  ftruncateSync(descriptor)
  writeSync(descriptor, `${process.pid}\n`)
  let held = true
  return () => {
    if (held) closeSync(descriptor)
    held = false
  }
}

const openLock = (dataDir: string, path: string): number => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return openSync(path, 'a+', 0o600)
  } catch (error) {
    if (hasCode(error, 'EACCES')) requireAllowed(path, dataDir)
    throw new Error(
      `The folder ${dataDir} cannot be used: ${fileReason(error as Error)} DATA_DIR must be a folder that this process may create and write to.`,
      { cause: error },
    )
  }
}

/** Returns the owner of the folder, or of the lock in it if there is one. */
const requireAllowed = (...paths: string[]) => {
  for (const path of paths) if (isThere(path)) throw new Error(forbidden(path))
}

const isThere = (path: string) => {
  try {
    return Boolean(statSync(path))
  } catch {
    return false
  }
}

const exclusive = 2
const atOnce = 4

const flock = (descriptor: number, operation: number): number => loaded().flock(descriptor, operation)

const flockOnly = { flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } } as const
let library: ReturnType<typeof openLibc<typeof flockOnly>> | undefined

const loaded = () => {
  library ??= openLibc(flockOnly)
  return library
}
