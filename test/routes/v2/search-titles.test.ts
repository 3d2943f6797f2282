import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)

const pokemon = await make.set({ name: 'Scarlet & Violet', status: 'published' })
const draft = await make.set({ name: 'Coming Soon' })
const numbers = new Map<string, string>()
const titles = [
  'Flabébé',
  'Gyarados',
  'Nidoran ♀',
  'Pikachu',
  'Mr. Mime',
  "Farfetch'd",
  'Sakura Blossom',
  'メガゲッコウガex',
]
for (const [no, title] of titles.entries()) {
  const { id } = await make.card({ set: pokemon, number: String(no + 1), title })
  numbers.set(id, title)
}
await make.card({ set: draft, number: '1', title: 'Flabbergasted' })

const find = async (q: string) => {
  const answer = await app.reader.get(`/v2/search?q=${encodeURIComponent(q)}&filter[type]=cards`)
  expect([q, answer.status]).toEqual([q, 200])
  return answer.many.map(({ id }) => numbers.get(id))
}
const complete = async (q: string) => {
  const answer = await app.reader.get(`/v2/autocomplete?q=${encodeURIComponent(q)}`)
  return (answer.document.data as unknown as { type: string; name: string }[]).map(({ type, name }) => [type, name])
}

test.each([
  ['flab', 'Flabébé'],
  ['flabebe', 'Flabébé'],
  ['gyarad', 'Gyarados'],
  ['gyarodos', 'Gyarados'],
  ['nidorn', 'Nidoran ♀'],
  ['pikachuu', 'Pikachu'],
  ['pikatchu', 'Pikachu'],
  ['mrmime', 'Mr. Mime'],
  ['mr mim', 'Mr. Mime'],
  ['farfetchd', "Farfetch'd"],
  ['ゲッコウガ', 'メガゲッコウガex'],
  ['メガゲ', 'メガゲッコウガex'],
  ['title:gyarad', 'Gyarados'],
  ['scarlet pikac', 'Pikachu'],
])('%p finds the card with the title %p', async (q, title) => {
  expect(await find(q)).toEqual([title])
})

test.each([
  ['flab', 'Flabébé'],
  ['gyar', 'Gyarados'],
  ['mr. mi', 'Mr. Mime'],
  ['blosso', 'Sakura Blossom'],
  ['pikachuu', 'Pikachu'],
  ['ゲッコ', 'メガゲッコウガex'],
])('%p is completed to the title %p', async (q, title) => {
  expect(await complete(q)).toEqual([['cards', title]])
})

test('a quoted title is found by its words alone', async () => {
  expect(await find('"gyarad"')).toEqual([])
  expect(await find('title:"nidorn"')).toEqual([])
})

test('titles follow writes at once: new ones, changed ones, deleted ones', async () => {
  const card = await make.card({ set: pokemon, number: '90', title: 'Quaxly' })
  numbers.set(card.id, 'Quaxly')
  expect(await find('quax')).toEqual(['Quaxly'])
  expect(await complete('quax')).toEqual([['cards', 'Quaxly']])
  await app.operator.patch(`/v1/cards/${card.id}`, {
    data: { type: 'cards', id: card.id, attributes: { title: 'Fuecoco' } },
  })
  expect(await find('quax')).toEqual([])
  expect(await find('fuecoc')).toEqual(['Quaxly'])
  await app.operator.delete(`/v1/cards/${card.id}`)
  expect(await find('fuecoc')).toEqual([])
  expect(await complete('fuecoc')).toEqual([])
})
