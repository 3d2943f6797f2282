import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small disk that a test may fill and clear. */
export type SmallDisk = {
  path: string
  fill: () => void
  clear: () => void
  /** Mounts it anew, so that it may only be read, or written again. */
  remount: (mode: 'ro' | 'rw') => void
  remove: () => void
}

/** Mounts one. Undefined if that isn't allowed, and a line says so. */
export const smallDisk = (what: string, megabytes: number): SmallDisk | undefined => {
  const path = mkdtempSync(join(tmpdir(), 'cardstock-disk-'))
  const mount = ['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]
  const isMounted = Boolean(Bun.which('mount')) && Bun.spawnSync(mount, { stderr: 'ignore' }).success
  if (!isMounted) {
    rmSync(path, { recursive: true })
    console.log(`skipped: ${what} (needs the right to mount a small disk)`)
    return undefined
  }
  const filler = join(path, 'filler')
  return {
    path,
    fill: () => fillWith(filler),
    clear: () => rmSync(filler),
    remount: (mode) => {
      const { success } = Bun.spawnSync(['mount', '-o', `remount,${mode}`, path])
      if (!success) throw new Error(`${path} can't be mounted anew`)
    },
    remove: () => {
      Bun.spawnSync(['umount', '--lazy', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}

const fillWith = (filler: string) => {
  const file = openSync(filler, 'a')
  try {
    for (;;) writeSync(file, page)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

const page = Buffer.alloc(4096)
