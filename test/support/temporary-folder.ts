import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
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

// A test process can't clean up when it ends, so the next one does.
for (const pid of readdirSync(shared))
  if (!isRunning(Number(pid))) rmSync(join(shared, pid), { recursive: true, force: true })
