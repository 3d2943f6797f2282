import { builtExecutable } from './executable.ts'
import { readExposition } from './exposition.ts'
import { serviceProcesses } from './service-process.ts'
import { until } from './until.ts'

type Event = { event: string; process?: number; pid?: number } & Record<string, unknown>

const token = 'a-token-that-only-the-scraper-knows'

/** Whether tests of several processes run, which need a PostgreSQL. If not, a line says what is skipped. */
export const haveServer = (what: string): boolean => {
  if (process.env.TEST_DATABASE_URL) return true
  console.log(`skipped: ${what} (set TEST_DATABASE_URL to a PostgreSQL server)`)
  return false
}

/** A database, and how to start services of several processes on it, with the executable unless another is given. */
export const serviceOfMany = async (settings: Record<string, string> = {}, executable?: string) => {
  const service = await serviceProcesses(
    { METRICS_TOKEN: token, ...settings },
    [],
    executable ?? (await builtExecutable()),
  )
  /** Starts a service, and waits until all of its processes listen. */
  const startMany = async (count: number) => {
    const { child, log, address } = await service.serve('serve', '--processes', String(count))
    const events = (name: string): Event[] =>
      log()
        .split('\n')
        .slice(0, -1)
        .filter((line) => line.includes(`"event":"${name}"`))
        .map((line) => JSON.parse(line))
    /** The processes that serve, by their number. */
    const pids = () => new Map(events('listening').map(({ process: number, pid }) => [number, pid as number]))
    const listens = (times: number) => until(() => events('listening').length >= times)
    const scrape = async () => {
      const answer = await fetch(`${address}/metrics`, { headers: { Authorization: `Bearer ${token}` } })
      return readExposition(await answer.text())
    }
    await listens(count)
    return { child, log, address, events, pids, listens, scrape }
  }
  return { ...service, startMany }
}

/** Whether a process is there. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
