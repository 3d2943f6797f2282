import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)

const aPlayer = (first_name: string, last_name: string) => make.player({ first_name, last_name })
const [jeter, knoblauch, ozzie, elly, thomas, junior] = [
  await aPlayer('Derek', 'Jeter'),
  await aPlayer('Chuck', 'Knoblauch'),
  await aPlayer('Ozzie', 'Smith'),
  await aPlayer('Elly', 'De La Cruz'),
  await aPlayer('Frank', 'Thomas'),
  await aPlayer('Ken', 'Griffey Jr.'),
]
const [rated, leaders, rc, au] = [
  await make.attribute({ attribute: 'RR', name: 'Rated Rookie' }),
  await make.attribute({ attribute: 'LL', name: 'League Leaders' }),
  await make.attribute({ attribute: 'RC', name: 'Rookie Card' }),
  await make.attribute({ attribute: 'AU', name: 'Autograph' }),
]
const year = await make.year({ name: '1993' })
const leaf = await make.set({ name: '1993 Leaf', year, status: 'published' })
const series = await make.set({ name: 'Series 1', year, parent: leaf, status: 'published' })
const own = await make.set({ name: 'Frank Thomas', kind: 'insert', year, parent: leaf, status: 'published' })
const signed = await make.set({ name: 'Signature Rookies', kind: 'insert', year, parent: leaf, status: 'published' })
const bats = await make.set({ name: 'Big Bats', kind: 'insert', year, parent: leaf, status: 'published' })
const fractors = await make.set({ name: 'X-Fractors', kind: 'parallel', year, parent: series, status: 'published' })

const brand = await make.set({ name: '1994 SP', status: 'published' })
const prints = await make.set({ name: 'Short Prints', parent: leaf, status: 'published' })
await make.card({ set: brand, number: '1', oncard: [junior] })
const print = await make.card({ set: prints, number: '1', oncard: [junior] })

const regular = await make.card({ set: series, number: '1', oncard: [thomas] })
await make.card({ set: own, number: '7', oncard: [thomas] })
const kid = await make.card({ set: series, number: '33', oncard: [junior], attributes: [rated, rc] })
const best = await make.card({ set: series, number: '12', oncard: [ozzie, knoblauch], attributes: [leaders] })
const first = await make.card({ set: series, number: '98', title: 'Topps 320 and more', oncard: [jeter] })
const bat = await make.card({ set: bats, number: '5', oncard: [jeter], attributes: [au] })
const autograph = await make.card({ set: signed, number: '9', oncard: [jeter], attributes: [au] })
const shiny = await make.card({ set: fractors, number: '98', oncard: [jeter] })
const hit320 = await make.card({ set: series, number: '320', oncard: [elly] })

const find = async (q: string, more = '') => {
  const answer = await app.reader.get(`/v2/search?q=${encodeURIComponent(q)}&page[size]=100${more}`)
  expect([q, answer.status]).toEqual([q, 200])
  return answer.many.map(({ id }) => id)
}
const firstFor = async (q: string, more = '') => (await find(q, more))[0]

test('words that sound alike are forgiven, however many letters differ', async () => {
  for (const [q, player] of [
    ...([
      ['derrick jeter', jeter],
      ['dereck jetter', jeter],
      ['chuck knoblock', knoblauch],
      ['ozzy smith', ozzie],
      ['ely de la cruz', elly],
    ] as const),
  ])
    expect([q, await firstFor(q)]).toEqual([q, player.id])
  expect(await find('daryl jeter', '&filter[type]=players')).toEqual([])
})

test('words that were written as one are parted, where no name has the word', async () => {
  expect(await firstFor('kengriffey jr')).toBe(junior.id)
  expect(await firstFor('elly dela cruz')).toBe(elly.id)
  expect(await find('xfractor jeter', '&filter[type]=cards')).toEqual([shiny.id])
  expect(await find('jeterjeter')).toEqual([])
})

test('who is near is near beside what is excluded, too', async () => {
  const near = await find('grifey', '&filter[type]=players')
  expect(near).toContain(junior.id)
  expect(await find('grifey -is:auto', '&filter[type]=players')).toEqual(near)
  expect(await find('grifey -jr', '&filter[type]=players')).toEqual(near.filter((id) => id !== junior.id))
})

test('what a code stands for finds its cards', async () => {
  expect(await find('rated rookie', '&filter[type]=cards')).toEqual([kid.id])
  expect(await find('rated rookies griffey', '&filter[type]=cards')).toEqual([kid.id])
  expect(await find('1993 leaf league leader', '&filter[type]=cards')).toEqual([best.id])
  expect(await find('"league leaders"', '&filter[type]=cards')).toEqual([best.id])
  expect(await find('leaf -rated griffey', '&filter[type]=cards')).toEqual([print.id])
})

test('somebody comes before a set with the same name, and a number before the same in a title', async () => {
  expect(await firstFor('1993 leaf frank thomas')).toBe(regular.id)
  expect(await find('1993 leaf 320', '&filter[type]=cards')).toEqual([hit320.id, first.id])
  expect(await firstFor('1993 leaf series 1')).toBe(series.id)
  expect((await find('1993 leaf 1')).indexOf(regular.id)).toBe(0)
})

test('a short print is one by its code or in a set of them, not in one of the brand', async () => {
  expect(await find('is:sp', '&filter[type]=cards')).toEqual([print.id])
  expect((await find('1994 sp'))[0]).toBe(brand.id)
})

test('of cards with a mark those come first whose set is called so', async () => {
  expect((await find('jeter auto', '&filter[type]=cards')).slice(0, 2)).toEqual([autograph.id, bat.id])
})

test('a first page is the beginning of a longer one, whether words or sets make the difference', async () => {
  const long = await make.set({
    name: 'Amber Birch Cedar Dogwood Elder Fir Gum Hazel Ironwood Juniper Larch Maple Nutmeg Oak Pine Quince',
    status: 'published',
  })
  const plain = await make.set({ name: 'Base Set', status: 'published' })
  for (const number of ['1', '2', '3']) await make.card({ set: long, number, title: 'Wing U77' })
  // By its number, which costs more than a title; its set has no word that was not asked for.
  const numbered = await make.card({ set: plain, number: 'U77' })
  const all = await find('u77', '&filter[type]=cards')
  expect([all.length, all[0]]).toEqual([4, numbered.id])
  for (const q of ['u77', 'jeter', 'griffy', 'leaf 1993', 'rookie']) {
    const whole = await find(q)
    for (let size = 1; size <= whole.length; size++) {
      const page = await app.reader.get(`/v2/search?q=${encodeURIComponent(q)}&page[size]=${size}`)
      expect([q, size, page.many.map(({ id }) => id)]).toEqual([q, size, whole.slice(0, size)])
    }
  }
})
