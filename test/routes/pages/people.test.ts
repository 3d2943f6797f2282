import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { merging } from '../../support/merges.ts'
import { drawnPages } from '../../support/pages/drawn.ts'

const app = await testApp()
const make = factories(app)
const { open, content } = drawnPages(app)

const status = 'published'
const rookie = await make.attribute({ attribute: 'RC', name: 'Rookie Card' })
const player = await make.player({ first_name: 'Ken', last_name: 'Griffey Jr.' })
const team = await make.team({ name: 'Seattle Mariners' })
const pair = await make.playerTeam({ player, team })
const setOf = async (name: string, values: object = {}) =>
  make.set({ name: `${name} Set`, status, year: await make.year({ name }), ...values })
const [later, first] = [await setOf('1990'), await setOf('1989')]
const hidden = await setOf('1988', { status: 'draft' })
const gold = await make.set({ name: 'Gold', status, kind: 'parallel', parent: first })
const card = await make.card({ set: first, number: '1', oncard: [pair], attributes: [rookie] })
await make.card({ set: later, number: '4', oncard: [player] })
await make.card({ set: hidden, number: '6', oncard: [pair] })
await make.card({ set: first, number: '2', title: 'Checklist' })
const refractor = await make.card({ set: gold, number: '1', oncard: [pair], serial_number: '/10' })
await make.card({ set: gold, number: '3', title: 'Another' })

test.each([
  ['a player', `/players/${player.id}`, ['1', '1', '4'], ['Rookie cards', '1989', '1990']],
  ['a team', `/teams/${team.id}`, ['1', '1'], ['Rookie cards', '1989']],
])(
  'the page of %s lists rookie cards first and once, then year by year, with counts',
  async (_, path, numbers, headings) => {
    const page = await open(path)
    expect(page.numbers).toEqual(numbers)
    expect(page.headings).toEqual(headings)
    expect(page.main).toContain('And <a href="#rookies">1 rookie card, listed above</a>')
    const { json } = await content(path)
    const { years, total } = json.value as { years: { year: string | null; cards: number }[]; total: number }
    expect(total).toBe(years.reduce((sum, { cards }) => sum + cards, 0))
    expect(years.map(({ year, cards }) => [year, cards])[0]).toEqual(['1989', 2])
  },
)

test('a card says set and year, has its parallels, its neighbors, and the other cards of its player', async () => {
  const page = await open(`/cards/${card.id}`)
  expect(page.title).toBe('1 Ken Griffey Jr. RC · 1989 Set · Cardstock')
  expect(page.main).toContain('Rookie Card (RC)')
  expect(page.headings).toEqual(['Rainbow', 'More Ken Griffey Jr. cards', 'In the API'])
  expect(page.main).toMatch(/aria-current="page">1989 Set<[\s\S]*>Gold<[\s\S]*>\/10</)
  expect(page.main).toMatch(/rel="next"[^>]*><span[^>]*>Next ›<\/span> 2 Checklist</)
  expect(page.main).not.toContain('rel="prev"')
  expect(page.main).not.toContain('1988 Set')
})

test('the title of a card in a parallel names the parallel and the release', async () => {
  const page = await open(`/cards/${refractor.id}`)
  expect(page.title).toBe('1 Ken Griffey Jr. /10 · Gold · 1989 Set · Cardstock')
})

test('a card says what other services call it', async () => {
  const attributes = { object_type: 'cards', object_id: card.id, source: 'tcdb', value: '1234' }
  expect((await app.operator.post('/v2/identifiers', { data: { type: 'identifiers', attributes } })).status).toBe(201)
  expect((await open(`/cards/${card.id}`)).main).toContain('<dt>Id at tcdb</dt><dd>1234</dd>')
})

test('the old address of what was merged leads to what it became', async () => {
  const twin = await make.player({ first_name: 'Kenneth', last_name: 'Griffey Jr.' })
  await make.card({ set: later, number: '9', oncard: [twin] })
  await merging(app).merge([twin], player, 'one man')
  const page = await open(`/players/${twin.id}?page=1`)
  expect([page.status, page.headers.get('location')]).toEqual([301, `${app.baseUrl}/players/${player.id}?page=1`])
  expect((await content(`/players/${twin.id}`)).json).toEqual({ moved: `/players/${player.id}` })
  expect((await open(`/teams/${twin.id}`)).status).toBe(404)
})
