import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readChecklist } from '../../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../../src/catalog/import/write/checklist.ts'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'
import { drawnPages } from '../../support/pages/drawn.ts'

const app = await testApp()
const make = factories(app)
const { open, content } = drawnPages(app)

const status = 'published'
const year = await make.year({ name: '1986-87' })
const rookie = await make.attribute({ attribute: 'RC', name: 'Rookie Card' })
const team = await make.team({ name: 'Chicago Bulls' })
const [jordan, bird] = [
  await make.player({ first_name: 'Michael', last_name: 'Jordan' }),
  await make.player({ first_name: 'Larry', last_name: 'Bird' }),
]
const root = await make.set({ name: '1986-87 Fleer Basketball', status, year })
const base = await make.set({ name: 'Base Set', status, parent: root })
const gold = await make.set({ name: 'Gold', status, kind: 'parallel', parent: base })
const stickers = await make.set({ name: 'Stickers', status, kind: 'insert', parent: root })
const draft = await make.set({ name: 'Not yet', kind: 'insert', parent: root })
await make.setSource(root, { source_url: 'https://example.org/fleer', title: 'The wrapper' })
const pair = await make.playerTeam({ player: jordan, team })
await make.card({ set: base, number: '57', oncard: [pair], attributes: [rookie] })
await make.card({ set: base, number: '9', oncard: [bird], title: '=1+1' })
await make.card({ set: gold, number: '57', oncard: [pair], serial_number: '/50' })
await make.card({ set: gold, number: '9', oncard: [bird], serial_number: '/50' })
await make.card({ set: stickers, number: '8', oncard: [jordan] })
await make.card({ set: draft, number: '1', oncard: [jordan] })

const path = `/sets/${root.id}`

test('a set lists its cards and those of all sets below it, set by set, parallels last, and nothing of a draft', async () => {
  const page = await open(path)
  expect(page.numbers).toEqual(['9', '57', '9', '57', '8'])
  expect(page.headings.slice(-3)).toEqual(['Base Set 2 cards', 'Gold 2 cards', 'Stickers 1 card'])
  expect(page.main).toContain('<dd>5 cards: 2 base, 1 insert, 2 parallel</dd>')
  expect(page.main).not.toContain('Not yet')
})

test('a set below another is called by its full name, and leads up', async () => {
  const page = await open(`/sets/${gold.id}`)
  expect(page.title).toBe('1986-87 Fleer Basketball › Base Set › Gold · Cardstock')
  expect(page.main).toMatch(
    new RegExp(`href="${path}">1986-87 Fleer Basketball</a><a href="/sets/${base.id}">Base Set`),
  )
})

test('its tree says what is below it with cards and print runs', async () => {
  const { json } = await content(path)
  const tree = (json.value as { tree: object[] }).tree
  expect(tree).toMatchObject([
    { name: 'Base Set', cards: 2, printRun: null, below: [{ name: 'Gold', cards: 2, printRun: '/50', below: [] }] },
    { name: 'Stickers', kind: 'insert', cards: 1, below: [] },
  ])
})

test.each([
  ['a code', 'code=RC', ['57']],
  ['a code in small letters', 'code=rc', ['57']],
  ['a team', `team=${team.id}`, ['57', '57']],
  ['a player, without accents or case', 'player=j%C3%B3rdan', ['57', '57', '8']],
  ['an image', 'image=yes', []],
  ['parallels left out', 'parallels=no', ['9', '57', '8']],
  ['two of them', `team=${team.id}&parallels=no`, ['57']],
  ['players in the order of their last names', 'sort=player', ['9', '57', '9', '57', '8']],
  ['what nothing is', 'player=100%25&code=nothing', []],
  ['what cannot be meant', 'team=nobody&image=perhaps&sort=size&page=-1', ['9', '57', '9', '57', '8']],
])('a checklist is narrowed by %s', async (_, query, numbers) => {
  const page = await open(`${path}?${query}`)
  expect([page.status, page.numbers]).toEqual([200, numbers])
})

test('a text that no card can have narrows nothing', async () => {
  const all = (await open(path)).numbers
  for (const query of ['code=%00', 'player=%00', 'player=Jordan%00', 'team=%00', 'image=%00']) {
    const page = await open(`${path}?${query}`)
    expect([query, page.status, page.numbers]).toEqual([query, 200, all])
  }
})

test('a page beyond the end says so, however far', async () => {
  for (const page of ['2', '99999999999', '1e999']) {
    const beyond = await open(`${path}?page=${page}`)
    expect([beyond.status, beyond.numbers, beyond.main.includes('There’s no page')]).toEqual([200, [], true])
  }
})

test('more rows are read from any place on', async () => {
  const { json } = await content(`${path}/checklist?from=3&size=2`)
  const { groups, total } = json as { groups: { set: { name: string }; rows: { number: string }[] }[]; total: number }
  expect(groups.map(({ set, rows }) => [set.name, ...rows.map(({ number }) => number)])).toEqual([
    ['Gold', '57'],
    ['Stickers', '8'],
  ])
  expect(total).toBe(5)
  const { status, json: rest } = await content(`${path}/checklist?from=x&size=-1`)
  expect([status, (rest.groups as object[]).length]).toEqual([200, 1])
})

/** The first cells of the rows of cards in a CSV, with its header. */
const cardRows = (csv: string) => {
  const rows = csv.split('\r\n').map((line) => line.split(','))
  const typeAt = rows[0]?.indexOf('type') ?? -1
  return rows.filter((row) => ['type', 'cards'].includes(row[typeAt] ?? '')).map((row) => row.slice(0, 7).join())
}

test('what is shown can be had as CSV, which an import reads and no spreadsheet runs, and as JSON', async () => {
  const csv = await open(`${path}/checklist.csv?parallels=no`)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toContain('1986-87%20Fleer%20Basketball.csv')
  expect(cardRows(csv.html)).toEqual([
    'set,number,player,team,title,attributes,serial_number',
    "Base Set,9,Larry Bird,,'=1+1,,",
    'Base Set,57,Michael Jordan,Chicago Bulls,,RC,',
    'Stickers,8,Michael Jordan,,,,',
  ])
  expect(csv.html).not.toContain('Not yet')
  const json = JSON.parse((await open(`${path}/checklist.json?code=RC`)).html)
  expect(json).toMatchObject({ set: '1986-87 Fleer Basketball', cards: [{ number: '57', player: 'Michael Jordan' }] })
  expect((await open(`/sets/${draft.id}/checklist.csv`)).status).toBe(404)
})

test('a file has a checklist of any length whole, each card once, and is sent compressed to who takes that', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-long-'))
  const count = 4100
  const lines = Array.from({ length: count }, (_, at) => `Long,1970,${at + 1},Player ${at % 7}`)
  writeFileSync(join(folder, 'long.csv'), ['set,year,number,player', ...lines, ''].join('\n'))
  await writeChecklist(app.db, readChecklist({ path: folder }), { publish: true, now: () => new Date() })
  const [long] = await app.db.sql<{ id: string }[]>`select id from sets where name = 'Long'`
  for (const query of ['', '?sort=player']) {
    const json = JSON.parse((await open(`/sets/${long?.id}/checklist.json${query}`)).html) as {
      cards: { number: string }[]
    }
    expect(new Set(json.cards.map(({ number }) => number)).size).toBe(count)
    expect(json.cards.length).toBe(count)
  }
  const none = await open(`/sets/${long?.id}/checklist.json?player=nobody`)
  expect(JSON.parse(none.html)).toEqual({ set: 'Long', cards: [] })
  const zipped = await app.fetch(
    new Request(`${app.baseUrl}/sets/${long?.id}/checklist.csv`, { headers: { 'Accept-Encoding': 'gzip' } }),
  )
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  const text = new TextDecoder().decode(Bun.gunzipSync(await zipped.bytes()))
  expect(cardRows(text).map((row) => row.split(',')[1])).toEqual([
    'number',
    ...Array.from({ length: count }, (_, at) => String(at + 1)),
  ])
})

test('it prints with its full name, its sets, its source and the day', async () => {
  const page = await open(`/sets/${base.id}/print`)
  expect(page.main).toContain('1986-87 Fleer Basketball › Base Set</h1>')
  expect(page.main).toContain('57 Michael Jordan (Chicago Bulls) RC')
  const whole = await open(`${path}/print`)
  expect(whole.headings).toEqual(['Base Set', 'Gold', 'Stickers'])
  expect(whole.main).toContain('The wrapper (https://example.org/fleer)')
  expect(whole.main).toContain(String(new Date().getUTCFullYear()))
})

test('the newest sets of the start are those that were released last, and then those of the latest years', async () => {
  const old = await make.set({ name: 'Old', status, release_date: '1950-01-01' })
  const latest = await make.set({ name: 'Latest', status, release_date: '2020-01-01' })
  await make.set({ name: 'Latest insert', status, release_date: '2021-01-01', parent: latest })
  const { json } = await content('')
  const { newest } = json.value as { newest: { id: string }[] }
  expect(newest.map(({ id }) => id).slice(0, 3)).toEqual([latest.id, old.id, root.id])
})
