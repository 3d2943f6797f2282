import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { merging } from '../../support/merges.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
const make = factories(app)
const { merge } = merging(app)
const open = await aWorld(app, 'published')
const hidden = await aWorld(app, 'draft')

const ask = async (what: 'sets' | 'cards', body: object, headers: Record<string, string> = {}) => {
  const answer = await app.fetch(
    new Request(`${app.baseUrl}/pages/collection/${what}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  )
  return { status: answer.status, json: (await answer.json()) as Found }
}

type Found = {
  sets: { id: string; path: { id: string }[]; cards: number }[]
  rows: { id: string; set: { id: string }[] }[]
  moved: Record<string, string>
  errors: { source: object }[]
}

test('the page of a collection finds the names and counts of its sets, but of no hidden ones', async () => {
  const nothing = crypto.randomUUID()
  const { json } = await ask('sets', { sets: [open.sets.id, hidden.sets.id, nothing] })
  expect(json.sets).toEqual([
    { id: open.sets.id, path: [{ id: open.sets.id, name: expect.any(String) }] as never, cards: 1 },
  ])
})

test('it finds cards by their ids, and by the ends of their ids in their sets', async () => {
  const asked = [open.cards.id.toUpperCase(), hidden.cards.id, crypto.randomUUID()]
  const { json } = await ask('cards', { cards: asked })
  expect(json.rows.map(({ id, set }) => [id, set.at(-1)?.id])).toEqual([[open.cards.id, open.sets.id]])
  const shared = { [open.sets.id]: [open.cards.id.slice(-8)], [hidden.sets.id]: [hidden.cards.id.slice(-8)] }
  expect((await ask('cards', { shared })).json.rows).toEqual(json.rows)
  const elsewhere = { [hidden.sets.id]: [open.cards.id.slice(-8)] }
  expect((await ask('cards', { shared: elsewhere })).json.rows).toEqual([])
})

test('a card that was merged is found as what it is now', async () => {
  const set = await make.set({ status: 'published' })
  const [kept, gone] = [await make.card({ set, number: '1' }), await make.card({ set, number: '1' })]
  await merge([gone], kept)
  const { json } = await ask('cards', { cards: [gone.id] })
  expect([json.rows.map(({ id }) => id), json.moved]).toEqual([[kept.id], { [gone.id]: kept.id }])
})

test.each([
  ['no sets', 'sets', {}, '/sets'],
  ['what is no id', 'sets', { sets: ['nothing'] }, '/sets'],
  ['too many cards', 'cards', { cards: Array(501).fill(crypto.randomUUID()) }, '/cards'],
  ['no cards by sets', 'cards', { shared: [] }, '/shared'],
  ['a set that is no id', 'cards', { shared: { nothing: ['0123abcd'] } }, '/shared'],
  ['the end of no id', 'cards', { shared: { [crypto.randomUUID()]: ['%'] } }, '/shared'],
] as const)('a request with %s is refused', async (_, what, body, pointer) => {
  const { status, json } = await ask(what, body)
  expect([status, json.errors[0]?.source]).toEqual([422, { pointer }])
})

test('another site’s page is refused', async () => {
  expect((await ask('sets', { sets: [] }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
})
