import { expect, test } from 'bun:test'
import { issueCredential } from '../../../src/access/credentials.ts'
import { agree, aUser } from '../../support/callers.ts'
import { serviceProcesses } from '../../support/service-process.ts'

const { serve, withContext } = await serviceProcesses()

const headers = await withContext(async ({ db, config, clock }) => {
  const context = { db, config, clock }
  const owner = await aUser(context as Parameters<typeof aUser>[0], { operator: true, status: 'none' })
  const { id, secret } = await issueCredential(db, 'session', owner, config, clock.now())
  await agree(db, id, { limit: 1_000_000, windowSeconds: 3600 }, { now: clock.now(), internalPoolLimit: 0 })
  return { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/vnd.api+json' }
})

const cards = 2000
const killedAfter = [200, 700, 1300]
const inParallel = 16

test('2,000 POSTs with keys, sent again until they are answered while the process is killed, are done once each', async () => {
  let service = await serve()
  let serving = Promise.resolve()
  const answered: string[] = []
  const restart = async () => {
    service.child.kill('SIGKILL')
    await service.child.exited
    service = await serve()
  }
  const post = async (path: string, document: unknown, key: string) => {
    for (;;) {
      await serving
      const sent = { method: 'POST', body: JSON.stringify(document), headers: { ...headers, 'Idempotency-Key': key } }
      const answer = await fetch(`${service.address}${path}`, sent).catch(() => undefined)
      const text = await answer?.text().catch(() => undefined)
      if (answer?.status === 201 && text) return text
      if (answer) expect([201, 409, 503]).toContain(answer.status)
    }
  }
  const made = JSON.parse(await post('/v1/sets', { data: { type: 'sets', attributes: { name: 'Base' } } }, 'set'))
  const set = { data: { type: 'sets', id: made.data.id } }
  const aCard = (n: number) => ({ data: { type: 'cards', attributes: { number: String(n) }, relationships: { set } } })
  let [next, done] = [0, 0]
  const sendAll = async () => {
    while (next < cards) {
      const n = next++
      answered[n] = await post('/v1/cards', aCard(n), `card-${n}`)
      if (++done === killedAfter[0]) {
        killedAfter.shift()
        serving = restart()
      }
    }
  }
  await Promise.all(Array.from({ length: inParallel }, sendAll))
  expect(killedAfter).toEqual([])
  for (let n = 0; n < cards; n += 20) expect(await post('/v1/cards', aCard(n), `card-${n}`)).toBe(answered[n] as string)
  service.child.kill('SIGTERM')
  expect(await service.child.exited).toBe(0)
  const held = await withContext(async ({ db }) => {
    const rows = await db.sql<{ id: string; number: string }[]>`select id, number from cards order by number::int`
    const [{ drift } = { drift: -1 }] = await db.sql<{ drift: number }[]>`select count(*)::int as drift from drift`
    return { rows: rows.map(({ id, number }) => `${number} ${id}`), drift }
  })
  expect(held).toEqual({ rows: answered.map((text, n) => `${n} ${JSON.parse(text).data.id}`), drift: 0 })
}, 120_000)
