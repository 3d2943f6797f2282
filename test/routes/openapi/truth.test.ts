import { expect, test } from 'bun:test'
import { type TSchema, TypeRegistry } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { routes } from '../../../src/app.ts'
import { resources, shownResources } from '../../../src/catalog/model/index.ts'
import { errorDocument } from '../../../src/jsonapi/error-schema.ts'
import { resourceSchema } from '../../../src/jsonapi/schema.ts'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { goodDocuments } from '../../support/good-documents.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
const world = await aWorld(app, 'published')
const child = await aWorld(app, 'published', world.sets)
const schemas = new Map<string, TSchema>(
  [...resources, ...shownResources].map((resource) => [resource.type, resourceSchema(resource)]),
)

// TypeBox checks plain JSON Schema only where it is told how; these are the texts with few values.
TypeRegistry.Set('Unsafe', ({ enum: values }: { enum?: unknown[] }, value) => !values || values.includes(value))

/** What is wrong with a value, members that its schema does not name among it. */
const faults = (schema: TSchema, value: unknown): string[] => {
  const strange = Bun.deepEquals(Value.Clean(schema, structuredClone(value)), value) ? [] : ['has undeclared members']
  return [...strange, ...[...Value.Errors(schema, value)].map(({ path, message }) => `${path} ${message}`)]
}

const documentFaults = (schema: TSchema, document: { included?: { type: string }[] }) => {
  const { included = [], ...rest } = document
  return [...faults(schema, rest), ...included.flatMap((one) => faults(schemas.get(one.type) as TSchema, one))]
}

const schemaOf = (method: string, path: string, status: number) =>
  routes.find((route) => route.method === method && route.path === path)?.answers[status]?.schema as TSchema

test('every example fits the schema that it stands beside', () => {
  for (const { operationId, body, answers } of routes) {
    if (body?.example) expect([operationId, faults(body.schema, body.example)]).toEqual([operationId, []])
    for (const { schema, example } of Object.values(answers))
      if (schema && example) expect([operationId, faults(schema, example)]).toEqual([operationId, []])
  }
})

for (const { type, path, includes } of resources) {
  const include = Object.keys(includes).join(',')
  const query = include ? `?include=${include}` : ''

  test(`what a list of ${type} and one of them answer, included ones too, is what the document says`, async () => {
    const list = await app.operator.get(`/v1/${path}${query}`)
    expect(list.status).toBe(200)
    expect(documentFaults(schemaOf('GET', `/v1/${path}`, 200), JSON.parse(list.text))).toEqual([])
    for (const { id } of [world, child].map((one) => one[type as keyof typeof one])) {
      const one = await app.operator.get(`/v1/${path}/${id}${query}`)
      expect(documentFaults(schemaOf('GET', `/v1/${path}/:id`, 200), JSON.parse(one.text))).toEqual([])
    }
  })
}

test('a document that the service takes is one that the OpenAPI document describes, and so is the answer', async () => {
  for (const [type, draft] of Object.entries(goodDocuments(app, world))) {
    const route = routes.find(
      ({ operationId, body }) => body && operationId.startsWith('create') && takes(body.schema, type),
    )
    if (!route?.body) throw new Error(`nothing creates ${type}`)
    const document = { data: await draft() }
    expect([type, faults(route.body.schema, document)]).toEqual([type, []])
    const made = await app.operator.post(route.path, document)
    expect(documentFaults(route.answers[201]?.schema as TSchema, JSON.parse(made.text))).toEqual([])
  }
})

test('a body without what may be left out is one that the document describes', async () => {
  for (const [method, path, body] of [
    ['POST', '/internal/invites', {}],
    ['POST', '/internal/invites', { data: { type: 'invites' } }],
    ['PATCH', '/v1/me', { data: { type: 'users' } }],
    ['PATCH', '/v1/brands/:id', { data: { type: 'brands', id: world.brands.id } }],
  ] as const) {
    const schema = routes.find((route) => route.method === method && route.path === path)?.body?.schema as TSchema
    expect([path, faults(schema, body)]).toEqual([path, []])
    const headers = { 'Content-Type': 'application/vnd.api+json' }
    const at = path.replace(':id', world.brands.id)
    const { status } = await app.operator.send(method, at, { body: JSON.stringify(body), headers })
    expect([path, status]).toEqual([path, method === 'POST' ? 201 : 200])
  }
})

test('a refusal is one that the document describes, with all that it says of where to go on', async () => {
  for (const path of ['/v2/cards?sort=nothing', '/v2/cards?page[size]=101', '/v2/cards?filter[nothing]=1']) {
    const { status, text } = await app.operator.get(path)
    expect([path, status, faults(errorDocument(), JSON.parse(text))]).toEqual([path, 400, []])
  }
})

test('a list that was asked for with a long query has links as long as that, as the document says', async () => {
  const query = `filter[name]=${'a'.repeat(3000)}`
  for (const path of ['/v1/sets', '/v2/sets']) {
    const { status, text, links } = await app.operator.get(`${path}?${query}`)
    expect([path, status, (links.self?.length ?? 0) > 3000]).toEqual([path, 200, true])
    expect([path, faults(schemaOf('GET', path, 200), JSON.parse(text))]).toEqual([path, []])
  }
})

test('the answer to operations is what the document says, its extension included', async () => {
  const mediaType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
  const data = { type: 'brands', attributes: { name: 'A brand by an operation' } }
  const body = JSON.stringify({ 'atomic:operations': [{ op: 'add', data }] })
  const { status, text } = await app.operator.send('POST', '/v2/operations', {
    ...{ body, headers: { 'Content-Type': mediaType } },
  })
  expect([status, faults(schemaOf('POST', '/v2/operations', 200), JSON.parse(text))]).toEqual([200, []])
})

test('a client or a token that cannot be made is refused in one of the forms that the document names', async () => {
  for (const what of ['clients', 'tokens'])
    for (const query of ['', '?bogus=1']) {
      const { headers, status } = await app.operator.post(`/oauth/${what}${query}`, {})
      const { mediaType, others } = routes.find(({ path }) => path === `/oauth/${what}`)?.answers[400] ?? {}
      expect([what, query, status]).toEqual([what, query, 400])
      expect([mediaType, ...Object.keys(others ?? {})]).toContain(headers.get('content-type') as string)
    }
})

const takes = ({ properties }: TSchema, type: string) => properties?.data?.properties?.type?.const === type

test('completions are what the document says, however long the names are that they are made of', async () => {
  const make = factories(app)
  const parent = await make.set({ name: 'Quagga '.padEnd(255, 'a'), status: 'published' })
  const set = await make.set({ name: 'Okapi '.padEnd(255, 'b'), parent, status: 'published' })
  const player = await make.player({ first_name: 'c'.repeat(255), last_name: 'd'.repeat(255) })
  const card = await make.card({ set, number: '57', oncard: [player] })
  for (const [q, ids] of Object.entries({ okapi: [set.id], 'okapi ccc': [player.id, card.id] })) {
    const { status, text } = await app.reader.get(`/v2/autocomplete?q=${q}`)
    const answer = JSON.parse(text)
    expect([q, status, answer.data.map((one: { id: string }) => one.id)]).toEqual([q, 200, ids])
    expect(faults(schemaOf('GET', '/v2/autocomplete', 200), answer)).toEqual([])
  }
})
