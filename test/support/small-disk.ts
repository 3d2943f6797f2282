import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small disk that a test may fill and clear. */
export type SmallDisk = {
  path: string
  fill: () => void
  clear: () => void
  /** What is opened by its path from now on may only be read, or is written again. Open files stay as they are. */
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
    // Over itself, since a disk with files that are open for writing can't become read-only. It's that elsewhere at first, where
    // nobody opens a file.
    remount: (mode) => {
      if (mode === 'rw') return succeed('umount', path)
      const aside = mkdtempSync(join(tmpdir(), 'cardstock-aside-'))
      succeed('mount', '--bind', path, aside)
      succeed('mount', '-o', 'remount,bind,ro', aside)
      succeed('mount', '--bind', aside, path)
      succeed('umount', aside)
      rmSync(aside, { recursive: true })
    },
    remove: () => {
      while (Bun.spawnSync(['umount', '--lazy', path], { stderr: 'ignore' }).success);
      rmSync(path, { recursive: true, force: true })
    },
  }
}

const succeed = (...words: string[]) => {
  const { success, stderr } = Bun.spawnSync(words, { stderr: 'pipe' })
  if (!success) throw new Error(stderr.toString())
}

/** A disk in a file whose system can be stopped as by an error of the disk: whatever is open, nothing is written anymore. */
export const failingDisk = (what: string, megabytes: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-disk-'))
  const [file, path] = [join(folder, 'disk'), join(folder, 'mounted')]
  mkdirSync(path)
  const mount = () => succeed('mount', '-o', 'loop', file, path)
  const remove = () => {
    Bun.spawnSync(['umount', '--lazy', path], { stderr: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    writeFileSync(file, '')
    truncateSync(file, megabytes * 2 ** 20)
    succeed('mkfs.ext4', '-q', file)
    mount()
  } catch {
    remove()
    console.log(`skipped: ${what} (needs mkfs.ext4 and the right to mount a file)`)
    return undefined
  }
  /** Mounts it anew once nobody has it open. */
  const mend = () => {
    succeed('umount', path)
    mount()
  }
  return { path, fail: () => succeed('mount', '-o', 'remount,abort', path), mend, remove }
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
