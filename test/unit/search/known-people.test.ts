import { expect, test } from 'bun:test'
import { newIdTable } from '../../../src/catalog/search/name-cache/id-table.ts'
import { type KnownPerson, newKnownPeople } from '../../../src/catalog/search/name-cache/known-people.ts'
import { hasWords, type NameQuery } from '../../../src/catalog/search/name-query.ts'
import { wordsOf } from '../../../src/lib/words.ts'

const idOf = (n: number) => `00000015-0000-7000-8000-${n.toString(16).padStart(12, '0')}`

test('ids get numbers in the order in which they come, each one only once, however alike they are', () => {
  const ids = [
    ...Array.from({ length: 5000 }, (_, n) => idOf(n)),
    ...Array.from({ length: 500 }, () => Bun.randomUUIDv7()),
    ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'].filter((id) => id !== idOf(0)),
  ]
  const table = newIdTable()
  expect(ids.map(table.get).every((number) => number === undefined)).toBe(true)
  expect(ids.map(table.add)).toEqual([...ids.keys()])
  expect(ids.toReversed().map(table.add)).toEqual([...ids.keys()].toReversed())
  expect(ids.map(table.get)).toEqual([...ids.keys()])
  expect([...ids.keys()].map(table.idOf)).toEqual(ids)
  expect(ids.map((id) => table.get(id.toUpperCase()))).toEqual([...ids.keys()])
  expect(table.get(idOf(5000))).toBeUndefined()
})

const firsts = ['Ken', 'Kenny', 'Mike', 'Mickey', 'José', 'Zoë']
const lasts = ['Griffey', 'Griffin', 'Trout', 'Mantle', 'Núñez']
const aPerson = (n: number): KnownPerson => {
  const name = `${firsts[n % firsts.length]} ${lasts[(n * 7) % lasts.length]}${n % 4 === 0 ? ' Jr.' : ''}`
  return {
    ...{ type: n % 3 === 0 ? 'teams' : 'players', id: idOf(n), name, key: name.toLowerCase() },
    ...{ aliases: n % 5 === 0 ? 'The Kid\nTrout Griffey' : null, audience: 1 + (n % 2) },
    ...{ live: n % 11, published: n % 7 },
  }
}

const all = (...words: string[]): NameQuery => ({ all: words.map((word) => ({ word })) })
const queries: NameQuery[] = [
  { word: 'griffey' },
  { word: 'grif', isBeginning: true },
  all('ken', 'griffey'),
  all('kid', 'ken'),
  all('the', 'kid'),
  { any: [{ word: 'trout' }, { word: 'mi', isBeginning: true }, all('jose', 'nunez')] },
  {
    all: [{ word: 'ken', isBeginning: true }, { any: [{ word: 'griffey' }, { word: 'trout' }] }],
    except: { word: 'jr' },
  },
  { word: 'nobody' },
]

test('people are found by the words of their name or of their aliases, also once some have changed or gone', () => {
  const people = newKnownPeople()
  const known = new Map<string, KnownPerson>()
  const put = (one: KnownPerson) => {
    people.put(one)
    known.set(one.id, one)
  }
  const expectRight = () => {
    for (const query of queries)
      for (const level of [1, 2]) {
        const has = (text: string | null) => text !== null && hasWords(wordsOf(text), query)
        const right = [...known.values()].filter((one) => one.audience >= level && (has(one.name) || has(one.aliases)))
        const found = people.find(query, level)
        const ids = [...found.players.first(1000), ...found.teams.first(1000)].map(({ id }) => id)
        expect([query, level, ids.toSorted()]).toEqual([query, level, right.map(({ id }) => id).toSorted()])
        expect(found.players.count + found.teams.count).toBe(ids.length)
      }
    expect(people.all().toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      [...known.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
  }
  for (let n = 0; n < 300; n++) put(aPerson(n))
  expectRight()
  for (let n = 0; n < 300; n += 7) {
    people.drop(idOf(n))
    known.delete(idOf(n))
  }
  for (let n = 1; n < 300; n += 9) put({ ...aPerson(n + 1000), id: idOf(n) })
  expectRight()
  for (const id of [...known.keys()]) people.drop(id)
  known.clear()
  expectRight()
  expect([people.words.from(''), people.hasWord('griffey')]).toEqual([[], false])
})

test('those with the most cards come first, and those with as many by name and id, as the reader sees them', () => {
  const people = newKnownPeople()
  const some = Array.from({ length: 400 }, (_, n) => ({ ...aPerson(n), type: 'players' as const }))
  for (const one of some) people.put(one)
  people.recount(new Map([[idOf(7), { live: 1000, published: 0 }]]))
  const counts = new Map(some.map(({ id, live, published }) => [id, { live, published }]))
  counts.set(idOf(7), { live: 1000, published: 0 })
  for (const level of [1, 2]) {
    const cards = ({ id }: { id: string }) => counts.get(id)?.[level === 1 ? 'live' : 'published'] ?? 0
    const byName = (a: KnownPerson, b: KnownPerson) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))
    const right = some
      .filter(({ name, audience }) => audience >= level && wordsOf(name).includes('ken'))
      .toSorted((a, b) => cards(b) - cards(a) || byName(a, b) || (a.id < b.id ? -1 : 1))
    const found = people.find({ word: 'ken' }, level).players
    for (const most of [1, 5, 1000]) {
      expect(found.ordered(most).map(({ id }) => id)).toEqual(right.slice(0, most).map(({ id }) => id))
      expect(found.best(most).map(cards)).toEqual(right.slice(0, most).map(cards))
    }
    expect(found.called('ken trout').map(({ key }) => key)).toEqual(
      right.filter(({ key }) => key === 'ken trout').map(() => 'ken trout'),
    )
  }
})

test('as many namesakes are listed as have some number of cards together', () => {
  const people = newKnownPeople()
  for (let n = 0; n < 100; n++)
    people.put({
      ...aPerson(1),
      id: idOf(n),
      type: 'players',
      name: 'Zoe Poe',
      aliases: null,
      audience: 2,
      live: 5,
      published: 3,
    })
  for (const [level, cards, count] of [
    [2, 1, 1],
    [2, 3, 1],
    [2, 100, 34],
    [1, 100, 20],
    [1, 1000, 100],
  ] as const) {
    const found = people.find({ word: 'zoe' }, level).players.withCards(cards)
    expect([level, cards, found.ids.length, new Set(found.ids).size]).toEqual([level, cards, count, count])
    expect(found.cards).toBe(count * (level === 1 ? 5 : 3))
  }
})
