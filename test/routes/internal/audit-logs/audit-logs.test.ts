import { describe, expect, test } from 'bun:test'
import { writeAudit } from '../../../../src/audit/write.ts'
import { testApp } from '../../../support/app.ts'

const app = await testApp()
const { db, operator, internalMachine } = app
const path = '/internal/audit-logs'

const dayLength = 86_400_000
const now = () => app.clock.now().getTime()
const ago = (days: number) => new Date(now() - days * dayLength)
const written = (at: Date, eventType: string, auditableType: string | null = null, auditableId?: string) =>
  db.transaction((tx) =>
    writeAudit(tx, { agent: 'service', now: at }, { eventType, auditableType, auditableId, data: null }),
  )
const post = (attributes: object, who = operator) => who.post(path, { data: { type: 'audit_logs', attributes } })
const ids = async (query: string) => (await operator.get(`${path}?${query}`)).many.map(({ id }) => id)
const refused = async (query: string) => {
  const { status, faults } = await operator.get(`${path}?${query}`)
  return [status, ...faults]
}

describe('POST /internal/audit-logs', () => {
  test('keeps what it is given, and answers the record that its address leads to', async () => {
    const attributes = {
      ...{ event_type: 'checklist.reviewed', auditable_type: 'set', auditable_id: crypto.randomUUID() },
      ...{ agent_id: 'somebody', data: { pages: [1, 2], note: 'as "printed" \\ é', nested: { a: null } } },
    }
    const began = now()
    const { status, one, headers, text } = await post(attributes)
    expect([status, one.type, one.id]).toEqual([201, 'audit_logs', expect.stringMatching(/^[1-9]\d*$/)])
    expect(one.attributes).toEqual({ ...attributes, created_at: expect.any(String) })
    expect(Date.parse(String(one.attributes.created_at))).toBeWithin(began, now() + 1)
    expect(headers.get('location')).toBe(`${app.baseUrl}${path}/${one.id}`)
    const read = await operator.get(`${path}/${one.id}`)
    expect([read.status, read.text]).toEqual([200, text])
  })
  test('needs an event alone, and is whose credential it is', async () => {
    const [byOperator, byMachine] = [await post({ event_type: 'x' }), await post({ event_type: 'x' }, internalMachine)]
    expect(byOperator.one.attributes).toMatchObject({ auditable_type: null, auditable_id: null, data: null })
    expect(byOperator.one.attributes.agent_id).toMatch(/^user:[0-9a-f-]{36}$/)
    expect(byMachine.one.attributes.agent_id).toMatch(/^client:[0-9a-f-]{36}$/)
    expect((await post({ event_type: 'x', agent_id: null })).one.attributes.agent_id).toBeNull()
  })
  test.each([
    [{}, ['event_type']],
    [{ event_type: null }, ['event_type']],
    [{ event_type: ' ' }, ['event_type']],
    [
      { event_type: 'x'.repeat(256), auditable_id: '7', auditable_type: 7 },
      ['event_type', 'auditable_id', 'auditable_type'],
    ],
    [{ event_type: 'x', data: [], agent_id: 1, other: 1 }, ['agent_id', 'data', 'other']],
    [{ event_type: 'x', data: 'text' }, ['data']],
    [{ event_type: 'x', data: { pages: [{ note: 'a\u0000' }] } }, ['data']],
    [{ event_type: 'x', data: { '\ud800': 1 } }, ['data']],
  ])('refuses %j with 422 at what is wrong', async (attributes, wrong) => {
    const { status, faults } = await post(attributes)
    expect(status).toBe(422)
    expect(faults.toSorted()).toEqual(wrong.map((name) => `VALIDATION-FAILED /data/attributes/${name}`).toSorted())
  })
  test('refuses what is no document with 400, and another type with 409', async () => {
    for (const document of [{}, [], { data: null }, { data: { attributes: {} } }])
      expect((await operator.post(path, document)).status).toBe(400)
    expect((await operator.post(path, { data: { type: 'logs', attributes: { event_type: 'x' } } })).status).toBe(409)
    expect((await operator.post(`${path}?x=1`, { data: { type: 'audit_logs', attributes: {} } })).status).toBe(400)
  })
  test('an entry has no other methods', async () => {
    const { one } = await post({ event_type: 'x' })
    for (const method of ['PATCH', 'DELETE'])
      expect((await operator.send(method, `${path}/${one.id}`)).status).toBe(405)
    for (const id of ['0', '1x', '9'.repeat(18), '9'.repeat(30), crypto.randomUUID()])
      expect((await operator.get(`${path}/${id}`)).status).toBe(404)
  })
})

describe('GET /internal/audit-logs', () => {
  test('shows the last 30 days, the newest first, 50 on a page', async () => {
    const event = 'filter[event_type]=month'
    const [old] = [await written(ago(30.01), 'month'), await written(ago(29.99), 'month')]
    const yesterday = ago(1)
    const made = await Promise.all(Array.from({ length: 52 }, () => written(yesterday, 'month')))
    const { many, meta, links } = await operator.get(`${path}?${event}`)
    expect(many).toHaveLength(50)
    expect(meta).toMatchObject({ current_page: 1, from: 1, to: 50, per_page: 50, total: 53, last_page: 2 })
    expect(many[0]?.id).toBe(String(Math.max(...made.flat().map(Number))))
    const second = await operator.get(String(links.next).slice(app.baseUrl.length))
    expect(second.many).toHaveLength(3)
    expect((await operator.get(`${path}?${event}&per_page=500&page=2`)).many).toEqual([])
    const all = await ids(`${event}&per_page=500&filter[start_date]=${ago(31).toISOString()}`)
    expect([all.length, all.at(-1)]).toEqual([54, old?.[0] as string])
  })
  test('each filter, and each combination of them, gives what it names, with its total', async () => {
    const [mine, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const entries: [string, string | null, string?][] = [
      ['set.published', 'set', mine],
      ['set.published', 'set', other],
      ['set.published', 'card', mine],
      ['set.deleted', 'set', mine],
      ['set.deleted', null],
    ]
    const days = [0.2, 1, 3, 3, 12]
    for (const [at, entry] of entries.entries()) await written(ago(days[at] as number), ...entry)
    for (const event of [undefined, 'set.published', 'set.deleted', 'none'])
      for (const kind of [undefined, 'set', 'card'])
        for (const id of [undefined, mine, other.toUpperCase()]) {
          const given = { event_type: event, auditable_type: kind, auditable_id: id }
          const query = Object.entries(given).flatMap(([name, value]) => (value ? [`filter[${name}]=${value}`] : []))
          const { many, meta } = await operator.get(`${path}?${query.join('&')}&per_page=500`)
          const wanted = entries.filter(
            ([one, type, record]) =>
              (!event || one === event) && (!kind || type === kind) && (!id || record === id.toLowerCase()),
          )
          const found = many.filter(({ attributes }) => String(attributes.event_type).startsWith('set.'))
          expect([query, found.length]).toEqual([query, wanted.length])
          expect(meta.total).toBe(many.length)
        }
  })
  test('both bounds are included, and a missing one is that of the last 30 days', async () => {
    const at = new Date(Math.floor(now() / dayLength) * dayLength - 5 * dayLength + 1234)
    const day = at.toISOString().slice(0, 10)
    const [id = ''] = await written(at, 'bounds')
    const [older = ''] = await written(ago(40), 'bounds')
    const found = (bounds: string) => ids(`filter[event_type]=bounds&${bounds}`)
    const exact = at.toISOString()
    expect(await found(`filter[start_date]=${exact}&filter[end_date]=${exact}`)).toEqual([id])
    expect(await found(`filter[start_date]=${day}&filter[end_date]=${day}`)).toEqual([id])
    const east = new Date(at.getTime() + 2 * 3_600_000).toISOString().replace('Z', '')
    expect(await found(`filter[start_date]=${east}%2B02:00&filter[end_date]=${east}+0200`)).toEqual([id])
    expect(await found(`filter[start_date]=${new Date(at.getTime() + 1).toISOString()}`)).toEqual([])
    expect(await found(`filter[end_date]=${exact}`)).toEqual([id])
    expect(await found(`filter[start_date]=${ago(41).toISOString()}`)).toEqual([id, older])
    expect(await found(`filter[start_date]=2026-02-02&filter[end_date]=2026-02-01`)).toEqual([])
    expect(await found(`filter[start_date]=2999-01-01`)).toEqual([])
    expect(await found(`filter[end_date]=1999-01-01T00:00`)).toEqual([])
    expect(await found(`filter[start_date]=0001-01-01&filter[end_date]=9999-12-31`)).toEqual([id, older])
  })
  test('every page of a list of many days is found, whole and in order', async () => {
    const days = [0.1, 0.1, 1.5, 1.5, 1.5, 4, 9.3, 9.3, 20, 20]
    for (const one of days) await written(ago(one), 'paged', 'set')
    const query = 'filter[event_type]=paged&filter[auditable_type]=set'
    const all = await ids(query)
    expect(all).toHaveLength(days.length)
    for (const size of [1, 3, 4]) {
      const pages = await Promise.all(
        Array.from({ length: Math.ceil(days.length / size) }, (_, at) =>
          ids(`${query}&per_page=${size}&page=${at + 1}`),
        ),
      )
      expect(pages.flat()).toEqual(all)
    }
  })
  test.each([
    ['filter[start_date]=yesterday', 'filter[start_date]'],
    ['filter[start_date]=', 'filter[start_date]'],
    ['filter[start_date]=2026-02-30', 'filter[start_date]'],
    ['filter[end_date]=2026-02-30T10:00:00Z', 'filter[end_date]'],
    ['filter[end_date]=2026-02-03T25:00:00Z', 'filter[end_date]'],
    ['filter[end_date]=1767225600', 'filter[end_date]'],
    ['filter[start_date]=0001-01-01T00:00:00%2B14:00', 'filter[start_date]'],
    ['filter[end_date]=9999-12-31T23:59:59-12:00', 'filter[end_date]'],
    ['filter[auditable_id]=7', 'filter[auditable_id]'],
    ['filter[event_type]=like:set', 'filter[event_type]'],
    ['filter[agent_id]=x', 'filter[agent_id]'],
    ['per_page=501', 'per_page'],
    ['per_page=0', 'per_page'],
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['limit=5', 'limit'],
    ['pageName=p', 'pageName'],
    ['fields[audit_logs]=secret', 'fields[audit_logs]'],
  ])('%s is 400', async (query, parameter) => {
    expect(await refused(query)).toEqual([400, `INVALID_PARAMETER ${parameter}`])
  })
  test('has its numbers in meta.pagination, too, and knows pageName=page', async () => {
    for (const at of ['a', 'b', 'c']) await post({ event_type: `paged.${at}` })
    const { many, meta, headers } = await operator.get(`${path}?per_page=2&page=1&pageName=page`)
    const { total, per_page, current_page, last_page, pagination } = meta
    expect([many.length, per_page, headers.get('deprecation')]).toEqual([2, 2, '@1795219200'])
    expect(pagination).toEqual({ total, count: 2, per_page, current_page, total_pages: last_page })
    expect((await operator.get(`${path}?per_page=2`)).headers.has('deprecation')).toBe(false)
  })
  test('two bad bounds are two errors', async () => {
    expect(await refused('filter[start_date]=a&filter[end_date]=b')).toHaveLength(3)
  })
  test('shows the fields that are asked for', async () => {
    await post({ event_type: 'x' })
    const { many } = await operator.get(`${path}?fields[audit_logs]=event_type&per_page=1`)
    expect(Object.keys(many[0]?.attributes ?? {})).toEqual(['event_type'])
  })
})

test('only the scope internal opens the log', async () => {
  const who = ['reader', 'writer', 'subscriber', 'visitor', 'machine'] as const
  for (const name of who)
    for (const answer of [await app[name].get(path), await post({ event_type: 'x' }, app[name])])
      expect([name, answer.status, ...answer.faults]).toEqual([name, 403, 'INSUFFICIENT_SCOPE'])
  expect((await app.anonymous.get(path)).status).toBe(401)
})
