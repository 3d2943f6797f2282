import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import type { Client } from '../support/callers.ts'
import { aDocument, factories, toOne } from '../support/factories.ts'
import { anAddress, asking, signingUp } from '../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const make = factories(app)
const set = await make.set()
const card = await make.card({ set })
const attribute = await make.attribute()

const broken = ['a\u0007b', 'a\tb', 'a\nb', 'a\r\nBcc: b@example.org', 'a\u007fb', 'a\u0085b', 'a\u2028b', 'a\u2029b']

type Field = [path: string, type: string, field: string, rest: object]
const fields: Field[] = [
  ...['brands', 'manufacturers', 'genres', 'years', 'teams', 'sets'].map((type): Field => [type, type, 'name', {}]),
  ['attributes', 'attributes', 'attribute', { name: 'A' }],
  ['attributes', 'attributes', 'name', { attribute: 'A1' }],
  ['teams', 'teams', 'location', { name: 'Bulls' }],
  ['teams', 'teams', 'abbreviation', { name: 'Bulls' }],
  ['players', 'players', 'first_name', { last_name: 'A' }],
  ['players', 'players', 'last_name', { first_name: 'A' }],
  ['players', 'players', 'full_name', {}],
  ['players', 'players', 'position', { last_name: 'A' }],
  [
    ...(['object-attributes', 'object-attributes', 'attribute_value'] as const),
    { attribute_id: attribute.id, object_type: 'set', object_id: set.id },
  ],
  ['set-sources', 'set_sources', 'title', { set_id: set.id, source_url: 'https://example.org/' }],
]

/** Each of the broken texts is refused at this pointer, and nothing else is found wrong. */
const refuses = async (pointer: string, ask: (text: string) => ReturnType<Client['post']>) => {
  for (const text of broken) {
    const { status, faults } = await ask(text)
    expect([text, status, faults]).toEqual([text, 422, [`VALIDATION-FAILED ${pointer}`]])
  }
}

describe('single-line texts refuse control characters (422)', () => {
  test.each(fields)('%s: %s.%s', async (path, type, field, rest) => {
    for (const api of ['v1', 'v2'])
      await refuses(`/data/attributes/${field}`, (text) =>
        app.operator.post(`/${api}/${path}`, aDocument(type, { ...rest, [field]: text })),
      )
  })

  test.each(['number', 'serial_number', 'title'])(
    'the %s of a card, when it is made and when it is changed',
    async (field) => {
      const pointer = `/data/attributes/${field}`
      await refuses(pointer, (text) =>
        app.operator.post('/v1/cards', aDocument('cards', { [field]: text }, { set: toOne(set) })),
      )
      await refuses(pointer, (text) =>
        app.operator.patch(`/v1/cards/${card.id}`, aDocument('cards', { [field]: text }, {}, card.id)),
      )
    },
  )

  test('names of accounts, of clients and of tokens, and labels of invites', async () => {
    const { joinAndSignIn } = signingUp(app)
    const { person } = await joinAndSignIn()
    await refuses('/data/attributes/name', (name) => person.patch('/v1/me', asking('users', { name })))
    await refuses('/data/attributes/name', (name) =>
      app.stranger().post('/v1/signup', asking('signups', { email: anAddress(), password: 'a long password', name })),
    )
    await refuses('/data/attributes/label', (label) =>
      app.operator.post('/internal/invites', asking('invites', { label })),
    )
    const register = (path: string) =>
      person.send('POST', path, {
        body: JSON.stringify({ name: 'a\nb', scope: 'read:published' }),
        headers: { 'Content-Type': 'application/json' },
      })
    for (const path of ['/oauth/clients', '/oauth/tokens']) {
      const answer = await register(path)
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('without control characters')])
    }
  })

  test('descriptions and notes have several lines', async () => {
    const text = 'one\n\ttwo\r\nthree'
    const made = await app.operator.post('/v1/brands', aDocument('brands', { name: 'Lined', description: text }))
    expect(made.one.attributes.description).toBe(text)
  })
})

describe('single-line texts are kept without spaces at their ends', () => {
  test('in a new record, a changed one and an operation, and a name is then taken', async () => {
    const { one: brand } = await app.operator.post('/v1/brands', aDocument('brands', { name: ' Spaced\u00a0 Name  ' }))
    expect(brand.attributes.name).toBe('Spaced  Name')
    for (const name of ['spaced\u00a0 name ', '\u3000Spaced\u00a0 Name'])
      expect((await app.operator.post('/v2/brands', aDocument('brands', { name }))).faults).toEqual([
        'VALIDATION-FAILED /data/attributes/name',
      ])
    const renamed = aDocument('brands', { name: 'Other ' }, {}, brand.id)
    expect((await app.operator.patch(`/v1/brands/${brand.id}`, renamed)).one.attributes.name).toBe('Other')
    const add = { op: 'add', data: { type: 'brands', attributes: { name: ' Added' } } }
    const mediaType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
    const answer = await app.operator.post(
      '/v2/operations',
      { 'atomic:operations': [add] },
      { 'Content-Type': mediaType },
    )
    expect(answer.text).toContain('"name":"Added"')
  })

  test('in every field of a card and a player, null staying null', async () => {
    const attributes = { number: ' 7 ', serial_number: '/25 ', title: null, notes: ' kept \n' }
    const made = await app.operator.post('/v1/cards', aDocument('cards', attributes, { set: toOne(set) }))
    expect(made.one.attributes).toMatchObject({ number: '7', serial_number: '/25', title: null, notes: ' kept \n' })
    expect(made.one.attributes.name).toBe('7 /25')
    const player = { first_name: 'Ann ', last_name: ' Lee', position: ' ' }
    const { attributes: shown } = (await app.operator.post('/v1/players', aDocument('players', player))).one
    expect(shown).toMatchObject({ first_name: 'Ann', last_name: 'Lee', name: 'Ann Lee', position: '' })
  })
})

test('a filter with control characters finds nothing', async () => {
  for (const path of [
    '/v1/players?filter[first_name]=a%09b',
    '/v1/players?filter[full_name]=like:a%0Ab',
    '/v1/cards?filter[name]=a%07b',
    '/v2/teams?filter[name]=a%0Ab',
    '/v2/sets?filter[name][like]=a%09b',
    '/internal/audit-logs?filter[event_type]=a%0Ab',
  ]) {
    const answer = await app.operator.get(path)
    expect([path, answer.status, answer.many]).toEqual([path, 200, []])
  }
})
