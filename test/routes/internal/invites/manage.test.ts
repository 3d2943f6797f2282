import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'

const app = await testApp()
const { db, operator } = app
const path = '/internal/invites'

const document = (attributes: object) => ({ data: { type: 'invites', attributes } })
const post = (attributes: object) => operator.post(path, document(attributes))
const validate = (code: unknown) =>
  app.stranger().send('POST', '/v1/invites/validate', {
    ...{ body: JSON.stringify({ code }), headers: { 'Content-Type': 'application/json' } },
  })
const logged = async (id: string) => {
  const { many, text } = await operator.get(
    `/internal/audit-logs?filter[auditable_type]=invite&filter[auditable_id]=${id}`,
  )
  return { events: many.map(({ attributes }) => attributes.event_type), many, text }
}
const inDays = (text: unknown) => (Date.parse(String(text)) - app.clock.now().getTime()) / 86_400_000

describe('POST /internal/invites', () => {
  test('without a body makes an invite for one sign-up by anybody within 14 days', async () => {
    const bodies = [undefined, '', '{}', JSON.stringify({ data: { type: 'invites' } }), JSON.stringify(document({}))]
    for (const body of bodies) {
      const headers = body ? { 'Content-Type': 'application/vnd.api+json' } : undefined
      const answer = await operator.send('POST', path, { body, headers })
      expect([body, answer.status]).toEqual([body, 201])
      expect(answer.one.attributes).toMatchObject({ label: null, email: null, max_uses: 1, claims: 0, holds: 0 })
      expect(answer.one.attributes).toMatchObject({ status: 'usable', revoked_at: null })
      expect(inDays(answer.one.attributes.expires_at)).toBeCloseTo(14, 1)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('location')).toBe(`${app.baseUrl}${path}/${answer.one.id}`)
      expect((await validate(answer.one.attributes.code)).document).toEqual({
        valid: true,
        email_pinned: false,
      } as never)
    }
  })
  test('takes every attribute, and shows the code this once', async () => {
    const given = { label: 'show', email: 'pin@example.org', max_uses: 3, expires_at: null, code: 'my own code ✓' }
    const { one } = await post(given)
    expect(one.attributes).toMatchObject(given)
    expect((await validate(given.code)).document).toEqual({ valid: true, email_pinned: true } as never)
    const [single, listed] = [await operator.get(`${path}/${one.id}`), await operator.get(path)]
    expect(single.one.attributes).toMatchObject({
      label: 'show',
      email: 'pin@example.org',
      max_uses: 3,
      expires_at: null,
    })
    for (const { text } of [single, listed, await logged(one.id)]) expect(text).not.toContain(given.code)
    expect(Object.keys(single.one.attributes)).not.toContain('code')
    const rows = await db.sql<{ row: string }[]>`select i::text as row from invites i where id = ${one.id}`
    expect(rows[0]?.row).not.toContain(given.code)
  })
  test.each([
    [{ email: 'nobody' }, ['email']],
    [{ max_uses: 0 }, ['max_uses']],
    [{ max_uses: null, label: 5 }, ['label', 'max_uses']],
    [{ max_uses: 1.5, expires_at: 'tomorrow' }, ['expires_at', 'max_uses']],
    [{ expires_at: '2026-02-30T00:00:00Z' }, ['expires_at']],
    [{ expires_at: '9999-12-31T23:59:59-12:00' }, ['expires_at']],
    [{ expires_at: '0001-01-01T00:00:00+14:00' }, ['expires_at']],
    [{ code: ' ', uses: 1 }, ['code', 'uses']],
    [{ label: 'x'.repeat(256) }, ['label']],
  ])('refuses %j with 422 at what is wrong', async (attributes, wrong) => {
    const { status, faults } = await post(attributes)
    const named = wrong.map((name) => `VALIDATION-FAILED /data/attributes/${name}`)
    expect([status, ...faults.toSorted()]).toEqual([422, ...named])
  })
  test('refuses a code that there is with 422, and writes nothing', async () => {
    await post({ code: 'taken' })
    const before = await db.sql`select count(*) as n from audit_logs`
    const { status, faults } = await post({ code: 'taken' })
    expect([status, ...faults]).toEqual([422, 'VALIDATION-FAILED /data/attributes/code'])
    expect([...(await db.sql`select count(*) as n from audit_logs`)]).toEqual([...before])
  })
  test('refuses what is no document with 400, and another type with 409', async () => {
    for (const body of [[], { attributes: {} }, { data: null }])
      expect((await operator.post(path, body)).status).toBe(400)
    expect((await operator.post(path, { data: { type: 'invite' } })).status).toBe(409)
    expect((await operator.post(`${path}?x=1`, document({}))).faults).toEqual(['INVALID_PARAMETER x'])
  })
})

describe('GET /internal/invites', () => {
  test('lists the newest first, page by page, with uses and state', async () => {
    const [first, second] = [await post({ label: 'first' }), await post({ label: 'second', max_uses: 2 })]
    const hold = (id: string, heldFor: number, claimed: boolean) => db.sql`
      insert into invite_uses (id, invite_id, held_until, claimed_at)
      values (${crypto.randomUUID()}, ${id}, ${new Date(app.clock.now().getTime() + heldFor).toISOString()},
        ${claimed ? app.clock.now().toISOString() : null})`
    await hold(first.one.id, 3_600_000, true)
    for (const heldFor of [3_600_000, -60_000]) await hold(second.one.id, heldFor, false)
    const [page, next] = [await operator.get(`${path}?per_page=1`), await operator.get(`${path}?per_page=1&page=2`)]
    expect(page.many.map(({ attributes }) => attributes)).toMatchObject([
      { label: 'second', max_uses: 2, claims: 0, holds: 1, status: 'usable', revoked_at: null },
    ])
    expect(next.many.map(({ attributes }) => attributes)).toMatchObject([
      { label: 'first', claims: 1, holds: 0, status: 'exhausted' },
    ])
    expect(page.meta).toMatchObject({ current_page: 1, per_page: 1, total: page.meta.last_page })
    const thin = await operator.get(`${path}?per_page=1&fields[invites]=label`)
    expect(thin.many[0]?.attributes).toEqual({ label: 'second' })
  })
  test('tells an expired one', async () => {
    const { one } = await post({ expires_at: '2020-01-01T00:00:00+01:00' })
    expect(one.attributes).toMatchObject({ status: 'expired', expires_at: '2019-12-31T23:00:00.000Z' })
    expect((await validate(one.attributes.code)).faults[0]).toStartWith('invite_invalid')
  })
  test.each(['per_page=101', 'page=0', 'filter[email]=x', 'fields[invites]=code'])('%s is 400', async (query) => {
    expect((await operator.get(`${path}?${query}`)).status).toBe(400)
  })
})

describe('DELETE /internal/invites/{id}', () => {
  test('ends an invite once and for all, and says so in the log once', async () => {
    const { one } = await post({ max_uses: 5 })
    for (const _ of [1, 2]) expect((await operator.delete(`${path}/${one.id}`)).status).toBe(204)
    expect((await validate(one.attributes.code)).faults[0]).toStartWith('invite_invalid')
    const { attributes } = (await operator.get(`${path}/${one.id}`)).one
    expect(attributes).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) })
    const { events, many } = await logged(one.id)
    expect(events).toEqual(['invite.revoked', 'invite.created'])
    expect(many[0]?.attributes.agent_id).toMatch(/^user:/)
  })
  test('of what is not there is 404', async () => {
    for (const id of [crypto.randomUUID(), 'x']) {
      expect((await operator.delete(`${path}/${id}`)).status).toBe(404)
      expect((await operator.get(`${path}/${id}`)).status).toBe(404)
    }
  })
})

test('only the scope internal reaches invites', async () => {
  for (const name of ['writer', 'subscriber', 'visitor', 'machine'] as const)
    for (const answer of [await app[name].get(path), await app[name].post(path, document({}))])
      expect([name, answer.status]).toEqual([name, 403])
  expect((await app.internalMachine.post(path, document({}))).status).toBe(201)
})
