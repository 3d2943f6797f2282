import { closeSync, openSync, readFileSync } from 'node:fs'

/** PostgreSQL needs at least 64, and by default never asks for more than 1,000. */
const [least, most] = [64, 1000]

/** How many files the embedded database may keep open: half of the process's limit, which leaves the rest to connections. */
export const databaseFiles = (limit: number | undefined = openFilesLimit()): number =>
  Math.max(least, Math.min(most, Math.floor((limit ?? 2 * most) / 2)))

/** How many descriptors this process may have. Undefined if unknown. */
const openFilesLimit = (): number | undefined => {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

/** For a thread, and the files that its server opens at the start. */
const forStart = 40

/** Throws the system's EMFILE if a server couldn't be started, because a thread without a descriptor ends the whole process. */
export const requireDescriptors = () => {
  const taken: number[] = []
  try {
    while (taken.length < forStart) taken.push(openSync('/dev/null', 'r'))
  } finally {
    for (const descriptor of taken) closeSync(descriptor)
  }
}

/** A 1 at each descriptor that a server holds, in memory that its thread and the main thread share. */
export type HeldDescriptors = Uint8Array

export const holdDescriptors = (): HeldDescriptors => new Uint8Array(new SharedArrayBuffer(2 ** 20))

/**
 * Closes what a server held whose thread has ended: a thread that is stopped, or that fails, closes nothing itself.
 */
export const closeHeld = (held: HeldDescriptors) => {
  for (let descriptor = held.indexOf(1); descriptor >= 0; descriptor = held.indexOf(1, descriptor)) {
    held[descriptor] = 0
    closeSync(descriptor)
  }
}
