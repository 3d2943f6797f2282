import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { aDocument, factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)

test.each([
  [
    'players',
    { first_name: 'Ann\u00a0Mary', last_name: '\u200bLee\u2011Kay\u00ad' },
    { first_name: 'Ann Mary', last_name: 'Lee-Kay' },
  ],
  ['players', { full_name: 'Ａｎｎ\u3000Lee' }, { first_name: 'Ann', last_name: 'Lee' }],
  ['teams', { name: 'New\u2009York Mets\u2060' }, { name: 'New York Mets' }],
  ['attributes', { attribute: 'ＲＣ\u200e', name: 'Rookie\u00a0Card' }, { attribute: 'RC', name: 'Rookie Card' }],
  ['sets', { name: '2023\u201324 Hoops' }, { name: '2023-24 Hoops' }],
])('the names of %s are stored plain', async (type, sent, stored) => {
  const made = await app.operator.post(`/v1/${type}`, aDocument(type, sent))
  expect([made.status, made.faults]).toEqual([201, []])
  expect(made.one.attributes).toMatchObject(stored)
  const { id } = made.one
  if ('full_name' in sent) return
  const changed = await app.operator.patch(`/v1/${type}/${id}`, aDocument(type, sent, undefined, id))
  expect(changed.one.attributes).toMatchObject(stored)
})

test("a card's number is stored plain, and its title keeps its width and dashes", async () => {
  const set = await make.set()
  const card = await make.card({
    set,
    number: 'ＢＣＰ\u22121\u200b',
    title: 'ポケモン\u200b ＥＸ\u00a0–',
    serial_number: '\uff0f99',
  })
  expect(card.attributes).toMatchObject({ number: 'BCP-1', title: 'ポケモン ＥＸ –', serial_number: '/99' })
})

test.each(['\u200b', '\u2060\u00ad', '\u00a0'])('a name of %j alone is none', async (name) => {
  const refused = await app.operator.post('/v1/teams', aDocument('teams', { name }))
  expect(refused.faults).toEqual(['VALIDATION-FAILED /data/attributes/name'])
})
