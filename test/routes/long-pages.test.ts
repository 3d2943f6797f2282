import { afterAll, expect, test } from 'bun:test'
import { writeAudit } from '../../src/audit/write.ts'
import { startNumbering } from '../../src/catalog/sync/feed/number.ts'
import { testApp } from '../support/app.ts'
import { factories, toOne } from '../support/factories.ts'
import { until } from '../support/until.ts'

const app = await testApp({ environment: { BATCH_INLINE_MAX: '1000', MAX_BODY_BYTES: '100000000' } })
const { db, operator } = app
const most = 16 * 1024 * 1024
const stopNumbering = startNumbering(app.context)
afterAll(stopNumbering)

/** Follows links.next, and returns the ids and the lengths of all pages. */
const follow = async (path: string) => {
  const ids: string[] = []
  const lengths: number[] = []
  const metas: Record<string, unknown>[] = []
  for (let next: string | undefined = path; next; ) {
    const answer = await operator.get(next.replace(app.baseUrl, ''))
    expect(answer.status).toBe(200)
    lengths.push(Buffer.byteLength(answer.text))
    ids.push(...answer.many.map(({ id }) => id))
    metas.push(answer.meta)
    next = answer.many.length > 0 ? ((answer.links.next as string | null) ?? undefined) : undefined
  }
  return { ids, lengths, metas }
}

test('a numbered page that would be above 16 MB is shortened, links.next leads on, and nothing is lost', async () => {
  const data = { note: 'x'.repeat(65_000) }
  for (let part = 0; part < 7; part++)
    await db.transaction((tx) =>
      writeAudit(
        tx,
        { agent: 'service', now: app.clock.now() },
        Array.from({ length: 100 }, () => ({ eventType: 'long', data })),
      ),
    )
  const { ids, lengths, metas } = await follow('/internal/audit-logs?filter[event_type]=long&per_page=500')
  expect(Math.max(...lengths)).toBeLessThanOrEqual(most)
  expect([ids.length, new Set(ids).size]).toEqual([700, 700])
  expect(metas[0]).toMatchObject({ total: 700, current_page: 1, per_page: 250, last_page: 3, from: 1, to: 250 })
  const second = await operator.get('/internal/audit-logs?filter[event_type]=long&per_page=500&page=2')
  expect(second.many.map(({ id }) => id)).toEqual(ids.slice(500))
  const bracketed = await follow('/internal/audit-logs?filter[event_type]=long&page[size]=500&page[number]=1')
  expect(bracketed.ids).toEqual(ids)
})

test('so is a page of a cursor', async () => {
  const make = factories(app)
  const set = await make.set()
  const notes = '\u{1F0CF}'.repeat(10_000)
  const rows = Array.from({ length: 500 }, (_, at) => ({
    ...{ type: 'cards', id: crypto.randomUUID(), attributes: { number: String(at + 1), notes } },
    relationships: { set: toOne(set) },
  }))
  for (const part of [rows.slice(0, 250), rows.slice(250)])
    expect((await operator.post('/internal/card-batches', { data: part })).status).toBe(200)
  await until(async () => (await db.sql`select 1 from changes where no is null limit 1`).length === 0)
  const { ids, lengths } = await follow('/v2/changes?page[size]=1000&include=resource&filter[type]=cards')
  expect(Math.max(...lengths)).toBeLessThanOrEqual(most)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThanOrEqual(500)
})

test('the data of an audit entry has at most 64 KB', async () => {
  const post = (data: object, more: object = {}) =>
    operator.post('/internal/audit-logs', {
      data: { type: 'audit_logs', attributes: { event_type: 'x', data, ...more } },
    })
  const [fits, tooLong] = [65_536, 65_537].map((bytes) => ({ note: 'x'.repeat(bytes - '{"note":""}'.length) }))
  expect((await post(fits as object)).status).toBe(201)
  expect((await post(tooLong as object)).faults).toEqual(['VALIDATION-FAILED /data/attributes/data'])
  expect((await post(tooLong as object, { event_type: 5 })).faults.toSorted()).toEqual([
    'VALIDATION-FAILED /data/attributes/data',
    'VALIDATION-FAILED /data/attributes/event_type',
  ])
  expect((await post({ note: '🃏'.repeat(16_400) })).status).toBe(422)
})
