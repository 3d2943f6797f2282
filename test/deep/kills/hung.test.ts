import { expect, test } from 'bun:test'
import type { Database } from '../../../db/client.ts'
import { serviceProcesses } from '../../support/service-process.ts'
import { until } from '../../support/until.ts'

const { isShared, operator, serve, withContext } = await serviceProcesses()

const rows = 9000
const checklist = ['set,number,player', ...Array.from({ length: rows }, (_, row) => `Base,${row},Ann Lee`)].join('\n')

/** Has whoever writes the last card wait for this lock. */
const wait = async ({ sql }: Database) => {
  await sql.unsafe(`
    create function wait() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(7); return null; end $$`)
  await sql.unsafe(`
    create trigger waits after insert on cards for each row when (new.number = '${rows - 1}') execute function wait()`)
}
const isWaiting = async ({ sql }: Database) =>
  (await sql`select 1 from pg_locks where locktype = 'advisory' and objid = 7 and not granted`).length > 0

const send = async (url: string, method: string, body?: string, type = 'text/csv') => {
  const answer = await fetch(url, { method, body, headers: { ...operator, 'Content-Type': type } })
  return { status: answer.status, body: await answer.json() }
}
const description = (id: string) => JSON.stringify({ data: { type: 'sets', id, attributes: { description: 'Mine' } } })

test.skipIf(!isShared)(
  'a process that hangs in the middle of a transaction gives up its locks and its import (needs a database that they share)',
  async () => {
    await withContext(({ db }) => wait(db))
    const hung = await serve()
    const { body } = await withContext(({ db }) =>
      db.transaction(async ({ sql }) => {
        // An import on a busy machine takes longer than a transaction may wait.
        await sql`set local idle_in_transaction_session_timeout = 0`
        await sql`select pg_advisory_xact_lock(7)`
        const sent = await send(`${hung.address}/internal/imports`, 'POST', checklist)
        await until(() => isWaiting(db))
        hung.child.kill('SIGSTOP')
        return sent
      }),
    )
    const { address } = await serve()
    const read = () => send(`${address}/internal/imports/${body.job_id}`, 'GET')
    const { data } = (await send(`${address}/v2/sets`, 'GET')).body as { data: { id: string }[] }
    const set = data[0]?.id as string
    const change = () => send(`${address}/v2/sets/${set}`, 'PATCH', description(set), 'application/vnd.api+json')
    expect((await change()).status).toBe(200)
    await until(async () => (await read()).body.status === 'completed')
    expect((await read()).body.counts).toMatchObject({ cards: { created: rows }, sets: { created: 1 } })

    hung.child.kill('SIGCONT')
    await until(() => /"catalog_import".*"outcome":"lost"/.test(hung.log()))
    expect((await fetch(`${hung.address}/health`)).status).toBe(200)
    const [left] = await withContext(
      ({ db }) => db.sql`select (select count(*)::int from cards) as cards, (select count(*)::int from drift) as drift`,
    )
    expect(left).toEqual({ cards: rows, drift: 0 })
  },
  180_000,
)
