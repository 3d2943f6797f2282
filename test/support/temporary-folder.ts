import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs before the first file of each test process (bunfig.toml). Gives it its own folder for temporary files, which include
 * every embedded database. If the system has room, the folder is in memory, where a sync costs nothing.
 */
const memory = '/dev/shm'
const roomBytes = 4e9

const hasRoom = () => {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > roomBytes
  } catch {
    return false
  }
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const shared = join(hasRoom() ? memory : tmpdir(), `cardstock-tests-${process.getuid?.() ?? 0}`)
const own = join(shared, String(process.pid))
mkdirSync(own, { recursive: true, mode: 0o755 })
process.env.TMPDIR = own

/** Removes what a process left behind, and the small disks that it had mounted there. What can't go stays for the next one. */
const clear = (folder: string) => {
  try {
    for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
      const place = line.split(' ')[1]
      if (place?.startsWith(`${folder}/`)) Bun.spawnSync(['umount', '--lazy', place], { stderr: 'ignore' })
    }
    rmSync(folder, { recursive: true, force: true })
  } catch {}
}

// A test process can't clean up when it ends, so the next one does.
for (const pid of readdirSync(shared)) if (!isRunning(Number(pid))) clear(join(shared, pid))
