import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownServer } from '../support/own-server.ts'
import { startPooler } from '../support/pooler.ts'
import { openProcesses } from '../support/service-process.ts'

setDefaultTimeout(120_000)

const server = await ownServer('what doctor says about PgBouncer')
afterAll(() => server?.remove())

const lineOf = async (DATABASE_URL: string) => {
  const { start, end } = await openProcesses({ DATABASE_URL, DATABASE_PREPARE: 'false' })
  const { out, ended } = start('doctor')
  expect(await ended()).toBe(0)
  await end()
  return /^\S+ +pooler .*/m.exec(out())?.[0]
}

const lineBehind = async (settings: Record<string, string | number>) => {
  const pooler = await startPooler('what doctor says about PgBouncer', server?.url ?? '', {
    ...{ pool_mode: 'transaction', default_pool_size: 20, max_client_conn: 200 },
    ...settings,
  })
  return pooler && lineOf(pooler.url).finally(pooler.stop)
}

describe.skipIf(!server)('doctor', () => {
  test('has nothing to say about a pooler where there is none', async () => {
    expect(await lineOf(server?.url ?? '')).toMatch(/^ok +pooler +none in front of the database$/)
  })

  test('warns of a PgBouncer that refuses everything long after its server was away', async () => {
    const line = await lineBehind({})
    if (line) expect(line).toMatch(/^warn +pooler +PgBouncer’s server_login_retry is 15: .* Set it to 1$/)
  })

  test('is content with one that asks again soon', async () => {
    const line = await lineBehind({ server_login_retry: 1 })
    if (line) expect(line).toMatch(/^ok +pooler +PgBouncer, server_login_retry is 1$/)
  })

  test('says so where PgBouncer does not let it ask', async () => {
    const users = join(tmpdir(), `cardstock-users-${crypto.randomUUID()}`)
    writeFileSync(users, '"postgres" ""\n', { mode: 0o644 })
    const line = await lineBehind({ auth_type: 'trust', auth_file: users }).finally(() => rmSync(users))
    if (line) expect(line).toMatch(/^ok +pooler +in front of the database; it does not say its server_login_retry$/)
  })
})
