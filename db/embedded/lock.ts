import { dlopen, FFIType } from 'bun:ffi'
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from '../faults.ts'
import { forbidden } from './owner.ts'

/** Raised when another process already works on the data directory. */
export class FolderInUse extends Error {
  constructor(
    readonly dataDir: string,
    /** The process that has it; empty if it has not written its id yet. */
    readonly holder: string,
  ) {
    super(
      `The folder ${dataDir} is in use by another cardstock process${holder && ` (pid ${holder})`}: stop that one, or give this one a DATA_DIR of its own.`,
    )
  }
}

/**
 * Takes the data directory for this process alone and returns the function that releases it; throws FolderInUse, or an error that
 * says why the folder is of no use. The operating system releases it when the process ends, however it ends. The file stays:
 * removing it would let two in.
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
    const { message } = error as Error
    if (hasCode(error, 'EACCES')) requireAllowed(path, dataDir)
    throw new Error(
      `The folder ${dataDir} cannot be used: ${message}. DATA_DIR names a folder that may be made and written.`,
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

let library: { flock: (descriptor: number, operation: number) => number } | undefined

const loaded = () => {
  library ??= load()
  return library
}

const load = () => {
  for (const name of [
    'libc.so.6',
    `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`,
    'libSystem.B.dylib',
  ])
    try {
      return dlopen(name, { flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } }).symbols
    } catch {
      // Not this system's C library: the next name may be.
    }
  throw new Error('the data directory cannot be locked: no C library with flock was found')
}
