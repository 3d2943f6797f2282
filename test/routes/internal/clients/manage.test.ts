import { describe, expect, test } from 'bun:test'
import type { Scope } from '../../../../src/access/caller.ts'
import { issueCredential, revokeCredential } from '../../../../src/access/credentials.ts'
import { testApp } from '../../../support/app.ts'
import { aUser } from '../../../support/callers.ts'
import { bearerOf, flat } from '../../../support/people.ts'

const app = await testApp()
const { context, db, clock, operator } = app
const path = '/internal/clients'

const aClient = async (scopes: Scope[] = ['read:published', 'internal'], user = '') => {
  const owner = user || (await aUser(context))
  const details = { name: 'importer', scopes }
  const client = await issueCredential(db, 'oauth_client', owner, context.config, clock.now(), details)
  return { ...client, owner, at: `${path}/${client.id}` }
}
type AClient = Awaited<ReturnType<typeof aClient>>
const tokenOf = ({ id, secret }: AClient, scope: string) =>
  flat(app.stranger(), 'POST', '/oauth/token', {
    ...{ grant_type: 'client_credentials', client_id: id, client_secret: secret, scope },
  })
const aChange = ({ id }: AClient, attributes: object) => ({ data: { type: 'oauth_clients', id, attributes } })
const change = async (client: AClient, attributes: object) => operator.patch(client.at, aChange(client, attributes))

describe('GET /internal/clients', () => {
  test('lists the clients of everybody that live, page by page, without secrets', async () => {
    const [first, second, gone] = [await aClient(), await aClient(), await aClient()]
    await revokeCredential(db, gone.id, clock.now())
    const all = await operator.get(`${path}?per_page=100`)
    const ids = all.many.map(({ id }) => id)
    expect(ids).toContain(first.id)
    expect(ids.indexOf(second.id)).toBe(ids.indexOf(first.id) + 1)
    expect(ids).not.toContain(gone.id)
    expect(all.meta).toMatchObject({ total: ids.length, per_page: 100, last_page: 1 })
    expect(all.text).not.toContain(first.secret)
    const page = await operator.get(`${path}?per_page=1&page=2&fields[oauth_clients]=name,email`)
    expect(page.many.map(({ id }) => id)).toEqual(ids.slice(1, 2))
    expect(Object.keys(page.many[0]?.attributes ?? {})).toEqual(['name', 'email'])
  })
  test('filter[internal] gives those that wait for an approval, or have it, and nothing else is taken', async () => {
    const [waiting, approved, other] = [await aClient(), await aClient(), await aClient(['read:published'])]
    await change(approved, { internal_approved: true })
    const of = async (state: string) => {
      const { many, meta } = await operator.get(`${path}?per_page=100&filter[internal]=${state}`)
      expect(meta.total).toBe(many.length)
      return [waiting, approved, other].map(({ id }) => many.some((one) => one.id === id))
    }
    expect([await of('waiting'), await of('approved')]).toEqual([
      [true, false, false],
      [false, true, false],
    ])
    expect((await operator.get(`${path}?filter[internal]=no`)).faults).toEqual(['INVALID_PARAMETER filter[internal]'])
  })
  test('shows one of them, or 404', async () => {
    const client = await aClient()
    const { one } = await operator.get(client.at)
    expect(one).toMatchObject({ type: 'oauth_clients', id: client.id, links: { self: `${app.baseUrl}${client.at}` } })
    expect(one.attributes).toEqual({
      ...{ name: 'importer', scope: 'read:published internal', user_id: client.owner, created_at: expect.any(String) },
      ...{ email: `${client.owner}@example.org`, internal_approved: false, internal_pool: false, last_used_at: null },
      ...{ rate_limit: null, next_rate_limit: null },
    })
    for (const id of [crypto.randomUUID(), 'nothing']) expect((await operator.get(`${path}/${id}`)).status).toBe(404)
  })
})

describe('PATCH /internal/clients/{id}', () => {
  test('approves a client, and withdraws it: all of its tokens end at once, and for good', async () => {
    const client = await aClient()
    expect((await tokenOf(client, 'internal')).flat.error).toBe('invalid_scope')
    const approved = await change(client, { internal_approved: true })
    expect([approved.status, approved.one.attributes.internal_approved]).toEqual([200, true])
    const internal = bearerOf(app, (await tokenOf(client, 'internal')).flat.access_token)
    const reading = bearerOf(app, (await tokenOf(client, 'read:published')).flat.access_token)
    expect((await internal.get(path)).status).toBe(200)
    await change(client, { internal_approved: false })
    expect((await internal.get(path)).status).toBe(401)
    expect((await reading.get('/v1/genres')).status).toBe(401)
    await change(client, { internal_approved: true })
    for (const caller of [internal, reading]) expect((await caller.get('/v1/genres')).status).toBe(401)
  })
  test('agrees on a higher limit at once, and on a lower one after 30 days', async () => {
    const client = await aClient()
    const token = bearerOf(app, (await tokenOf(client, 'read:published')).flat.access_token)
    const limit = async () => (await token.get('/v1/genres')).headers.get('x-ratelimit-limit')
    expect(await limit()).toBe('2000')
    const higher = await change(client, { rate_limit: { limit: 9000, window_seconds: 3600 } })
    expect(higher.one.attributes).toMatchObject({ rate_limit: { limit: 9000, window_seconds: 3600 } })
    expect(await limit()).toBe('9000')
    const ended = await change(client, { rate_limit: null })
    const { rate_limit: held, next_rate_limit: next } = ended.one.attributes
    expect(held).toEqual({ limit: 9000, window_seconds: 3600 })
    expect(next).toEqual({ limit: null, window_seconds: null, from: expect.any(String) })
    const { from } = next as { from: string }
    expect(Date.parse(from) - clock.now().getTime()).toBeWithin(30 * 86_400_000 - 60_000, 30 * 86_400_000 + 1)
    expect(await limit()).toBe('9000')
    clock.offsetSeconds = 30 * 86_400 + 60
    expect((await operator.get(client.at)).one.attributes).toMatchObject({ rate_limit: null, next_rate_limit: null })
    clock.offsetSeconds = 0
  })
  test('takes a client into the internal pool at once, and out of it with 30 days of notice', async () => {
    const client = await aClient()
    const fresh = async () => bearerOf(app, (await tokenOf(client, 'read:published')).flat.access_token)
    const limit = async () => (await (await fresh()).get('/v1/genres')).headers.get('x-ratelimit-limit')
    await change(client, { internal_pool: true })
    expect(await limit()).toBe('60000')
    const left = await change(client, { internal_pool: false })
    expect(left.one.attributes).toMatchObject({ internal_pool: false, rate_limit: { limit: 60_000 } })
    expect(await limit()).toBe('60000')
    clock.offsetSeconds = 30 * 86_400 + 60
    expect(await limit()).toBe('2000')
    clock.offsetSeconds = 0
  })
  test('keeps what was agreed on for later when a client leaves the pool', async () => {
    const client = await aClient()
    await change(client, { internal_pool: true })
    const agreed = { limit: 5000, window_seconds: 3600 }
    const noticed = await change(client, { rate_limit: agreed })
    const left = await change(client, { internal_pool: false })
    expect(left.one.attributes).toMatchObject({
      ...{ internal_pool: false, rate_limit: { limit: 60_000, window_seconds: 3600 } },
      next_rate_limit: noticed.one.attributes?.next_rate_limit,
    })
    clock.offsetSeconds = 30 * 86_400 + 60
    expect((await operator.get(client.at)).one.attributes).toMatchObject({ rate_limit: agreed, next_rate_limit: null })
    clock.offsetSeconds = 0
  })
  test('takes back what was read, and changes nothing that is not to be changed', async () => {
    const client = await aClient()
    const { one } = await operator.get(client.at)
    const sent = { ...one.attributes, scope: 'read:draft write', name: 'other', user_id: crypto.randomUUID() }
    expect((await change(client, { ...sent, rate_limit: undefined })).one.attributes).toEqual(one.attributes)
    expect((await change(client, {})).one.attributes).toEqual(one.attributes)
  })
  test('names each fault at its pointer', async () => {
    const client = await aClient()
    for (const [attributes, faults] of [
      [{ internal_approved: 'yes' }, ['/internal_approved']],
      [{ internal_approved: null }, ['/internal_approved']],
      [{ approved: true }, ['/approved']],
      [{ rate_limit: 5 }, ['/rate_limit']],
      [{ rate_limit: {} }, ['/rate_limit/limit', '/rate_limit/window_seconds']],
      [{ rate_limit: { limit: 0, window_seconds: 1.5 } }, ['/rate_limit/limit', '/rate_limit/window_seconds']],
      [
        { rate_limit: { limit: 1, window_seconds: 2 ** 31, per: 'day' } },
        ['/rate_limit/window_seconds', '/rate_limit/per'],
      ],
    ] as const) {
      const answer = await change(client, attributes)
      expect(answer.status).toBe(422)
      expect(answer.faults).toEqual(faults.map((pointer) => `VALIDATION-FAILED /data/attributes${pointer}`))
    }
    const conflict = { data: { type: 'clients', id: client.id } }
    expect((await operator.patch(client.at, conflict)).faults).toEqual(['CONFLICT /data/type'])
    const nobody = { ...client, id: crypto.randomUUID() }
    const answer = await operator.patch(`${path}/${nobody.id}`, aChange(nobody, { approved: 1 }))
    expect(answer.status).toBe(404)
    expect((await operator.patch(`${path}/${nobody.id}`, {})).status).toBe(400)
  })
})

test('the clients of everybody are for operators, and for clients that they approved', async () => {
  const client = await aClient()
  const body = aChange(client, { internal_approved: true })
  for (const [caller, status] of [
    [app.anonymous, 401],
    [app.visitor, 403],
    [app.subscriber, 403],
    [app.writer, 403],
    [app.machine, 403],
    [app.internalMachine, 200],
    [app.operator, 200],
  ] as const)
    for (const answer of [caller.get(path), caller.get(client.at), caller.patch(client.at, body)])
      expect((await answer).status).toBe(status)
})
