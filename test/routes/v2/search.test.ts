import { expect, test } from 'bun:test'
import type { Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { aDocument, factories, setStatus } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)

const [season, fleer, basketball] = [
  await make.year({ name: '1986-87' }),
  await make.brand({ name: 'Fleer' }),
  await make.genre({ name: 'Basketball' }),
]
const [rc, au] = [
  await make.attribute({ attribute: 'RC', name: 'Rookie Card' }),
  await make.attribute({ attribute: 'AU', name: 'Autograph' }),
]
const [jordan, gordan, acuna, oneal, bulls] = [
  await make.player({ first_name: 'Michael', last_name: 'Jordan' }),
  await make.player({ first_name: 'Michelle', last_name: 'Gordan' }),
  await make.player({ first_name: 'Ronald', last_name: 'Acuña Jr.' }),
  await make.player({ first_name: 'Shaquille', last_name: 'O’Neal' }),
  await make.team({ name: 'Chicago Bulls' }),
]
const base = await make.set({
  ...{ name: '1986-87 Fleer Basketball', status: 'published' },
  ...{ year: season, brand: fleer, genre: basketball },
})
const stickers = await make.set({ name: 'Stickers', kind: 'insert', status: 'published', parent: base })
const drafts = await make.set({ name: 'Prizm Zenith' })
const rookie = await make.card({ set: base, number: '57', oncard: [jordan, bulls], attributes: [rc] })
const sticker = await make.card({ set: stickers, number: '8', oncard: [jordan], serial_number: '12/25' })
const signed = await make.card({
  set: stickers,
  number: 'S-9',
  oncard: [gordan],
  attributes: [au],
  serial_number: '/99',
})
const braves = await make.card({ set: base, number: '9', oncard: [acuna] })
const lakers = await make.card({ set: base, number: '10', oncard: [oneal] })
const leaders = await make.card({ set: base, number: '131', title: 'Scoring Leaders' })
const hidden = await make.card({ set: drafts, number: '1', oncard: [await make.player({ last_name: 'Zenithson' })] })

const find = (q: string, more = '', who = app.reader) => who.get(`/v2/search?q=${encodeURIComponent(q)}${more}`)
const idsFor = async (q: string, more = '', who = app.reader) => {
  const answer = await find(q, more, who)
  expect([q, answer.status]).toEqual([q, 200])
  return answer.many.map(({ id }) => id)
}
const cardsFor = (q: string) => idsFor(q, '&filter[type]=cards')
const scoreOf = (one: Shown) => (one as Shown & { meta: { score: number } }).meta.score
const ids = (...records: Shown[]) => records.map(({ id }) => id)

test('the whole name comes first, then cards in checklist order, then what is only near', async () => {
  const answer = await find('jordan')
  expect(answer.many.map(({ id }) => id)).toEqual(ids(jordan, rookie, sticker, gordan, signed))
  const scores = answer.many.map(scoreOf)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(Math.max(...scores.slice(3))).toBeLessThan(0.65)
  expect(scoreOf((await find('Michael Jordan')).many[0] as Shown)).toBeGreaterThan(scores[0] as number)
  expect(answer.meta).toEqual({ page: { total: 5 } })
})

test('accents, apostrophes and case do not count, and letters may be wrong', async () => {
  expect(await idsFor('ACUNA jr')).toEqual(ids(acuna, braves))
  expect(await idsFor("o'neal")).toEqual(ids(oneal, lakers))
  expect(await idsFor('shaquile oneal')).toEqual(ids(oneal, lakers))
  expect(await cardsFor('micheal jordon')).toEqual(ids(rookie, sticker))
})

test('words may be those of the set, its labels and its parent, of the team, of the title, and codes', async () => {
  expect(await cardsFor('1986 fleer jordan')).toEqual(ids(rookie, sticker, signed))
  expect(await cardsFor('basketball bulls')).toEqual(ids(rookie))
  expect(await cardsFor('scoring leaders')).toEqual(ids(leaders))
  expect(await cardsFor('jordan rc')).toEqual(ids(rookie))
  expect(await cardsFor('jordan rookie')).toEqual(ids(rookie))
  expect(await idsFor('1986-87', '&filter[type]=sets')).toEqual(ids(base, stickers))
  expect(await idsFor('stickers')).toEqual(ids(stickers, sticker, signed))
})

test('signs and fields say what a word is', async () => {
  expect(await cardsFor('#57')).toEqual(ids(rookie))
  expect(await cardsFor('number:s-9')).toEqual(ids(signed))
  expect(await cardsFor('/25')).toEqual(ids(sticker))
  expect(await cardsFor('serial:<=99')).toEqual(ids(sticker, signed))
  expect(await cardsFor('serial:>25')).toEqual(ids(signed))
  expect(await cardsFor('player:"michael jordan" -is:insert')).toEqual(ids(rookie))
  expect(await cardsFor('year:1986 genre:basketball team:bulls')).toEqual(ids(rookie))
  expect(await idsFor('year:87')).toEqual([])
  expect(await cardsFor('brand:fleer is:rookie')).toEqual(ids(rookie))
  expect(await cardsFor('is:auto')).toEqual(ids(signed))
  expect(await cardsFor('is:insert -gordan')).toEqual(ids(sticker))
  expect(await idsFor('is:parallel')).toEqual([])
  expect(await cardsFor('jordan -#57')).toEqual(ids(sticker, signed))
  expect(await idsFor('"jordan michael"')).toEqual([])
})

test('what is published is found at once, and what is not is found by those who may see it', async () => {
  expect(await idsFor('zenith')).toEqual([])
  expect(await idsFor('zenith', '', app.draftReader)).toContain(drafts.id)
  await setStatus(app, drafts, 'published')
  expect(await idsFor('zenithson')).toContain(hidden.id)
  await app.operator.patch(`/v1/players/${gordan.id}`, aDocument('players', { last_name: 'Nowitzki' }, {}, gordan.id))
  expect(await idsFor('nowitzki')).toEqual(ids(gordan, signed))
  expect(await idsFor('gordan')).not.toContain(gordan.id)
  await setStatus(app, drafts, 'draft')
  expect(await idsFor('zenith')).toEqual([])
})

test('pages follow each other in both directions and stay whole', async () => {
  const all = await idsFor('fleer')
  const seen: string[] = []
  let path: string | null = `/v2/search?q=fleer&page[size]=2`
  let last = path
  while (path) {
    const answer = await app.reader.get(path)
    seen.push(...answer.many.map(({ id }) => id))
    last = path
    path = (answer.links.next as string | null)?.replace(app.baseUrl, '') ?? null
  }
  expect(seen).toEqual(all)
  const end = await app.reader.get(last)
  const before = await app.reader.get((end.links.prev as string).replace(app.baseUrl, ''))
  expect(before.many.map(({ id }) => id)).toEqual(all.slice(-2 - end.many.length, -end.many.length))
  const cursor = encodeURIComponent((end.links.prev as string).match(/before%5D=([^&]+)/)?.[1] ?? '')
  expect((await find('jordan', `&page[after]=${cursor}`)).faults).toEqual(['INVALID_PARAMETER page[after]'])
})

test('fields and includes are taken, and every fault of a query has its place', async () => {
  const answer = await find('jordan #57', '&include=set,oncard&fields[cards]=number,set')
  expect(answer.many.map(({ attributes }) => attributes)).toEqual([{ number: '57' }])
  expect(answer.included.map(({ id }) => id)).toEqual(ids(base, jordan, bulls))
  const wrong = await find('ok zork:1 "open', '&filter[type]=brands')
  expect(wrong.faults).toEqual(['INVALID_PARAMETER q', 'INVALID_PARAMETER q', 'INVALID_PARAMETER filter[type]'])
  const { errors } = JSON.parse(wrong.text) as { errors: { detail: string }[] }
  expect(errors.map(({ detail }) => detail.split(':')[0])).toEqual([
    ...['Position 3', 'Position 10', 'Must be one of players, teams, sets, cards.'],
  ])
  expect((await app.reader.get('/v2/search')).faults).toEqual(['INVALID_PARAMETER q'])
})

test('the last word is completed, the exact name first, and a wrong letter is forgiven', async () => {
  const complete = async (q: string, who = app.reader) => {
    const answer = await who.get(`/v2/autocomplete?q=${encodeURIComponent(q)}`)
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/json'])
    return (answer.document.data as unknown as { id: string }[]).map(({ id }) => id)
  }
  const star = await make.player({ first_name: 'Mi', last_name: 'Jor' })
  await make.card({ set: base, oncard: [star] })
  expect(await complete('michael jor')).toEqual(ids(jordan))
  expect(await complete('MI JOR')).toEqual(ids(star))
  expect((await complete('mi')).slice(0, 2)).toEqual(ids(jordan, star))
  expect(await complete('jor')).toEqual(ids(jordan, star))
  expect(await complete('acun')).toEqual(ids(acuna))
  expect(await complete('chcago')).toEqual(ids(bulls))
  expect(await complete('1986-87 fl')).toEqual(ids(base))
  expect(await complete('michael j')).toEqual(ids(jordan))
  expect(await complete('  ')).toEqual([])
  expect(await complete('zenith')).toEqual([])
  expect(await complete('zenith', app.draftReader)).toContain(drafts.id)
  expect((await app.reader.get('/v2/autocomplete')).faults).toEqual(['INVALID_PARAMETER q'])
})

test('names that are near a word come after those that have it, and not at all where more than fifty do', async () => {
  const near = await make.player({ first_name: 'Ada', last_name: 'Wilbor' })
  const named = () => make.player({ first_name: 'Ada', last_name: 'Wilbur' })
  const wilburs = [await named()]
  while (wilburs.length < 50) wilburs.push(await named())
  const all = () => idsFor('wilbur', '&filter[type]=players&page[size]=100', app.draftReader)
  expect(await all()).toEqual([...ids(...wilburs).toSorted(), near.id])
  wilburs.push(await named())
  expect(await all()).toEqual(ids(...wilburs).toSorted())
})
