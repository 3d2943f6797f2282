import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { drawnPages } from '../support/pages/drawn.ts'
import { runningCommands } from './running.ts'

const source = await testApp()
const make = factories(source)
const folder = mkdtempSync(join(tmpdir(), 'cardstock-trips-'))
afterAll(() => rmSync(folder, { recursive: true }))

type App = typeof source
type Line = Record<string, unknown> & { type: string; id: string }

const importInto = async (app: App, text: string, ...flags: string[]) =>
  JSON.parse((await runningCommands(app.context, text)('import', '-', '--json', ...flags)).out)
const exportOf = async (app: App) => (await runningCommands(app.context)('export')).out
const csvOf = async (app: App, path: string) => (await drawnPages(app).open(path)).html

/** The ids of names, which a table that has only the names makes anew. */
const ofNames = /^(?:genre|year|brand|manufacturer|player|team|attribute)_id$/
/** The lines of an export's sets and cards by id, without the ids of names; of some alone where `ids` are given. */
const linesOf = (text: string, ids?: ReadonlySet<string>) =>
  new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line): Line => JSON.parse(line))
      .filter(({ type, id }) => ['sets', 'cards'].includes(type) && (!ids || ids.has(id)))
      .map((line) => [line.id, Object.fromEntries(Object.entries(line).filter(([name]) => !ofNames.test(name)))]),
  )

const status = 'published'
const labels = {
  genre: await make.genre({ name: 'Basketball' }),
  year: await make.year({ name: '1986-87' }),
  brand: await make.brand({ name: 'Fleer' }),
  manufacturer: await make.manufacturer({ name: 'Fleer' }),
}
const [rookie, gold] = [
  await make.attribute({ attribute: 'RC', name: 'Rookie Card' }),
  await make.attribute({ attribute: 'gLd', name: 'Gold foil' }),
]
const bulls = await make.team({ name: 'Chicago Bulls' })
const jordan = await make.player({ first_name: 'Michael', last_name: 'Jordan' })
const bird = await make.player({ first_name: 'Larry', last_name: 'Bird' })
const pair = await make.playerTeam({ player: jordan, team: bulls })

const root = await make.set({
  ...labels,
  name: '1986-87 Fleer Basketball',
  status,
  description: 'Sold in packs of twelve,\n"stickers", and gum, a, b, c, d, e, f, g, h, i, j',
  release_date: '1986-10-01',
})
await source.operator.patch(`/v2/sets/${root.id}`, {
  data: { type: 'sets', id: root.id, attributes: { aliases: ['86 Fleer', "=Jordan's rookies"] } },
})
const base = await make.set({ ...labels, name: 'Base Set', status, parent: root })
const parallel = await make.set({ ...labels, name: 'Gold', status, kind: 'parallel', parent: base })
const stickers = await make.set({ name: 'Stickers', status, kind: 'insert', parent: root })
const empty = await make.set({ name: 'Signatures', status, kind: 'autograph', parent: stickers })
const card = await make.card({
  set: base,
  number: '57',
  oncard: [pair, bird],
  attributes: [rookie, gold],
  title: '=1+1',
  notes: 'First line,\n-second "line"',
})
await make.card({ set: base, number: '9', oncard: [bird, bulls], title: "'=quoted" })
await make.card({ set: base, number: '10', oncard: [bulls] })
const golden = await make.card({ set: parallel, number: '57', oncard: [pair], serial_number: '/50' })
await make.card({ set: stickers, number: '@8', oncard: [jordan], title: '-5' })
await source.db.sql`update cards set parent_id = ${card.id} where id = ${golden.id}`
await make.identifier(card, { source: 'scryfall', value: 'one' })
await make.identifier(card, { source: 'scryfall', value: 'two' })
await make.identifier(golden, { source: 'tcdb', value: '=3' })

const setIds = [root, base, parallel, stickers, empty].map(({ id }) => id)
const exported = await exportOf(source)

test('an export of the whole catalog makes the same catalog in an empty service', async () => {
  const target = await testApp()
  expect(await importInto(target, exported)).toMatchObject({ faults: [], notes: {} })
  expect(await exportOf(target)).toBe(exported)
})

test('the CSV of a set’s page makes the same sets and cards in an empty service, and the same CSV', async () => {
  const target = await testApp()
  const csv = await csvOf(source, `/sets/${root.id}/checklist.csv`)
  const report = await importInto(target, csv)
  expect(report).toMatchObject({ faults: [], notes: {}, sets: { created: 5 }, cards: { created: 5 } })
  expect(linesOf(await exportOf(target))).toEqual(linesOf(exported))
  const ofPeople = (text: string) => text.replaceAll(/[0-9a-f-]{36}(?:\|[0-9a-f-]{36}|\|)*/g, '')
  const again = await csvOf(target, `/sets/${root.id}/checklist.csv`)
  expect(ofPeople(again)).toBe(ofPeople(csv))
  for (const id of setIds) expect(again).toContain(id)
})

test('importing it where it came from changes nothing', async () => {
  const csv = await csvOf(source, `/sets/${root.id}/checklist.csv`)
  expect(await importInto(source, csv)).toMatchObject({
    faults: [],
    sets: { created: 0, updated: 0, unchanged: 5 },
    cards: { created: 0, updated: 0, unchanged: 5 },
  })
  expect(await exportOf(source)).toBe(exported)
})

test.each([
  ['a set below others', () => `/sets/${parallel.id}/checklist.csv`, [golden.id], [root.id, base.id, parallel.id]],
  ['cards that a filter found', () => `/sets/${root.id}/checklist.csv?code=RC`, [card.id], setIds],
  ['a set without cards', () => `/sets/${empty.id}/checklist.csv`, [], [root.id, stickers.id, empty.id]],
])('the CSV of %s comes back with the sets above it', async (_, path, cards, sets) => {
  const target = await testApp()
  const csv = await csvOf(source, path())
  expect(await importInto(target, csv)).toMatchObject({
    faults: [],
    notes: {},
    sets: { created: sets.length },
    cards: { created: cards.length },
  })
  const wanted = linesOf(exported, new Set([...cards, ...sets]))
  const cardsAlone = wanted.get(golden.id)
  if (cardsAlone) cardsAlone.parent_id = null
  expect(linesOf(await exportOf(target))).toEqual(wanted)
  expect(await importInto(source, csv)).toMatchObject({ sets: { updated: 0 }, cards: { updated: 0 } })
  expect(await exportOf(source)).toBe(exported)
})

test('the CSV of refused rows is refused alike in an empty service, and gives the same CSV', async () => {
  const [first, second] = [await testApp(), await testApp()]
  const [refused, again] = [join(folder, 'refused.csv'), join(folder, 'again.csv')]
  const text = 'set,Crd Nmbr,player,title\n,1,Ann Lee,=1+1\nTrips,2,Bo Lee,\n,3,"Di, Lee","a ""b"""\n'
  expect(await importInto(first, text, '--map', 'Crd Nmbr=number', '--refused', refused)).toMatchObject({
    faultCount: 2,
    cards: { created: 1 },
  })
  expect(await importInto(second, await Bun.file(refused).text(), '--refused', again)).toMatchObject({
    faultCount: 2,
    cards: { created: 0 },
  })
  expect(await Bun.file(again).bytes()).toEqual(await Bun.file(refused).bytes())
})
