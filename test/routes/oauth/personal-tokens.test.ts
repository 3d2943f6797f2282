import { describe, expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { aPerson, bearerOf, flat } from '../../support/people.ts'

const app = await testApp()
const path = '/oauth/tokens'
const reading = { name: 'my laptop', scope: 'read:published' }

describe('POST /oauth/tokens', () => {
  test('answers a token that opens the catalog, once', async () => {
    const { person } = await aPerson(app)
    const made = await flat(person, 'POST', path, reading)
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const { token } = made.flat
    expect(made.flat).toEqual({
      ...{ id: expect.any(String), token: expect.stringMatching(/^cardstock_pat_\w{43}$/), ...reading },
      ...{ last_four: token.slice(-4), created_at: expect.stringMatching(/\.\d{3}Z$/) },
    })
    expect((await bearerOf(app, token).get('/v1/genres')).status).toBe(200)
    const listed = await flat(person, 'GET', path)
    const { token: _, ...shown } = made.flat
    expect(listed.flat).toEqual({ tokens: [{ ...shown, last_used_at: expect.any(String) }] })
    expect(listed.text).not.toContain(token)
  })
  test('never gives the scope internal, not even to an operator', async () => {
    const { person } = await aPerson(app, { operator: true, status: 'none' })
    for (const scope of ['internal', 'read:draft internal']) {
      const answer = await flat(person, 'POST', path, { ...reading, scope })
      expect([answer.status, answer.flat.error]).toEqual([400, 'invalid_scope'])
    }
    const all = 'read:published read:draft read:all-status write delete'
    expect((await flat(person, 'POST', path, { ...reading, scope: all })).flat.scope).toBe(all)
  })
})

describe('DELETE /oauth/tokens/{id}', () => {
  test('ends the token with its next request', async () => {
    const { person } = await aPerson(app)
    const { flat: made } = await flat(person, 'POST', path, reading)
    expect((await flat(person, 'DELETE', `${path}/${made.id}`)).status).toBe(204)
    expect((await bearerOf(app, made.token).get('/v1/genres')).status).toBe(401)
    expect((await flat(person, 'GET', path)).flat).toEqual({ tokens: [] })
  })
  test('answers 404 for another’s, a client’s id and one that has ended, and ends nothing', async () => {
    const [{ person }, other] = [await aPerson(app), await aPerson(app)]
    const { flat: theirs } = await flat(other.person, 'POST', path, reading)
    const { flat: client } = await flat(person, 'POST', '/oauth/clients', reading)
    for (const id of [theirs.id, client.client_id, crypto.randomUUID(), "' or 1=1"])
      expect((await flat(person, 'DELETE', `${path}/${encodeURIComponent(id)}`)).status).toBe(404)
    expect((await bearerOf(app, theirs.token).get('/v1/genres')).status).toBe(200)
    expect((await flat(person, 'GET', '/oauth/clients')).flat.clients).toHaveLength(1)
  })
})
