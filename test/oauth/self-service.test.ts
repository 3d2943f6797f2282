import { describe, expect, test } from 'bun:test'
import { scopes } from '../../src/access/caller.ts'
import { testApp } from '../support/app.ts'
import { aPerson, bearerOf, flat } from '../support/people.ts'
import { aWorld } from '../support/worlds.ts'

const app = await testApp()
const draft = await aWorld(app, 'draft')

const refusedOf = async (person: Awaited<ReturnType<typeof aPerson>>['person'], path: string, scope: string) => {
  const { status, flat: body } = await flat(person, 'POST', path, { name: scope, scope })
  return [status, body.error]
}

for (const path of ['/oauth/clients', '/oauth/tokens'])
  test(`a trial account gets nothing at ${path} that writes, deletes, sees drafts or is internal`, async () => {
    for (const scope of scopes.filter((one) => one !== 'read:published'))
      for (const asked of [scope, `read:published ${scope}`]) {
        const { person } = await aPerson(app, { status: 'trialing' })
        expect(await refusedOf(person, path, asked)).toEqual([400, 'invalid_scope'])
        expect(Object.values((await flat(person, 'GET', path)).flat)).toEqual([[]])
      }
  })

test('what a trial account does get reads published data, and nothing more', async () => {
  const { person } = await aPerson(app, { status: 'trialing' })
  const { flat: personal } = await flat(person, 'POST', '/oauth/tokens', { name: 'x', scope: 'read:published' })
  const { flat: client } = await flat(person, 'POST', '/oauth/clients', { name: 'x', scope: 'read:published' })
  const grant = {
    ...{ grant_type: 'client_credentials', client_id: client.client_id, client_secret: client.client_secret },
  }
  for (const scope of scopes.filter((one) => one !== 'read:published')) {
    const { status, flat: refused } = await flat(app.stranger(), 'POST', '/oauth/token', { ...grant, scope })
    expect([status, refused.error]).toEqual([400, 'invalid_scope'])
  }
  const { flat: granted } = await flat(app.stranger(), 'POST', '/oauth/token', grant)
  const key = (await person.send('POST', '/v1/user/api-key')).meta.api_key
  for (const secret of [personal.token, granted.access_token, key]) {
    const caller = bearerOf(app, secret)
    expect((await caller.get('/v1/sets')).status).toBe(200)
    expect((await caller.get(`/v1/sets/${draft.sets.id}`)).status).toBe(404)
    const seen = await caller.get('/v1/sets', { 'X-Cardstock-Ignore-Status': 'true' })
    expect(seen.many.map(({ id }) => id)).not.toContain(draft.sets.id)
    expect((await caller.post('/v1/genres', {})).status).toBe(403)
    expect((await caller.delete(`/v1/sets/${draft.sets.id}`)).status).toBe(403)
  }
})

describe('SELF_SERVICE_SCOPES', async () => {
  const generous = await testApp({ environment: { SELF_SERVICE_SCOPES: 'read:published write' } })
  test('lets accounts grant what it names, and no more', async () => {
    const { person } = await aPerson(generous)
    for (const path of ['/oauth/clients', '/oauth/tokens']) {
      const made = await flat(person, 'POST', path, { name: 'x', scope: 'write read:published' })
      expect([made.status, made.flat.scope]).toEqual([201, 'write read:published'])
      expect(await refusedOf(person, path, 'delete')).toEqual([400, 'invalid_scope'])
    }
  })
})
