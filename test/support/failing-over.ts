import { expect } from 'bun:test'
import { type KeyedWrites, writeWhile } from './keyed-writers.ts'
import { openProcesses } from './service-process.ts'
import { until } from './until.ts'

/** What takes the database away from a service, and what gives it one again. */
export type Turn = { takes: () => Promise<void>; gives: () => Promise<void> }

/**
 * Runs a service on a database while 32 writers post to it, takes the database away, and gives it back. Expects that all writes
 * that it acknowledged are there, once each, and that it went on by itself. Prints how long everything took.
 */
export const failOver = async (name: string, settings: Record<string, string>, turn: Turn): Promise<void> => {
  const processes = await openProcesses(settings)
  try {
    const { address, child } = await processes.serve()
    const isHealthy = async () => (await fetch(`${address}/health`)).ok
    let report = ''
    const written = await writeWhile(address, processes.operator, async (next) => {
      const began = performance.now()
      const since = (mark: number) => `${((performance.now() - mark) / 1000).toFixed(1)} s`
      const gone = Promise.all([turn.takes(), until(async () => !(await isHealthy()))])
      await gone
      report = `/health failed after ${since(began)}`
      await turn.gives()
      const given = performance.now()
      await until(isHealthy)
      report += `, and was well ${since(given)} after a primary was there`
      await next()
      report += `, a write came ${since(given)} after`
    })
    console.log(`${name}: ${written.ids.size} writes, ${report}`)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    await expectAllOnce(written, processes.withContext)
  } finally {
    await processes.end()
  }
}

const expectAllOnce = async (
  { ids, statuses }: KeyedWrites,
  withContext: Awaited<ReturnType<typeof openProcesses>>['withContext'],
) => {
  expect([...statuses].filter((status) => ![201, 409, 503].includes(status))).toEqual([])
  await withContext(async ({ db }) => {
    const kept = await db.sql<{ number: string; id: string }[]>`select number, id from cards`
    expect(new Map(kept.map(({ number, id }) => [number, id]))).toEqual(ids)
    expect(kept).toHaveLength(ids.size)
    expect(await db.sql`select from drift limit 1`).toHaveLength(0)
  })
}
