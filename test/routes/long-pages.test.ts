import { expect, test } from 'bun:test'
import { routes } from '../../src/app.ts'
import { writeAudit } from '../../src/audit/write.ts'
import { blankSet } from '../../src/catalog/write/set/rows.ts'
import { writeSets } from '../../src/catalog/write/set/write.ts'
import { enter } from '../../src/catalog/write/write-transaction.ts'
import { withPageLength } from '../../src/http/page-length.ts'
import type { Call, Route } from '../../src/http/route.ts'
import type { Identifier } from '../../src/jsonapi/relationships.ts'
import { Audience } from '../../src/lib/audience.ts'
import type { Answer } from '../support/answer.ts'
import { testApp } from '../support/app.ts'

const app = await testApp()
const { db, operator } = app
const most = 16 * 1024 * 1024

/** Such pages take long to make, and a slow machine refuses one that is late. */
const read = async (address: string) => {
  const ask = () => operator.get(address.replace(app.baseUrl, ''))
  let answer = await ask()
  while (answer.status === 503) answer = await ask()
  expect(answer.status).toBe(200)
  return answer
}

/** Follows links.next, and returns the ids and the lengths of all pages. */
const follow = async (path: string) => {
  const ids: string[] = []
  const lengths: number[] = []
  const pages: Answer[] = []
  for (let next: string | undefined = path; next; ) {
    const answer = await read(next)
    lengths.push(Buffer.byteLength(answer.text))
    ids.push(...answer.many.map(({ id }) => id))
    pages.push(answer)
    next = answer.many.length > 0 ? ((answer.links.next as string | null) ?? undefined) : undefined
  }
  return { ids, lengths, pages }
}

test('a numbered page that would be above 16 MB is shortened, links.next leads on, and nothing is lost', async () => {
  const data = { note: 'x'.repeat(65_000) }
  for (let part = 0; part < 3; part++)
    await db.transaction((tx) =>
      writeAudit(
        tx,
        { agent: 'service', now: app.clock.now() },
        Array.from({ length: 100 }, () => ({ eventType: 'long', data })),
      ),
    )
  const { ids, lengths, pages } = await follow('/internal/audit-logs?filter[event_type]=long&per_page=300')
  expect(Math.max(...lengths)).toBeLessThanOrEqual(most)
  expect([ids.length, new Set(ids).size]).toEqual([300, 300])
  expect(pages[0]?.meta).toMatchObject({ total: 300, current_page: 1, per_page: 150, last_page: 2, from: 1, to: 150 })
  const bracketed = await follow('/internal/audit-logs?filter[event_type]=long&page[size]=300&page[number]=1')
  expect(bracketed.ids).toEqual(ids)
})

test('so is a page of changes with their records: each comes once, with its record', async () => {
  const description = '🃏'.repeat(10_000)
  const ids = Array.from({ length: 500 }, () => Bun.randomUUIDv7())
  const state = { ...blankSet, status: 'published' as const, kind: 'base' as const, description, deleted: false }
  for (let first = 0; first < ids.length; first += 100)
    await enter(db, (tx) =>
      writeSets(
        tx,
        ids.slice(first, first + 100).map((id) => ({ id, change: () => ({ ...state, name: `Long ${id}` }) })),
        { level: Audience.draft, now: app.clock.now() },
      ),
    )
  const { lengths, pages } = await follow('/v2/changes?include=resource&filter[type]=sets&page[size]=1000')
  expect(Math.max(...lengths)).toBeLessThanOrEqual(most)
  expect(lengths.filter((length) => length > most / 10).length).toBeGreaterThan(1)
  const changed = pages.flatMap(({ many }) =>
    many.map(({ relationships }) => (relationships.resource as { data: Identifier }).data.id),
  )
  const included = pages.flatMap((page) => page.included.map(({ id }) => id))
  expect([changed.toSorted(), included.toSorted()]).toEqual([ids.toSorted(), ids.toSorted()])
}, 120_000)

test('one record with more than 16 MB included is refused with what to change; without an include nothing is looked at', async () => {
  for (const path of ['/v1/sets/:id', '/v1/cards/:id', '/v2/sets/:id', '/v1/sets']) {
    const route = routes.find((one) => one.path === path && one.method === 'GET') as Route
    const asked = (search: string, length: number) =>
      withPageLength({ ...route, handle: () => ({ status: 200, body: 'x'.repeat(length) }) })(app.context, {
        url: new URL(`http://cards.example.org${path}${search}`),
      } as unknown as Call)
    expect((await asked('?include=x', most)).status).toBe(200)
    await expect(asked('?include=x', most + 1)).rejects.toMatchObject({
      errors: [
        {
          ...{ status: '400', code: 'INVALID_PARAMETER', source: { parameter: 'include' } },
          detail: expect.stringContaining('more than 16 MiB'),
        },
      ],
    })
  }
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
