import { expect, test } from 'bun:test'
import type { Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { aDocument, factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)

const [y1986, y1989, y1990] = [
  await make.year({ name: '1986-87' }),
  await make.year({ name: '1989' }),
  await make.year({ name: '1990' }),
]
const [topps, bowman, company, baseball] = [
  await make.brand({ name: 'Topps' }),
  await make.brand({ name: 'Bowman' }),
  await make.manufacturer({ name: 'Topps' }),
  await make.genre({ name: 'Baseball' }),
]
const [rc, relic, sp] = [
  await make.attribute({ attribute: 'RC', name: 'Rookie Card' }),
  await make.attribute({ attribute: 'RELIC', name: 'Relic Card' }),
  await make.attribute({ attribute: 'SP', name: 'Short Print' }),
]
const [junior, senior, ortiz, realmuto, ohtani, mariners] = [
  await make.player({ first_name: 'Ken', last_name: 'Griffey Jr.' }),
  await make.player({ first_name: 'Ken', last_name: 'Griffey' }),
  await make.player({ first_name: 'David', last_name: 'Ortiz' }),
  await make.player({ first_name: 'J.T.', last_name: 'Realmuto' }),
  await make.player({ first_name: 'Shohei', last_name: 'Ohtani' }),
  await make.team({ name: 'Seattle Mariners' }),
]
const ofMaker = { manufacturer: company, genre: baseball, status: 'published' }
const bowman89 = await make.set({ ...ofMaker, name: '1989 Bowman Baseball', year: y1989, brand: bowman })
const traded89 = await make.set({ ...ofMaker, name: '1989 Topps Traded Baseball', year: y1989, brand: topps })
const topps89 = await make.set({ ...ofMaker, name: '1989 Topps Baseball', year: y1989, brand: topps })
const topps90 = await make.set({ ...ofMaker, name: '1990 Topps Baseball', year: y1990, brand: topps })
const fleer86 = await make.set({ name: '1986-87 Fleer', year: y1986, status: 'published' })
const base89 = await make.set({ ...ofMaker, name: 'Base Set', parent: topps89, year: y1989, brand: topps })
const gold = await make.set({ ...ofMaker, name: 'Gold', kind: 'parallel', parent: base89, year: y1989, brand: topps })
const stars = await make.set({
  ...ofMaker,
  name: 'Rookie Stars',
  kind: 'insert',
  parent: topps90,
  year: y1990,
  brand: topps,
})
const jerseys = await make.set({
  ...ofMaker,
  name: 'Game Jerseys',
  kind: 'insert',
  parent: topps90,
  year: y1990,
  brand: topps,
})

const inBowman = await make.card({ set: bowman89, number: '220', oncard: [junior, mariners] })
const inTraded = await make.card({ set: traded89, number: '41T', oncard: [junior, mariners], attributes: [rc] })
const inGold = await make.card({ set: gold, number: '1', oncard: [junior], serial_number: '/50' })
const inBase = await make.card({ set: base89, number: '1', oncard: [junior] })
const father = await make.card({ set: base89, number: '2', oncard: [senior] })
const star = await make.card({ set: stars, number: 'U-14', oncard: [junior], serial_number: '1/1' })
const shirt = await make.card({ set: jerseys, number: '89', oncard: [junior] })
const worn = await make.card({ set: topps90, number: '10', oncard: [ortiz], attributes: [relic] })
const short = await make.card({
  set: topps90,
  number: '320',
  oncard: [realmuto],
  attributes: [sp],
  notes: 'Wrong back',
})
const checklist = await make.card({ set: topps90, number: '99', title: 'Checklist 1-100' })
const early = await make.card({ set: fleer86, number: '57', oncard: [ohtani] })

const find = (q: string, more = '') => app.reader.get(`/v2/search?q=${encodeURIComponent(q)}&page[size]=100${more}`)
const idsFor = async (q: string, more = '') => {
  const answer = await find(q, more)
  expect([q, answer.status]).toEqual([q, 200])
  return answer.many.map(({ id }) => id)
}
const cardsFor = (q: string) => idsFor(q, '&filter[type]=cards')
const ids = (...records: Shown[]) => records.map(({ id }) => id)
const sorted = (some: unknown[]) => some.map(String).toSorted()
const same = async (q: string, ...records: Shown[]) =>
  expect([q, sorted(await cardsFor(q))]).toEqual([q, sorted(ids(...records))])

test('OR, parentheses and exclusion combine terms', async () => {
  await same('ortiz OR realmuto', worn, short)
  await same('topps (ortiz OR realmuto OR ohtani)', worn, short)
  await same('ortiz OR fleer ohtani', worn, early)
  await same('griffey -(bowman OR topps)')
  await same('griffey 1989 -(traded OR gold)', inBowman, inBase, father)
  await same('realmuto OR -topps', short, early)
  const all = [inBowman, inTraded, inGold, inBase, father, star, shirt, worn, short, checklist, early]
  await same('(zzyzx OR -qwxyz)', ...all)
  await same('!"ken griffey"', father)
  await same('griff* bowman', inBowman)
})

test('years, numbers and print runs are compared', async () => {
  await same('year:1989..1990 bowman', inBowman)
  await same('griffey year>=1990', star, shirt)
  await same('griffey year:>=1990', star, shirt)
  await same('year<1989', early)
  await same('year!=1989 griffey', star, shirt)
  await same('griffey serial:<=50', inGold, star)
  await same('griffey serial!=1', inGold)
  await same('number:>=57 number<=99', early, shirt, checklist)
  await same('number:56..58', early)
  await same('number!=1 gold')
})

test('fields and marks say what is meant', async () => {
  await same('manufacturer:topps bowman', inBowman)
  await same('brand:topps bowman')
  await same('sport:baseball ohtani')
  await same('code:rc', inTraded)
  await same('title:checklist', checklist)
  await same('note:wrong', short)
  await same('has:note', short)
  await same('-has:player topps', checklist)
  await same('has:team griffey', inBowman, inTraded)
  await same('kind:parallel', inGold)
  await same('is:relic', worn, shirt)
  await same('is:sp', short)
  await same('is:numbered', inGold, star)
  await same('is:1of1', star)
  await same('is:base griffey 1989', inBowman, inTraded, inBase, father)
  await same('set:"1989 topps baseball"', inBase, father, inGold)
})

test('what people type is understood', async () => {
  await same("griffey '89", inBowman, inTraded, inBase, father, inGold)
  expect((await cardsFor('griffey 89')).at(-1)).toBe(shirt.id as string)
  await same('1990 topps no. 320', short)
  await same('topps #320', short)
  await same('topps 320/792', short)
  await same('topps U14', star)
  for (const season of ['86-87', '1986-87', '1986/87', '86/87', '1986-1987']) await same(`${season} fleer`, early)
  await same('griffey 1980s', inBowman, inTraded, inBase, father, inGold)
  await same('griffey 1990-1995', star, shirt)
  await same('ortiz game used', worn)
  await same('topps realmuto and ortiz')
  await same('topps u 14', star)
  await same('griffey one of one', star)
  await same('griffey numbered to 50', inGold)
  for (const q of ['K Griffey Jr', 'k griffey jr']) expect((await idsFor(q))[0]).toBe(junior.id as string)
  expect((await idsFor('JT Realmuto'))[0]).toBe(realmuto.id as string)
  expect((await idsFor('big papi'))[0]).toBe(ortiz.id as string)
  expect((await idsFor('大谷翔平'))[0]).toBe(ohtani.id as string)
  expect((await idsFor('griff'))[0]).toBe(junior.id as string)
  expect((await idsFor('all the cards of ortiz'))[0]).toBe(ortiz.id as string)
})

test('the year first, then the brand, the nearest set, the base, and rookies where asked', async () => {
  const sets = await idsFor('topps 1989', '&filter[type]=sets')
  expect(sets[0]).toBe(topps89.id as string)
  expect(sets.indexOf(traded89.id)).toBeLessThan(sets.indexOf(bowman89.id))
  expect(sets.at(-1)).toBe(bowman89.id as string)
  expect(await cardsFor('1989 topps griffey jr')).toEqual(ids(inBase, inTraded, inGold, inBowman))
  expect((await cardsFor('griffey gold'))[0]).toBe(inGold.id as string)
  expect((await cardsFor('griffey rookie'))[0]).toBe(inTraded.id as string)
  expect((await idsFor('griffey')).slice(0, 2)).toEqual(ids(junior, senior))
})

test('an order is another than by relevance, with players and teams behind, and pages keep it', async () => {
  const byYear = await idsFor('griffey order:-year')
  expect(byYear.slice(0, 2).toSorted()).toEqual(sorted(ids(star, shirt)))
  expect(byYear.slice(-2).toSorted()).toEqual(sorted(ids(junior, senior)))
  expect(await cardsFor('griffey jr 1989 order:number')).toEqual(ids(inBase, inGold, inTraded, inBowman))
  expect(await idsFor('griffey jr order:name')).toEqual(await idsFor('griffey jr', '&sort=name'))
  expect((await idsFor('griffey order:newest'))[0]).toBe(shirt.id as string)
  const pages: unknown[] = []
  let path: string | null = '/v2/search?q=griffey&sort=-year&page[size]=2'
  while (path) {
    const page = await app.reader.get(path)
    pages.push(...page.many.map(({ id }) => id))
    path = (page.links.next as string | null)?.replace(app.baseUrl, '') ?? null
  }
  expect(pages).toEqual(byYear)
  expect((await find('griffey order:year', '&sort=name')).faults).toEqual(['INVALID_PARAMETER sort'])
  expect((await find('griffey', '&sort=size')).faults).toEqual(['INVALID_PARAMETER sort'])
})

test('facets count the cards that match, and filters stand beside the query', async () => {
  const { meta } = await find('griffey', '&facets=year,brand,kind,code,set,player,genre')
  expect(meta?.facets_are_estimates).toBe(false)
  const facets = meta?.facets as Record<string, { id: string; value: string; count: number }[]>
  expect(facets.year).toEqual([
    { id: y1989.id as string, value: '1989', count: 5 },
    { id: y1990.id as string, value: '1990', count: 2 },
  ])
  expect(facets.brand?.map(({ value, count }) => [value, count])).toEqual([
    ['Topps', 6],
    ['Bowman', 1],
  ])
  expect(facets.kind?.map(({ value, count }) => [value, count])).toEqual([
    ['base', 4],
    ['insert', 2],
    ['parallel', 1],
  ])
  expect(facets.code).toEqual([{ id: rc.id as string, value: 'RC', count: 1 }])
  expect(facets.player?.[0]).toEqual({ id: junior.id as string, value: 'Ken Griffey Jr.', count: 6 })
  expect((await find('griffey', '&facets=size')).faults).toEqual(['INVALID_PARAMETER facets'])
  const only = (filter: string) => idsFor('griffey', `&${filter}`)
  expect(await only(`filter[year]=${y1990.id}`)).toEqual(ids(star, shirt))
  expect(await only(`filter[brand]=${bowman.id}`)).toEqual(ids(inBowman))
  expect(await only(`filter[set]=${base89.id}`)).toEqual(ids(inBase, father))
  expect(await only('filter[kind]=parallel')).toEqual(ids(inGold))
  expect(await only(`filter[genre]=${baseball.id}&filter[year]=${y1990.id}&filter[kind]=insert`)).toEqual(
    ids(star, shirt),
  )
})

test('a score says what it is made of', async () => {
  const { many } = await find('1989 topps griffey', '&explain=true')
  for (const { meta } of many as (Shown & { meta: { score: number; explanation: Record<string, number> } })[]) {
    const sum = Object.values(meta.explanation).reduce((all, part) => all + part, 0)
    expect(sum).toBeCloseTo(meta.score, 5)
  }
  expect((await find('griffey', '&explain=perhaps')).faults).toEqual(['INVALID_PARAMETER explain'])
})

test('a lonely OR is one error', async () => {
  const { status, document } = await app.reader.get('/v2/search?q=OR')
  expect([status, document.errors?.map(({ detail }) => detail)]).toEqual([
    400,
    ['Position 0: OR needs a term on both sides.'],
  ])
})

test('what cannot be read is refused with what was probably meant', async () => {
  const wrong = await find('griffey yaer:1989')
  expect(wrong.faults).toEqual(['INVALID_PARAMETER q'])
  const { errors } = JSON.parse(wrong.text) as { errors: { detail: string; meta: unknown }[] }
  expect(errors[0]?.detail).toStartWith('Position 8: There is no field yaer')
  expect(errors[0]?.meta).toEqual({ suggestion: 'griffey year:1989' })
})

test('a query is completed: the words before the last one narrow', async () => {
  const complete = async (q: string) => {
    const answer = await app.reader.get(`/v2/autocomplete?q=${encodeURIComponent(q)}`)
    return answer.document.data as unknown as { type: string; id: string; name: string; context: string | null }[]
  }
  const offers = await complete('1989 bowman gri')
  expect(offers.map(({ id }) => id)).toEqual(ids(junior, inBowman) as string[])
  expect(offers[1]).toMatchObject({ type: 'cards', context: '1989 Bowman Baseball (1989)' })
  expect((await complete('rookie st'))[0]).toMatchObject({
    name: 'Rookie Stars',
    context: '1990 Topps Baseball (1990)',
  })
})

test('a completion says nothing of a draft to those who may not see it', async () => {
  const draft = await make.set({ name: 'Zanzibar Preview' })
  const child = await make.set({ name: 'Quixotic Inserts', parent: draft, status: 'published' })
  await make.card({ set: child, number: '7', title: 'Zephyr' })
  const contextsFor = async (who: typeof app.reader, q: string) => {
    const answer = await who.get(`/v2/autocomplete?q=${encodeURIComponent(q)}`)
    return (answer.document.data as unknown as { context: string | null }[]).map(({ context }) => context)
  }
  for (const [q, ofReader, ofOperator] of [
    ['quixotic', null, 'Zanzibar Preview'],
    ['quixotic zeph', 'Quixotic Inserts', 'Zanzibar Preview › Quixotic Inserts'],
  ] as const)
    expect([q, await contextsFor(app.reader, q), await contextsFor(app.operator, q)]).toEqual([
      q,
      [ofReader],
      [ofOperator],
    ])
})

test('a card is found by its whole name as it is shown, whatever the case', async () => {
  expect(inTraded.attributes.name).toBe('41T Ken Griffey Jr. / Seattle Mariners RC')
  await same('!"41t ken griffey jr. / seattle mariners RC"', inTraded)
  await same('!" 1 Ken Griffey Jr. "', inBase)
  await same('!"10 David Ortiz"')
  await same('!"1 Ken Griffey Jr. /50" 1989', inGold)
  await same('!"1 Ken Griffey Jr. /50" 1990')
  await same('!"1 Ken Griffey Jr." OR !"10 David Ortiz RELIC"', inBase, worn)
  const all = await idsFor('griffey -!"1 Ken Griffey Jr."', '&filter[type]=cards')
  expect([all.includes(inBase.id), all.includes(inGold.id)]).toEqual([false, true])
  const { meta } = await find('!"10 David Ortiz RELIC"', '&facets=year')
  expect(meta?.facets).toEqual({ year: [{ id: y1990.id, value: '1990', count: 1 }] })
  const hidden = await make.card({ set: await make.set({ status: 'draft' }), number: '10', title: 'David Ortiz RELIC' })
  expect(hidden.attributes.name).toBe(worn.attributes.name as string)
  await same('!"10 David Ortiz RELIC"', worn)
})

test('aliases rank as names do, and identifiers lead to their record', async () => {
  const { operator } = app
  const called = { aliases: ['The Swinging Friar', '王貞治'] }
  await operator.patch(`/v2/players/${ortiz.id}`, aDocument('players', called, {}, ortiz.id))
  expect((await idsFor('swinging friar'))[0]).toBe(ortiz.id as string)
  expect(await idsFor('swinging friar topps')).toEqual(ids(worn))
  expect((await idsFor('王貞治'))[0]).toBe(ortiz.id as string)
  const identify = async (type: string, { id }: Shown, value: string) => {
    const attributes = { source: 'tcdb', value, object_type: type, object_id: id }
    const made = await operator.post('/v2/identifiers', aDocument('identifiers', attributes))
    expect(made.status).toBe(201)
  }
  await identify('cards', short, '1234')
  await identify('players', ortiz, '77')
  await identify('sets', jerseys, 'GJ')
  expect(await idsFor('id:tcdb:1234')).toEqual(ids(short))
  expect(await idsFor('id:1234')).toEqual(ids(short))
  expect(await idsFor('id:psa:1234')).toEqual([])
  expect(await idsFor('id:tcdb:77')).toEqual(ids(ortiz, worn))
  expect(await idsFor('id:tcdb:gj')).toEqual([])
  expect(await idsFor('id:tcdb:GJ griffey')).toEqual(ids(shirt))
  expect(await idsFor(`id:${worn.id}`)).toEqual(ids(worn))
})

test('a number with a total is found as the card has it, with the total or without', async () => {
  const pokemon = await make.set({ name: 'Fossil', status: 'published' })
  const [plain, total, padded] = [
    await make.card({ set: pokemon, number: '4', title: 'Gengar' }),
    await make.card({ set: pokemon, number: '4/102', title: 'Charizard' }),
    await make.card({ set: pokemon, number: '004/165', title: 'Charmander' }),
  ]
  await same('fossil 4/102', plain, total)
  await same('fossil 4/165', plain, padded)
  await same('fossil number:4/102', total)
})
