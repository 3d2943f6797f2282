import type { Database } from '../../db/client.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Log } from '../../src/lib/log.ts'
import { testDatabase } from './database.ts'

/** What a test's job gets: a database, a clock that can be moved, and a log that is kept. */
export type QueueWorld = {
  db: Database
  clock: Clock
  log: Log
  lines: { level: string; event: string; fields: object }[]
}

/** The surroundings of a queue on its own database. Close it in `afterAll`. */
export const aQueueWorld = async (db?: Database): Promise<QueueWorld> => {
  const clock: Clock = { offsetSeconds: 0, now: () => new Date(Date.now() + clock.offsetSeconds * 1000) }
  const lines: QueueWorld['lines'] = []
  const keep =
    (level: string) =>
    (event: string, fields: object = {}) =>
      void lines.push({ level, event, fields })
  const log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') }
  return { db: db ?? (await testDatabase()), clock, log, lines }
}
