import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs before the first file of each test process (bunfig.toml): puts temporary folders, and with them every embedded
 * database, into memory where the system has room for them there. What they hold is the same, and a sync costs nothing.
 */
const memory = '/dev/shm'
const roomBytes = 4e9
const shared = join(memory, 'cardstock-tests')
const own = join(shared, String(process.pid))

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

/** A test process cannot tidy up as it ends: the next one does. */
const removeLeftovers = () => {
  for (const pid of readdirSync(shared))
    if (!isRunning(Number(pid))) rmSync(join(shared, pid), { recursive: true, force: true })
}

if (tmpdir() === '/tmp' && hasRoom()) {
  mkdirSync(own, { recursive: true, mode: 0o755 })
  removeLeftovers()
  process.env.TMPDIR = own
}
