import { afterAll, expect, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../db/client.ts'
import { makeApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { type Context, makeContext } from '../../src/context.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Log } from '../../src/lib/log.ts'
import { type CallerName, type Client, clientWith, makeCallers } from './callers.ts'
import { testDatabase } from './database.ts'
import { endAll } from './ending.ts'
import './passwords.ts'

export type Line = { level: string; event: string; fields: Record<string, unknown> }

/** The service on its own database, and a client for each kind of caller. */
export type TestApp = Record<CallerName, Client> & {
  context: Context
  db: Database
  /** Moves with `offsetSeconds`, for both gate and rooms. */
  clock: Clock
  baseUrl: string
  lines: Line[]
  fetch: (request: Request) => Promise<Response>
  /** The headers that each kind of caller sends. */
  headers: Record<CallerName, Record<string, string>>
  /** A client from an address that no other request in the test comes from. */
  stranger: () => Client
  /** Ends it before the end of the file, so that the next one in the file gets its database. */
  end: () => Promise<void>
}

/** `offsetSeconds` sets the clock before anything is created. */
type Options = { db?: Database; environment?: Record<string, string>; offsetSeconds?: number }

export const testBaseUrl = 'http://cards.example.org'

/**
 * Starts the service for one test file. At the end of the file, it checks that the catalog's maintained values are right and
 * that no unexpected fault was logged, and closes the database.
 */
export const testApp = async ({ db: given, environment, offsetSeconds = 0 }: Options = {}): Promise<TestApp> => {
  setDefaultTimeout(300_000)
  const db = given ?? (await testDatabase())
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-data-'))
  const lines: Line[] = []
  const clock = movableClock(offsetSeconds)
  const config = readConfig({
    APP_ENV: 'development',
    BASE_URL: testBaseUrl,
    DATA_DIR: dataDir,
    TRUSTED_PROXIES: '127.0.0.1',
    ...environment,
  })
  const context = makeContext({ config, db, log: keepLines(lines), clock, secret: 'a secret that only tests know of' })
  const app = makeApp(context)
  const fetch = async (request: Request) => app.handle(request)
  const headers = await makeCallers(context)
  const client = (own: Record<string, string>) => clientWith(fetch, testBaseUrl, { ...own, ...freshAddress() })
  const clients = Object.fromEntries(Object.entries(headers).map(([name, own]) => [name, client(own)]))
  const endOnce = async () => {
    await endAll()
    const drift = await db.sql`select what, place, stored, truth from drift limit 20`
    await db.close()
    rmSync(dataDir, { recursive: true, force: true })
    expect([...drift]).toEqual([])
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  }
  let ended: Promise<void> | undefined
  const end = () => {
    ended ??= endOnce()
    return ended
  }
  afterAll(end)
  return {
    ...(clients as Record<CallerName, Client>),
    ...{ context, db, clock, baseUrl: testBaseUrl, lines, fetch, headers, stranger: () => client({}), end },
  }
}

let addresses = 0

const freshAddress = () => {
  const n = ++addresses
  return { 'X-Forwarded-For': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` }
}

const movableClock = (offsetSeconds: number): Clock => {
  const clock: Clock = { offsetSeconds, now: () => new Date(Date.now() + clock.offsetSeconds * 1000) }
  return clock
}

const keepLines = (lines: Line[]): Log => {
  const keep =
    (level: string) =>
    (event: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, event, fields })
  return { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') }
}
