import { describe, expect, test } from 'bun:test'
import { resources } from '../../src/catalog/model/index.ts'
import { apiOf } from '../../src/catalog/model/resource.ts'
import { resourceInV2 } from '../../src/catalog/model/v2.ts'
import { jsonApi } from '../../src/jsonapi/negotiate.ts'
import { testApp } from '../support/app.ts'
import { goodDocumentOf, goodDocuments } from '../support/good-documents.ts'
import { aWorld } from '../support/worlds.ts'

const app = await testApp({ environment: { MAX_BODY_BYTES: '100000' } })
const good = goodDocuments(app, await aWorld(app, 'draft'))

/** Every type that documents create, and players and sets as /v2 has them. */
const writable = [
  ...resources.filter(({ type }) => type in good),
  ...['players', 'sets', 'identifiers'].map(resourceInV2),
]

describe.each(writable.map((resource) => [`${apiOf(resource)}/${resource.path}`, resource] as const))(
  'POST %s',
  (path, resource) => {
    const { type, schema } = resource
    const post = (data: unknown) => app.operator.post(path, { data })
    const fresh = () => goodDocumentOf(good, resource)

    test('takes the good document, and PATCH takes it back as it was shown', async () => {
      const made = await post(await fresh())
      expect([made.status, made.faults]).toEqual([201, []])
      expect(made.headers.get('location')).toBe(made.one.attributes.url as string)
      expect(made.one.attributes.updated_at).toBe(made.one.attributes.created_at as string)
      const again = await app.operator.patch(`${path}/${made.one.id}`, { data: made.one })
      expect([again.status, again.faults]).toEqual([200, []])
      expect(again.one).toEqual(made.one)
    })

    test('a required field that is missing is a fault at its pointer', async () => {
      const required = Object.entries(schema.create).filter(([, field]) => !(Symbol.for('TypeBox.Optional') in field))
      for (const [name] of required) {
        const { attributes, ...rest } = await fresh()
        const { [name]: _, ...others } = attributes as Record<string, unknown>
        expect((await post({ ...rest, attributes: others })).faults).toEqual([
          `VALIDATION-FAILED /data/attributes/${name}`,
        ])
      }
    })

    test('every faulty field is an error of its own', async () => {
      const attributes = Object.fromEntries(Object.keys(schema.create).map((name) => [name, { not: 'this' }]))
      const document = { ...(await fresh()), attributes: { ...attributes, nothing: 1 } }
      expect((await post(document)).faults.toSorted()).toEqual(
        [...Object.keys(schema.create), 'nothing']
          .map((name) => `VALIDATION-FAILED /data/attributes/${name}`)
          .toSorted(),
      )
    })

    test('unknown attributes and relationships are faults, read-only ones are ignored', async () => {
      const document = await fresh()
      const given = (document.attributes ?? {}) as object
      const answer = await post({ ...document, attributes: { ...given, 'a/b~c': 1, __proto: 1, constructor: 2 } })
      expect(answer.faults).toEqual([
        'VALIDATION-FAILED /data/attributes/a~1b~0c',
        'VALIDATION-FAILED /data/attributes/__proto',
        'VALIDATION-FAILED /data/attributes/constructor',
      ])
      const related = await post({
        ...(await fresh()),
        relationships: { ...(document.relationships as object), owner: { data: null } },
      })
      expect(related.faults).toEqual(['VALIDATION-FAILED /data/relationships/owner'])
      const readOnly = { created_at: 'never', updated_at: 1, url: {} }
      const taken = await post({
        ...(await fresh()),
        attributes: { ...((await fresh()).attributes as object), ...readOnly },
      })
      expect(taken.status).toBe(201)
    })

    test('__proto__ as a field is unknown like any other', async () => {
      const text = JSON.stringify({ data: await fresh() }).replace(
        '"attributes":{',
        '"attributes":{"__proto__":{"x":1},',
      )
      const answer = await app.operator.send('POST', path, {
        body: text,
        headers: { 'Content-Type': jsonApi },
      })
      expect(answer.faults).toEqual(['VALIDATION-FAILED /data/attributes/__proto__'])
    })

    test('another type is a conflict, and so is another id in an update', async () => {
      expect((await post({ ...(await fresh()), type: 'nothing' })).faults).toEqual(['CONFLICT /data/type'])
      const { one } = await post(await fresh())
      const address = `${path}/${one.id}`
      const foreign = { type, id: crypto.randomUUID(), attributes: {} }
      expect((await app.operator.patch(address, { data: foreign })).faults).toEqual(['CONFLICT /data/id'])
      expect((await app.operator.patch(address, { data: { type, attributes: {} } })).faults).toEqual([
        'BAD_REQUEST /data',
      ])
      expect((await app.operator.patch(address, { data: { ...foreign, id: one.id, type: 'x' } })).faults).toEqual([
        'CONFLICT /data/type',
      ])
      const upper = { type, id: one.id.toUpperCase(), attributes: {} }
      expect((await app.operator.patch(address, { data: upper })).status).toBe(200)
    })

    test('a body that is no JSON:API document answers 400', async () => {
      const send = (body: BodyInit) => app.operator.send('POST', path, { body, headers: { 'Content-Type': jsonApi } })
      const bodies = ['', '{', 'null', '1', '"x"', '[]', '{}', '{"data":null}', '{"data":{}}', '{"data":{"type":null}}']
      for (const body of [
        ...bodies,
        '\ufeff{',
        '['.repeat(50_000),
        `{"data":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_001)}`,
      ])
        expect([body.slice(0, 30), (await send(body)).faults[0]?.split(' ')[0]]).toEqual([
          body.slice(0, 30),
          'BAD_REQUEST',
        ])
      expect((await send(new Uint8Array([0x7b, 0xff, 0x7d]))).faults).toEqual(['BAD_REQUEST'])
      expect((await send(new Uint8Array([0, 0, 0]))).faults).toEqual(['BAD_REQUEST'])
    })

    test('a body that is too large answers 413, one of another kind 415', async () => {
      const large = JSON.stringify({ data: { ...(await fresh()), meta: 'x'.repeat(100_001) } })
      const send = (body: string, headers: Record<string, string>) => app.operator.send('POST', path, { body, headers })
      expect((await send(large, { 'Content-Type': jsonApi })).faults).toEqual(['PAYLOAD_TOO_LARGE'])
      const kinds = [
        'application/json',
        'text/plain',
        `${jsonApi}; charset=utf-8`,
        `${jsonApi}; ext="x"`,
        'x',
        ',',
        ';',
      ]
      for (const kind of kinds)
        expect([kind, (await send('{}', { 'Content-Type': kind })).faults]).toEqual([kind, ['UNSUPPORTED_MEDIA_TYPE']])
      for (const Accept of ['*/*', jsonApi, `application/json, ${jsonApi};q=0.5`])
        expect((await send('{}', { 'Content-Type': 'application/json', Accept })).faults).toEqual([
          'UNSUPPORTED_MEDIA_TYPE',
        ])
      const profile = await send('{}', { 'Content-Type': `${jsonApi}; profile="https://example.org/p"` })
      expect(profile.status).toBe(400)
    })
  },
)
