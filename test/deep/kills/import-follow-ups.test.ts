import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../../db/client.ts'
import { serviceProcesses } from '../../support/service-process.ts'
import { until } from '../../support/until.ts'

const { isShared, operator, start, serve, withContext } = await serviceProcesses()
setDefaultTimeout(300_000)

/** Some chunks of rows: a server takes 4,000 in one, the embedded database some hundred. */
const rows = isShared ? 12_000 : 900
const header = 'set,number,player,title'
const row = (of: string, at: number, title = '') => `${of} ${at % 3},${at},${of} Player ${at % 90},${title}`
const table = (of: string, numbers: number[], title?: string) =>
  [header, ...numbers.map((at) => row(of, at, title))].join('\n')
const numbers = Array.from({ length: rows }, (_, at) => at)

type State = { status: string; counts: Record<string, number> & { cards: { updated: number } } }
const request = async (address: string, method: string, path: string, body?: string) => {
  const headers = { ...operator, 'Content-Type': 'text/csv' }
  const answer = await fetch(`${address}/internal/imports${path}`, { method, body, headers })
  return (await answer.json()) as State & { job_id: string }
}
const ended = (address: string, id: string) =>
  until(async () => (await request(address, 'GET', `/${id}`)).status === 'completed')

/** Begins something over HTTP, kills the service once a part of it is in, and lets another service end it. */
const killedIn = async (begin: (address: string) => Promise<string>, isBegun: (db: Database) => Promise<boolean>) => {
  const first = await serve()
  const id = await begin(first.address)
  // The embedded database belongs to the service: there its report tells.
  await until(async () => {
    if (isShared) return withContext(({ db }) => isBegun(db))
    const { status, counts } = await request(first.address, 'GET', `/${id}`)
    const { deleted = 0, put_back: putBack = 0, pruned = 0, cards } = counts
    return status === 'completed' || deleted + putBack + pruned + cards.updated > 0
  })
  first.child.kill('SIGKILL')
  await first.child.exited
  const second = await serve()
  await ended(second.address, id)
  const report = await request(second.address, 'GET', `/${id}`)
  second.child.kill('SIGTERM')
  expect(await second.child.exited).toBe(0)
  return report
}

const imported = async (address: string, body: string, query = '') => {
  const { job_id: id } = await request(address, 'POST', query, body)
  await ended(address, id)
  return id
}
const alone = async <T>(work: (address: string) => Promise<T>) => {
  const { address, child } = await serve()
  const result = await work(address)
  child.kill('SIGTERM')
  await child.exited
  return result
}
const look = (of: string) =>
  withContext(async ({ db }) => {
    const [found] = await db.sql`
      select count(*) filter (where c.deleted_at is null)::int as live, count(*) filter (where c.title = 'New')::int as renamed,
        (select count(*)::int from drift) as drift
      from cards c join sets s on s.id = c.set_id where s.name like ${`${of} %`}`
    return found
  })
const someOf = (cause: string) => async (db: Database) =>
  (await db.sql`select 1 from revisions where cause = ${cause} limit 1`).length > 0

test('an apply, an undo and a prune that are killed in the middle are ended by the next process, each row once', async () => {
  await alone((address) => imported(address, table('Killed', numbers, 'Old')))
  const dry = await alone((address) => imported(address, table('Killed', numbers, 'New'), '?dry_run=true'))

  const applied = await killedIn(
    async (address) => (await request(address, 'POST', `/${dry}/apply`)).job_id,
    someOf('import'),
  )
  expect(applied.counts.cards).toEqual({ created: 0, updated: rows, unchanged: 0, failed: 0 } as never)
  expect(await look('Killed')).toEqual({ live: rows, renamed: rows, drift: 0 })

  const undone = await killedIn(
    async (address) => (await request(address, 'POST', `/${applied.job_id}/undo`)).job_id,
    someOf('undo'),
  )
  expect(undone.counts).toMatchObject({ put_back: rows, deleted: 0, left: 0 })
  expect(await look('Killed')).toEqual({ live: rows, renamed: 0, drift: 0 })

  const kept = numbers.slice(0, 3)
  const pruned = await killedIn(
    async (address) => (await request(address, 'POST', '?prune=true', table('Killed', kept, 'Old'))).job_id,
    someOf('prune'),
  )
  expect(pruned.counts).toMatchObject({ missing: rows - kept.length, pruned: rows - kept.length })
  expect(await look('Killed')).toEqual({ live: kept.length, renamed: 0, drift: 0 })
})

test("a command's import that is killed is listed, and undone like any other", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cardstock-broken-off-'))
  const path = join(folder, 'broken.csv')
  // Enough that it tells its progress before it is through.
  const many = Array.from({ length: isShared ? 60_000 : 12_000 }, (_, at) => at)
  await Bun.write(path, table('Broken', many))
  // On the embedded database the running service does what the command asks.
  const { child: service } = await serve()
  const { child, log } = start('import', path)
  await until(() => log().includes(' cards in ') || child.exitCode !== null)
  for (const one of [child, service]) one.kill('SIGKILL')
  await Promise.all([child.exited, service.exited])
  const listed = start('import', '--list', '--json')
  expect(await listed.ended()).toBe(0)
  const { imports } = JSON.parse(listed.out()) as { imports: { id: string; file: string }[] }
  const undo = start('import', '--undo', imports.find(({ file }) => file === path)?.id ?? '', '--json')
  expect([await undo.ended(), JSON.parse(undo.out()).left]).toEqual([0, []])
  expect(await look('Broken')).toEqual({ live: 0, renamed: 0, drift: 0 })
  await rm(folder, { recursive: true })
})
