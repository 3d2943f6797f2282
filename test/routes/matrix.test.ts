import { expect, test } from 'bun:test'
import { resources } from '../../src/catalog/model/index.ts'
import { apiOf } from '../../src/catalog/model/resource.ts'
import { resourceInV2 } from '../../src/catalog/model/v2.ts'
import { writesOf } from '../../src/catalog/write/documents.ts'
import { testApp } from '../support/app.ts'
import type { CallerName } from '../support/callers.ts'
import { aDocument } from '../support/factories.ts'
import { aWorld, type World } from '../support/worlds.ts'

const app = await testApp()
const published = await aWorld(app, 'published')
const draft = await aWorld(app, 'draft')

type Standing = { refused?: 401 | 402; reads?: 'published' | 'all'; writes?: true; deletes?: true }

/** What each kind of caller may do, in the words of the contract. */
const callers: Record<CallerName, Standing> = {
  anonymous: { refused: 401 },
  revoked: { refused: 401 },
  unpaid: { refused: 402 },
  unpaidWriter: { refused: 402 },
  reader: { reads: 'published' },
  subscriber: { reads: 'published' },
  visitor: { reads: 'published' },
  draftReader: { reads: 'all' },
  allReader: { reads: 'all' },
  writer: { reads: 'all', writes: true },
  deleter: { reads: 'all', deletes: true },
  publishedWriter: { reads: 'published', writes: true, deletes: true },
  blindWriter: { writes: true },
  blindDeleter: { deletes: true },
  operator: { reads: 'all', writes: true, deletes: true },
  machine: { reads: 'all', writes: true, deletes: true },
  internalMachine: { reads: 'all', writes: true, deletes: true },
}

const reading = ({ refused, reads }: Standing) => refused ?? (reads ? 200 : 403)
const finding = (standing: Standing, isDraft: boolean) =>
  isDraft && standing.reads === 'published' ? 404 : reading(standing)
/** A write that passes the gate meets a document that is none. */
const writing = ({ refused, writes }: Standing) => refused ?? (writes ? 400 : 403)
const deleting = ({ refused, deletes }: Standing) => refused ?? (deletes ? 404 : 403)

const unknownId = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'

/** Every type of /v1, and the one that /v2 has alone. */
for (const resource of [...resources, resourceInV2('identifiers')]) {
  const writes = writesOf(resource)
  const path = `${apiOf(resource)}/${resource.path}`
  const whole = resource.api ? `${path}?page[size]=100` : `${path}?per_page=100`
  const type = resource.type as keyof World
  test(`${resource.path}: every kind of caller reads, writes and deletes what it may`, async () => {
    const one = `${path}/${published[type].id}`
    const claims = Object.entries(callers).map(async ([name, standing]) => {
      const caller = app[name as CallerName]
      const requests = {
        list: caller.get(path),
        published: caller.get(one),
        draft: caller.get(`${path}/${draft[type].id}`),
        remove: caller.delete(`${path}/${unknownId}`),
        ...(writes.create ? { create: caller.post(path, {}) } : {}),
        ...(writes.update ? { update: caller.patch(one, {}) } : {}),
      }
      const wanted = {
        list: reading(standing),
        published: reading(standing),
        draft: finding(standing, type !== 'attributes'),
        remove: deleting(standing),
        ...(writes.create ? { create: writing(standing) } : {}),
        ...(writes.update ? { update: writing(standing) } : {}),
      }
      const got = Object.entries(requests).map(async ([what, answer]) => [what, (await answer).status])
      expect({ name, ...Object.fromEntries(await Promise.all(got)) }).toEqual({ name, ...wanted })
    })
    await Promise.all(claims)
  })

  test(`${resource.path}: a write to what the writer cannot see answers 404 and changes nothing`, async () => {
    const hidden = draft[type]
    const isVocabulary = type === 'attributes'
    const nothing = aDocument(type, {}, {}, hidden.id)
    if (writes.update && !isVocabulary) {
      expect((await app.publishedWriter.patch(`${path}/${hidden.id}`, nothing)).status).toBe(404)
      expect((await app.blindWriter.patch(`${path}/${hidden.id}`, nothing)).status).toBe(404)
    }
    if (!isVocabulary) expect((await app.publishedWriter.delete(`${path}/${hidden.id}`)).status).toBe(404)
    expect((await app.blindDeleter.delete(`${path}/${published[type].id}`)).status).toBe(404)
    expect((await app.operator.get(`${path}/${hidden.id}`)).one).toEqual(hidden)
  })

  test(`${resource.path}: a published reader's list holds what is published and nothing else`, async () => {
    const shown = new Set((await app.reader.get(whole)).many.map(({ id }) => id))
    const all = new Set((await app.draftReader.get(whole, ignoreStatus)).many.map(({ id }) => id))
    expect(shown.has(published[type].id)).toBe(true)
    expect(shown.has(draft[type].id)).toBe(type === 'attributes')
    expect(all.has(published[type].id) && all.has(draft[type].id)).toBe(true)
  })
}

const ignoreStatus = { 'X-Cardstock-Ignore-Status': 'true' }

test('a session that came as a cookie writes only from the service’s own pages', async () => {
  const cookie = { Cookie: `cardstock_session=${app.headers.operator.Authorization?.slice('Bearer '.length)}` }
  const client = app.stranger()
  const document = aDocument('brands', { name: 'By cookie' })
  expect((await client.get('/v1/brands', cookie)).status).toBe(200)
  expect((await client.post('/v1/brands', document, cookie)).status).toBe(403)
  expect((await client.post('/v1/brands', document, { ...cookie, Origin: 'https://evil.example' })).status).toBe(403)
  expect((await client.post('/v1/brands', document, { ...cookie, Origin: app.baseUrl })).status).toBe(201)
})
