import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Enough that a disk with a few bytes left counts as full; little enough to be written every other second. */
const bytes = new Uint8Array(64 * 1024)

/**
 * Writes a file into a folder and removes it; throws the system's error if that fails. A folder that nobody has made yet
 * has nothing to be full of: then only a descriptor is asked for.
 */
export const probeFolder = (folder: string): void => {
  if (existsSync(folder)) probeExisting(folder)
  else closeSync(openSync('/dev/null', 'r'))
}

const probeExisting = (folder: string) => {
  const path = join(folder, `.probe-${process.pid}`)
  const descriptor = openSync(path, 'w', 0o600)
  try {
    writeAll(descriptor)
  } finally {
    closeSync(descriptor)
    rmSync(path, { force: true })
  }
}

/** A disk that is nearly full takes a part, and says that it is full at the next write. */
const writeAll = (descriptor: number) => {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}
