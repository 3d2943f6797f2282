import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueCredential } from '../../../../src/access/credentials.ts'
import { readConfig } from '../../../../src/config.ts'
import { type Context, openContext } from '../../../../src/context.ts'
import { openLog } from '../../../../src/lib/log.ts'
import { aUser } from '../../../support/callers.ts'
import { clonedDatabase } from '../../../support/cloned-database.ts'
import { until } from '../../../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardstock-import-'))
const server = process.env.TEST_DATABASE_URL
const cloned = server ? await clonedDatabase(server) : undefined
const environment = {
  ...(cloned ? { DATABASE_URL: cloned.url } : {}),
  ...{ DATA_DIR: folder, APP_ENV: 'development', PORT: '0' },
}
afterAll(async () => {
  await cloned?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const main = join(import.meta.dir, '../../../../src/main.ts')
const children: Bun.Subprocess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})
const serve = async () => {
  const child = Bun.spawn([process.execPath, main, 'serve'], {
    env: { PATH: process.env.PATH, HOME: folder, ...environment },
    ...{ stdout: 'ignore', stderr: 'pipe' },
  })
  children.push(child)
  let log = ''
  void (async () => {
    for await (const piece of child.stderr.pipeThrough(new TextDecoderStream())) log += piece
  })()
  const addressOf = () => /"address":"([^"]+)"/.exec(log)?.[1]
  await until(() => addressOf() !== undefined)
  return { child, address: addressOf() as string }
}

const withContext = async <T>(work: (context: Context) => Promise<T>) => {
  const context = await openContext(readConfig(environment), openLog('silent'))
  return work(context).finally(() => context.db.close())
}

/** Some chunks of rows: a server takes 2,000 in one, the embedded database some hundred; every hundredth row is bad. */
const rows = cloned ? 9000 : 1500
const checklist = [
  'set,number,player',
  ...Array.from({ length: rows }, (_, row) => (row % 100 ? `Set ${row >> 9},${row},Player ${row % 300}` : ',,Nobody')),
].join('\n')

test('an import goes on where its process was killed: no row is lost, none is written or counted twice', async () => {
  const Authorization = await withContext(async (context) => {
    const owner = await aUser(context, { operator: true, status: 'none' })
    const { secret } = await issueCredential(context.db, 'session', owner, context.config, context.clock.now())
    return `Bearer ${secret}`
  })
  const first = await serve()
  const headers = { Authorization, 'Content-Type': 'text/csv' }
  const sent = await fetch(`${first.address}/internal/imports`, { method: 'POST', body: checklist, headers })
  const { job_id: id } = (await sent.json()) as { job_id: string }
  const poll = async (address: string) => {
    const answer = await fetch(`${address}/internal/imports/${id}`, { headers: { Authorization } })
    return (await answer.json()) as { status: string; counts: { cards: { created: number } } }
  }
  await until(async () => (await poll(first.address)).counts.cards.created > 0)
  first.child.kill('SIGKILL')
  await first.child.exited

  const second = await serve()
  await until(async () => (await poll(second.address)).status === 'completed')
  const bad = rows / 100
  const none = { updated: 0, unchanged: 0, failed: 0 }
  expect(await poll(second.address)).toMatchObject({
    counts: {
      ...{ cards: { ...none, created: rows - bad }, sets: { ...none, created: ((rows - 1) >> 9) + 1 }, bad_rows: bad },
    },
    bad_rows: Array.from({ length: bad }, (_, at) => ({ line: 2 + at * 100, reason: 'the row names no set' })),
    error: null,
  })
  second.child.kill('SIGTERM')
  expect(await second.child.exited).toBe(0)
  const left = await withContext(async ({ db }) => {
    const [row] = await db.sql`
      select (select count(*)::int from cards) as cards, (select count(*)::int from import_pieces) as pieces,
        (select count(*)::int from drift) as drift, (select attempts from jobs where id = ${id}) as attempts`
    return row
  })
  expect(left).toEqual({ cards: rows - bad, pieces: 0, drift: 0, attempts: 2 })
}, 120_000)
