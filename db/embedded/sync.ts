import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes the names in a directory as durable as the files that they name. */
export const syncDirectory = (path: string) => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
