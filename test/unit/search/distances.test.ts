import { expect, test } from 'bun:test'
import { type KnownSets, newKnownSets } from '../../../src/catalog/search/name-cache/known-sets.ts'
import { distancesBy } from '../../../src/catalog/search/sets/distances.ts'
import { randomOf } from '../../support/random.ts'

const words = ['topps', 'chrome', 'gold', 'refractor', 'base', 'set', 'update', 'hockey']

const put = (known: KnownSets, no: number, name: string[], parent: number | null) =>
  known.put({
    ...{
      type: 'sets',
      no,
      id: `set ${no}`,
      name: name.join(' '),
      names: [name, ['alias']],
      hasAliases: true,
      audience: 2,
    },
    ...{
      kind: no % 3 === 0 ? 'parallel' : 'insert',
      parent: parent === null ? null : `set ${parent}`,
      cards: 1,
      newest: 0,
    },
    ...{ brand_id: null, manufacturer_id: null, genre_id: null, year_id: null },
  })

/** For each set, what it subtracts by itself and by its place among all. */
const taken = (known: KnownSets, asked: string[]) => {
  const distances = distancesBy(asked, ['hockey'], known)
  const { places, takes } = distances.all()
  return [...known.sets()].map((set) => {
    const { distance, parallel } = distances.of(set)
    return { no: set.no, own: distance + parallel, amongAll: takes[places[set.no] ?? -1] }
  })
}

const areEqual = (sets: ReturnType<typeof taken>) => {
  for (const { own, amongAll } of sets) expect(amongAll).toBeCloseTo(own, 9)
}

test('what all sets subtract is what each subtracts, also after sets changed, moved and went', () => {
  const known = newKnownSets()
  const { below: random } = randomOf(35)
  const name = () => Array.from({ length: 1 + random(4) }, () => words[random(words.length)] as string)
  for (let no = 0; no < 40; no++) put(known, no, name(), no > 3 ? random(no) : null)
  for (let round = 0; round < 60; round++) {
    areEqual(taken(known, words.slice(random(words.length)).slice(0, random(3))))
    const no = random(40 + round)
    if (round % 5 === 4) known.drop(`set ${no}`)
    else put(known, no, name(), no > 3 ? random(no) : null)
    if (round % 7 === 6) put(known, 500 + round, name(), no)
  }
  areEqual(taken(known, []))
})

test('a word of the query costs a set, those below it and those below these nothing', () => {
  const known = newKnownSets()
  put(known, 1, ['topps'], null)
  put(known, 2, ['chrome'], 1)
  put(known, 4, ['gold'], 2)
  const among = (asked: string[]) => taken(known, asked).map(({ amongAll }) => amongAll)
  const [one = 0, two = 0, three = 0] = among([])
  expect([one > 0, two > one, three > two]).toEqual([true, true, true])
  expect(among(['topps'])).toEqual([0, one, two])
  expect(among(['gold'])).toEqual([one, two, two])
})
