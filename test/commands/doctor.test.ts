import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const run = runningCommands(app.context)

test('doctor finds nothing wrong with a fresh service, a line for each check', async () => {
  const { exit, out } = await run('doctor')
  expect(exit).toBe(0)
  const lines = out.trimEnd().split('\n')
  expect(lines.every((line) => line.startsWith('ok '))).toBe(true)
  for (const check of [
    'configuration',
    'lock',
    'connections',
    'migrations',
    'extensions',
    'counts',
    'storage',
    'mail',
    'jobs',
    'mirror',
    'stripe',
  ])
    expect(out).toContain(check)
})

test('doctor names the process that has the data directory, which may be the server that answers for it', async () => {
  const { out } = await run('doctor')
  const embedded = `process ${process.pid} holds ${app.context.config.dataDir}`
  expect(/^ok +lock +(.*)$/m.exec(out)?.[1]).toBe(app.db.kind === 'embedded' ? embedded : 'not needed')
})

test('doctor exits 1 where something is wrong, and says what', async () => {
  await app.db.sql`update migrations set finished_at = null where name = '0001_baseline'`
  const { exit, out } = await run('doctor')
  await app.db.sql`update migrations set finished_at = now() where name = '0001_baseline'`
  expect(exit).toBe(1)
  expect(out).toMatch(/^FAULT +migrations +0001_baseline/m)
})

test('doctor has a FAULT line for migrations that the executable does not know, naming them and its own version', async () => {
  await app.db.sql`insert into migrations (name, steps, finished_at) values ('9001_newer', 1, now())`
  const { exit, out } = await run('doctor')
  await app.db.sql`delete from migrations where name = '9001_newer'`
  expect(exit).toBe(1)
  expect(out).toMatch(/^FAULT +migrations +.*this Cardstock \(1\..*\) does not know: 9001_newer\./m)
})

test.skipIf(app.db.kind === 'embedded')('doctor warns of more connections than PostgreSQL takes', async () => {
  const config = { ...app.context.config, databaseUrl: 'postgres://localhost/cards', processes: 100, databasePool: 100 }
  const { exit, out } = await runningCommands({ ...app.context, config })('doctor')
  expect(exit).toBe(0)
  expect(out).toMatch(
    /^warn +connections +100 processes open up to 15400 connections, but PostgreSQL takes \d+\. Lower DATABASE_POOL/m,
  )
})

test('doctor warns of a variable that differs by a letter or two from a known one, without its value', async () => {
  process.env.DATABSE_URL = 'postgres://cards:hush@db/cards'
  const { exit, out } = await run('doctor')
  delete process.env.DATABSE_URL
  expect(exit).toBe(0)
  expect(out).toMatch(/^warn +spelling +DATABSE_URL is not a setting\. Did you mean DATABASE_URL\?$/m)
  expect(out).not.toContain('hush')
})
