import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Database } from '../../../db/client.ts'
import { everythingIn } from '../../support/merges.ts'
import { randomOf } from '../../support/random.ts'
import { serviceProcesses } from '../../support/service-process.ts'
import { until } from '../../support/until.ts'

const random = randomOf(35)

const { isShared, operator, start, serve, withContext } = await serviceProcesses()
setDefaultTimeout(300_000)

/** Cards of two players in turns, every third one with a team: enough that a merge takes some time. */
const cards = isShared ? 6000 : 1200
const checklist = [
  'set,number,player,team',
  ...Array.from({ length: cards }, (_, n) => `Set ${n % 20},${n},${n % 2 ? 'Ann' : 'Anna'} Lee,${n % 3 ? '' : 'Sox'}`),
].join('\n')

type Request = { method: string; path: string; body?: string; type?: string }
const send = (address: string, { method, path, body, type = 'application/json' }: Request) =>
  fetch(`${address}${path}`, { method, body, headers: { ...operator, 'Content-Type': type } })

/** The database once nobody writes in it: a server's session learns late that its client was killed. */
const look = () =>
  withContext(async ({ db }) => {
    if (isShared) await until(() => nobodyWrites(db))
    const people = await db.sql<{ id: string; name: string; cards: number }[]>`
      select p.id, p.name, (select count(*)::int from oncard o where o.player_id = p.id and o.lists_player) as cards
      from players p order by p.name`
    const [row] = await db.sql<{ drift: number; merges: string[]; redirected: string[] }[]>`
      select (select count(*)::int from drift) as drift,
        array(select id::text from merges where undone_at is null) as merges,
        array(select id::text from redirects where object_type = 'players') as redirected`
    return { everything: await everythingIn(db), people, drift: -1, merges: [], redirected: [], ...row }
  })

const nobodyWrites = async ({ sql }: Database) => {
  const rows = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`
  return rows.length === 0
}

/** Asks a service, lets it answer, and says how long that took. */
const ask = async (request: Request) => {
  const { address, child } = await serve()
  const started = performance.now()
  const answer = await send(address, request)
  const milliseconds = performance.now() - started
  expect([200, 201, 204]).toContain(answer.status)
  child.kill('SIGTERM')
  await child.exited
  return milliseconds
}

/** Asks a service and kills it at some point of its work; answers the status where it was faster. */
const killIn = async (request: Request, milliseconds: number) => {
  const { address, child } = await serve()
  const answered = send(address, request).then(
    ({ status }) => status,
    () => undefined,
  )
  await Promise.race([answered, Bun.sleep(milliseconds)])
  child.kill('SIGKILL')
  await child.exited
  return answered
}

/** Points of a request's work. */
const points = Array.from({ length: 4 }, (_, n) => (n + random.next()) / 4)

test('a merge and its undo are done or not done where the process is killed in the middle', async () => {
  const { address, child } = await serve()
  const sent = await send(address, { method: 'POST', path: '/internal/imports', body: checklist, type: 'text/csv' })
  const { job_id: job } = (await sent.json()) as { job_id: string }
  await until(async () => {
    const answer = await send(address, { method: 'GET', path: `/internal/imports/${job}` })
    return ((await answer.json()) as { status: string }).status === 'completed'
  })
  child.kill('SIGTERM')
  await child.exited

  const apart = await look()
  const [into = '', from = ''] = apart.people.map(({ id }) => id)
  expect(apart).toMatchObject({ drift: 0, merges: [], people: [{ cards: cards / 2 }, { cards: cards / 2 }] })
  const body = JSON.stringify({ object_type: 'players', from_ids: [from], into_id: into })
  const merge = { method: 'POST', path: '/internal/merges', body }
  const undo = ([id]: string[]) => ({ method: 'DELETE', path: `/internal/merges/${id}` })
  const expectMerged = ({ people, redirected, drift, merges }: typeof apart) => {
    expect({ people: people.map((one) => one.cards), redirected, drift }).toEqual({
      ...{ people: [cards, 0], redirected: [from], drift: 0 },
    })
    expect(merges).toHaveLength(1)
  }
  const expectApart = ({ everything, drift, merges }: typeof apart) => {
    expect({ drift, merges }).toEqual({ drift: 0, merges: [] })
    expect(everything === apart.everything).toBe(true)
  }

  const mergeMilliseconds = await ask(merge)
  let merged = await look()
  expectMerged(merged)
  const undoMilliseconds = await ask(undo(merged.merges))
  expectApart(await look())

  for (const point of points) {
    const status = await killIn(merge, point * mergeMilliseconds)
    const left = await look()
    if (left.merges.length === 0) expectApart(left)
    else expectMerged(left)
    if (status !== undefined) expect([status, left.merges.length]).toEqual([201, 1])
    if (left.merges.length > 0) await ask(undo(left.merges))
  }

  await ask(merge)
  for (const point of points) {
    merged = await look()
    if (merged.merges.length === 0) await ask(merge)
    merged = await look()
    const status = await killIn(undo(merged.merges), point * undoMilliseconds)
    const left = await look()
    if (left.merges.length === 0) expectApart(left)
    else expect([left.everything === merged.everything, left.drift]).toEqual([true, 0])
    if (status !== undefined) expect([status, left.merges.length]).toEqual([204, 0])
  }

  const doctor = start('doctor')
  expect(await doctor.ended()).toBe(0)
  expect(doctor.out()).not.toContain('FAULT')
})
