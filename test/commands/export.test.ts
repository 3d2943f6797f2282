import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { type Catalog, catalogWithEverything } from '../support/everything.ts'
import { factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

const source = await testApp()
const target = await testApp()
const catalog: Catalog = await catalogWithEverything(source)
// A deleted card may have the first of all ids.
const make = factories(source)
const firstOfAll = await make.card({ id: '00000000-0000-0000-0000-000000000000', set: await make.set() })
await source.operator.delete(`/v1/cards/${firstOfAll.id}`)
const exported = (await runningCommands(source.context)('export')).out
const lines = exported
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
const lineOf = (id: string) => lines.find((line) => line.id === id)
const importInto = (app: typeof target, text: string, ...flags: string[]) =>
  runningCommands(app.context, text)('import', '-', '--json', ...flags)

/** Everything that says when something was written. */
const written = async ({ db }: typeof target) => ({
  changes: (await db.sql`select count(*)::int as n from changes`)[0],
  cards: [...(await db.sql`select id, version, updated_at from cards order by id`)],
  sets: [...(await db.sql`select id, version, updated_at from sets order by id`)],
})

test('an export has a line for every record, deleted ones too', async () => {
  const { sql } = source.db
  for (const [type, table] of Object.entries({
    playerteams: 'player_teams',
    cards: 'cards',
    sets: 'sets',
    years: 'years',
  })) {
    const rows = await sql<{ id: string; deleted: boolean }[]>`
      select id, deleted_at is not null as deleted from ${sql(table)} order by id`
    const found = lines.filter((line) => line.type === type).map(({ id, deleted }) => ({ id, deleted }))
    expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([...rows])
  }
})

test('a parent stands before its children, even where it was made later', () => {
  const places = new Map(lines.map((line, at) => [line.id, at]))
  const place = (id: string) => places.get(id) ?? Number.NaN
  expect(place(catalog.lateParent.id)).toBeLessThan(place(catalog.earlyChild.id))
  for (const { id, parent_id } of lines.filter((line) => line.type === 'cards' && line.parent_id))
    expect(place(parent_id)).toBeLessThan(place(id))
})

test('importing it into an empty database gives the same catalog', async () => {
  const { exit, out } = await importInto(target, exported)
  const report = JSON.parse(out)
  expect(report.faults).toEqual([])
  expect(exit).toBe(0)
  expect((await runningCommands(target.context)('export')).out).toBe(withoutImages(exported))
})

/** Image files are not in an export, so that a card comes without its image. */
const withoutImages = (text: string) => text.replaceAll(`"image_uuid":"${catalog.image.id}"`, '"image_uuid":null')

test('what is seen is the same: counts, names, visibility of everything', async () => {
  for (const table of [
    'cards',
    'players',
    'teams',
    'player_teams',
    'sets',
    'genres',
    'object_attributes',
    'set_sources',
  ]) {
    const rows = ({ db: { sql } }: typeof target) =>
      table === 'cards'
        ? sql`select id, name, has_player, has_team, oncard_ids, attribute_ids from cards order by id`
        : sql`select id, audience from ${sql(table)} order by id`
    expect([table, ...(await rows(target))]).toEqual([table, ...(await rows(source))])
  }
})

test('a second import changes nothing', async () => {
  const before = await written(target)
  const report = JSON.parse((await importInto(target, exported)).out)
  expect(report.faults).toEqual([])
  for (const part of ['sets', 'cards', 'records'])
    expect(report[part]).toMatchObject({ created: 0, updated: 0, failed: 0 })
  expect(await written(target)).toEqual(before)
})

test('an older export brings back what was changed since, and says what it cannot', async () => {
  const { card, deletedCard } = catalog
  await target.operator.patch(`/v1/cards/${card.id}`, {
    data: { type: 'cards', id: card.id, attributes: { title: 'Changed' } },
  })
  const kept = JSON.parse((await importInto(target, exported)).out)
  expect(kept).toMatchObject({ cards: { created: 0, updated: 0 }, keptCount: 1 })
  const report = JSON.parse((await importInto(target, exported, '--overwrite')).out)
  expect(report.cards).toMatchObject({ created: 0, updated: 1 })
  expect(lineOf(card.id).title).toBe((await target.operator.get(`/v1/cards/${card.id}`)).one.attributes.title)
  const restored = JSON.stringify({ ...lineOf(deletedCard.id), deleted: false })
  const needed = lines.filter((line) => line.type === 'sets').map((line) => JSON.stringify(line))
  const refused = JSON.parse((await importInto(target, [...needed, restored].join('\n'))).out)
  expect(refused.faults).toMatchObject([{ line: needed.length + 1 }])
})

test('an export stops when its reader has gone', async () => {
  await make.genre()
  const gone = AbortSignal.abort()
  const { exportCommand } = await import('../../src/commands/export.ts')
  const pieces: string[] = []
  const output = { isTTY: false, write: (text: string) => void pieces.push(text) }
  const io = {
    stdin: new Blob().stream() as never,
    stdout: output,
    stderr: output,
    cwd: '/',
    umask: 0o077,
    signal: gone,
  }
  expect(await exportCommand.run(source.context, [], io)).toBe(0)
  expect(pieces).toEqual([])
})
