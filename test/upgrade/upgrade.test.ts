import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { runningCommands } from '../commands/running.ts'
import { testApp } from '../support/app.ts'
import { clientWith } from '../support/callers.ts'
import { testDatabase } from '../support/database.ts'
import { runJobs } from '../support/jobs.ts'
import { flat } from '../support/people.ts'
import { asking } from '../support/signing-up.ts'
import { checksumOf, loadDump, readDump } from './dump.ts'

const releases = readdirSync(import.meta.dir)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.replace('.sql', ''))

test('1.0.0 is the baseline and nothing else', () => {
  expect(Object.keys(readDump('1.0.0').head.migrations)).toEqual(['0001_baseline'])
})

/** What a search finds and in which order: scores, and cursors that hold them, are each release's own (decision 0011). */
const withoutScores = (document: unknown) => {
  const { data, jsonapi } = document as { data: { meta: object }[]; jsonapi: object }
  return { jsonapi, data: data.map(({ meta: _, ...found }) => found) }
}

describe.each(releases)('a database of %s', async (release) => {
  const dump = readDump(release)
  const { head, answers } = dump
  const released = Object.keys(head.migrations)
  const later = migrations.slice(released.length)

  test('was made by migrations that have not changed since', () => {
    const today = migrations.slice(0, released.length).map((one) => [one.name, checksumOf(one)])
    expect(Object.fromEntries(today)).toEqual(head.migrations)
  })

  const db = await testDatabase()
  await loadDump(db, dump)
  const applied = await migrate(db)
  const keyWindows = await db.sql`
    select w.count as before, (select count from rate_windows where key = 'key ' || k.user_id) as after
    from credentials k join rate_windows w on w.key = 'credential ' || k.id
    where k.kind = 'subscriber_key' and k.revoked_at is null`
  const environment = { FOUNDING_SLOTS: '3', SELF_SERVICE_SCOPES: 'read:published' }
  const app = await testApp({ db, environment, offsetSeconds: (Date.parse(head.at) - Date.now()) / 1000 })
  const as = (caller: string) => clientWith(app.fetch, app.baseUrl, head.callers[caller] ?? {})

  test('is brought up to date by the migrations that came after, and nothing drifts', async () => {
    expect(applied).toEqual(later.map(({ name }) => name))
    expect([...(await db.sql`select what, place, stored, truth from drift`)]).toEqual([])
    expect((await runningCommands(app.context)('doctor')).out).not.toContain('FAULT')
  })

  test('takes along what keys have used of their windows', () => {
    if (released.length === 1) expect(keyWindows.length).toBeGreaterThan(0)
    for (const { before, after } of keyWindows) expect(after).toBe(before)
  })

  test.each(answers)('answers $caller at $path as it did', async ({ caller, path, status, document }) => {
    const answer = await flat(as(caller), 'GET', path)
    expect(answer.status).toBe(status)
    expect(answer.flat).toMatchObject(path.startsWith('/v2/search') ? withoutScores(document) : (document as object))
  })

  test('lets people in by the password they had, and takes what they write', async () => {
    const { email, password } = head
    const session = await app.stranger().post('/v1/session', asking('sessions', { email, password }))
    expect(session.status).toBe(201)
    const brand = await as('operator').post('/v1/brands', asking('brands', { name: 'Later' }))
    expect(brand.status).toBe(201)
    expect((await as('operator').get('/v2/changes')).status).toBe(200)
  })

  test('does the work that was left to do', async () => {
    await runJobs(app.context)
    expect((await as('operator').get('/v1/cards?filter[name]=1 Ann Lee')).many).toHaveLength(1)
  })

  test('takes the next migration over its rows', async () => {
    const next = { name: '9999_next', sql: 'alter table cards add column next int not null default 1' }
    expect(await migrate(db, [...migrations, next])).toEqual([next.name])
    const [row] = await db.sql`select count(*)::int > 0 as "hasCards", bool_and(next = 1) as "isFilled" from cards`
    expect(row).toEqual({ hasCards: true, isFilled: true })
  })
})
