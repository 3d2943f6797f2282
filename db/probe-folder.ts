import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Enough that a disk with a few bytes left counts as full, and little enough to be written every other second. */
const bytes = new Uint8Array(64 * 1024)

/**
 * Writes a file to a folder and removes it. Throws the system's error if that fails. For a folder that doesn't exist yet, it
 * only checks that a descriptor is free.
 */
export const probeFolder = (folder: string): void => {
  if (existsSync(folder)) probeExisting(folder)
  else closeSync(openSync('/dev/null', 'r'))
}

const probeExisting = (folder: string) => {
  // The same name each time, so that the next probe removes what a killed process left.
  const path = join(folder, '.probe')
  const descriptor = openSync(path, 'w', 0o600)
  try {
    writeAll(descriptor)
  } finally {
    closeSync(descriptor)
    rmSync(path, { force: true })
  }
}

/** A disk that is nearly full accepts a part, and reports that it is full at the next write. */
const writeAll = (descriptor: number) => {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}
