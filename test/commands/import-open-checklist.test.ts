import { afterAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { testApp } from '../support/app.ts'
import { runJobs } from '../support/jobs.ts'
import { anotherOpenChecklist, openChecklist } from '../support/open-checklist.ts'
import { runningCommands } from './running.ts'

/** Products of the open checklist project, in YAML. */
const app = await testApp()
const { sql } = app.db
const root = await mkdtemp(join(tmpdir(), 'cardstock-open-'))
afterAll(() => rm(root, { recursive: true }))

const written = async (files: Record<string, string>, under: string) => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, under, path)), { recursive: true })
    await Bun.write(join(root, under, path), text)
  }
  return join(root, under)
}
const importing = async (path: string, stdin: string | Uint8Array = '', ...flags: string[]) => {
  const { exit, out } = await runningCommands(app.context, stdin)('import', path, '--json', ...flags)
  return { exit, ...JSON.parse(out) }
}

/** The sets of a product, each with its parent, kind and facts, and their cards with everything on them. */
const kept = async (prefix: string) => {
  const sets = await sql<{ line: string }[]>`
    select concat_ws(' | ', right(s.id::text, 1), s.name, s.kind, p.name, g.name, y.name, m.name, s.release_date) as line
    from sets s left join sets p on p.id = s.parent_id left join genres g on g.id = s.genre_id
    left join years y on y.id = s.year_id left join manufacturers m on m.id = s.manufacturer_id
    where s.id::text like ${`${prefix}%`} order by s.id`
  const cards = await sql<{ line: string }[]>`
    select concat_ws(' | ', right(c.id::text, 1), right(c.set_id::text, 1), c.number, c.name, (
      select string_agg(t.name, ' / ' order by o.position) from oncard o join teams t on t.id = o.team_id where o.card_id = c.id
    ), c.title, c.serial_number, c.notes, (
      select string_agg(a.attribute, ' ' order by a.attribute) from card_attributes o
      join attributes a on a.id = o.attribute_id where o.card_id = c.id)) as line
    from cards c where c.id::text like ${`${prefix}%`} and c.deleted_at is null order by c.id`
  return { sets: sets.map(({ line }) => line), cards: cards.map(({ line }) => line) }
}

const sets = (name: string) => [
  `1 | ${name} | base | Baseball | 2026 | Topps | 2026-05-13`,
  `2 | Base Set | base | ${name} | Baseball | 2026 | Topps`,
  '3 | Base Signed Relics | autograph | Base Set | Baseball | 2026 | Topps',
  `4 | Duals | insert | ${name} | Baseball | 2026 | Topps`,
]
const cards = [
  '7 | 2 | 007 | 007 Ann Lee RC | New York Mets | RC',
  '8 | 2 | 1.10 | 1.10 Bo Lee',
  "9 | 2 | No | No Cy O'Lee | 1_000",
  'a | 2 | CL | CL Checklist | Checklist',
  'b | 2 | 2026-06-05 | 2026-06-05 10:20 | 10:20',
  'c | 3 | 007 | 007 Ann Lee AU MEM | New York Mets | AU MEM',
  'd | 4 | D-1 | D-1 Ann Lee / Bo Lee | New York Mets / Boston Red Sox',
]

test('a folder gives the product, its sets and their cards, with their ids, and what is written as it is written', async () => {
  const report = await importing(await written(openChecklist, 'whole'))
  expect(report).toMatchObject({ exit: 0, faultCount: 0, sets: { created: 4 }, cards: { created: 7 }, files: 5 })
  expect(report.notes['unread-member'].examples[0].text).toStartWith('source: ')
  expect(report.notes['read-as'].examples).toMatchObject([
    { file: 'checklists/base-set.yaml', line: 18, text: 'coach, as a player' },
  ])
  expect(report.parallelsLeftOut).toBe(5)
  expect(await kept('3f0f7f10')).toEqual({ sets: sets('2026 Example'), cards })
})

test('the same as CSV changes nothing, nor does YAML after the CSV', async () => {
  const id = (prefix: string, end: string) => `${prefix}-0000-4000-8000-00000000000${end}`
  const csvOf = (prefix: string, name: string) => {
    const set = (end: string, given: string, parent: string, kind: string, date = '') =>
      `sets,${id(prefix, end)},${id(prefix, end)},${parent && id(prefix, parent)},${given},${kind},Baseball,2026,Topps,${date},,,,,,,,\n`
    const card = (end: string, of: string, cells: string) =>
      `cards,${id(prefix, end)},${id(prefix, of)},,,,,,,,${cells}\n`
    return (
      'type,id,set_id,parent_set_id,set,kind,genre,year,manufacturer,release_date,number,player,team,title,rookie,autograph,memorabilia,notes\n' +
      set('1', name, '', 'base', '2026-05-13') +
      set('2', 'Base Set', '1', 'base') +
      set('3', 'Base Signed Relics', '2', 'autograph') +
      set('4', 'Duals', '1', 'insert') +
      card('7', '2', '007,Ann Lee,New York Mets,,yes,,,') +
      card('8', '2', '1.10,Bo Lee,,,,,,') +
      card('9', '2', "No,Cy O'Lee,,,,,,1_000") +
      card('a', '2', 'CL,,,Checklist,,,,') +
      card('b', '2', '2026-06-05,,,10:20,,,,') +
      card('c', '3', '007,Ann Lee,New York Mets,,,yes,yes,') +
      card('d', '4', 'D-1,Ann Lee|Bo Lee,New York Mets|Boston Red Sox,,,,,')
    )
  }
  const unchanged = { faultCount: 0, sets: { created: 0, updated: 0 }, cards: { created: 0, updated: 0, unchanged: 7 } }
  expect(await importing('-', csvOf('3f0f7f10', '2026 Example'))).toMatchObject(unchanged)
  expect(await importing('-', csvOf('3f0f7f11', '2026 Table'))).toMatchObject({
    sets: { created: 4 },
    cards: { created: 7 },
  })
  const yaml = anotherOpenChecklist('3f0f7f11', '2026 Table')
  expect(await importing(await written(yaml, 'table'))).toMatchObject(unchanged)
  expect(await kept('3f0f7f11')).toEqual({ sets: sets('2026 Table'), cards })
})

test.each([
  ['set.yaml', '3f0f7f12'],
  ['manifest.yaml', '3f0f7f13'],
  ['checklists/duals.yaml', '3f0f7f14'],
])('%s that is named is read with its folder', async (name, prefix) => {
  const folder = await written(anotherOpenChecklist(prefix, `2026 ${prefix}`), prefix)
  expect(await importing(join(folder, name))).toMatchObject({ exit: 0, sets: { created: 4 }, cards: { created: 7 } })
  expect(await kept(prefix)).toEqual({ sets: sets(`2026 ${prefix}`), cards })
})

test('a zip and a tar.gz are read in any order of their files, over HTTP, too, and two in one folder are two', async () => {
  const zipOf = (files: Record<string, string>, turned = false) => {
    const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const)
    return zipSync(Object.fromEntries(turned ? entries.toReversed() : entries))
  }
  const sent = await app.operator.send('POST', '/internal/imports', {
    body: zipOf(anotherOpenChecklist('3f0f7f15', '2026 Sent'), true) as unknown as BodyInit,
    headers: { 'Content-Type': 'application/zip' },
  })
  expect(sent.status).toBe(202)
  await runJobs(app.context)
  expect(await kept('3f0f7f15')).toEqual({ sets: sets('2026 Sent'), cards })
  const tar = await new Bun.Archive(anotherOpenChecklist('3f0f7f16', '2026 Tarred'), { compress: 'gzip' }).bytes()
  expect(await importing('-', tar)).toMatchObject({ exit: 0, cards: { created: 7 } })
  await Bun.write(join(root, 'two', 'a.zip'), zipOf(anotherOpenChecklist('3f0f7f17', '2026 One'), true))
  await Bun.write(join(root, 'two', 'b.zip'), zipOf(anotherOpenChecklist('3f0f7f18', '2026 Two')))
  expect(await importing(join(root, 'two'))).toMatchObject({ exit: 0, cards: { created: 14 } })
  expect(await kept('3f0f7f18')).toEqual({ sets: sets('2026 Two'), cards })
})

test('parallels become child sets with cards that have the ids that the project derives', async () => {
  const folder = await written(anotherOpenChecklist('3f0f7f19', '2026 Parallels'), 'parallels')
  expect(await importing(folder, '', '--parallels')).toMatchObject({
    ...{ exit: 0, parallelsLeftOut: 0, sets: { created: 6 }, cards: { created: 12 } },
  })
  const rows = await sql<{ line: string; id: string }[]>`
    select concat_ws(' ', s.name, s.kind, c.number, c.serial_number) as line, c.id from cards c join sets s on s.id = c.set_id
    where s.parent_id = '3f0f7f19-0000-4000-8000-000000000002' and s.kind = 'parallel'
    order by s.name desc, c.number_key collate "C"`
  expect(rows.map(({ line }) => line)).toEqual([
    'Gold parallel 007 /50',
    ...['Blue parallel 1.10', 'Blue parallel 007', 'Blue parallel 2026-06-05', 'Blue parallel No'],
  ])
  expect(rows[0]?.id).toBe(Bun.randomUUIDv5('Gold', '3f0f7f19-0000-4000-8000-000000000007'))
  expect(await importing(folder, '', '--parallels')).toMatchObject({ cards: { created: 0, updated: 0, unchanged: 12 } })
})

test('what is missing or broken is refused by name, and the rest is read', async () => {
  const files = anotherOpenChecklist('3f0f7f1a', '2026 Broken')
  const broken = `${files['checklists/duals.yaml']}- number: D-2\n  number: D-3\n- [D-4]\n- number: *all\n- number: D-5\n  uuid: x\n- number: D-6\n`
  const report = await importing(
    await written({ ...files, 'checklists/duals.yaml': broken, 'checklists/other.yaml': '- number: 1\n' }, 'broken'),
  )
  expect(report).toMatchObject({ exit: 1, cards: { created: 8 } })
  expect(report.faults.map(({ file, line, reason }: Record<string, unknown>) => `${file}:${line} ${reason}`)).toEqual([
    'checklists/duals.yaml:14 it is not valid YAML: duplicated mapping key',
    'checklists/duals.yaml:16 the row is no mapping',
    'checklists/duals.yaml:17 aliases (*name) are not read',
    'checklists/duals.yaml:18 id x is not a UUID',
    'checklists/other.yaml:1 no set of manifest.yaml has the id other',
  ])
  const { 'manifest.yaml': _, ...alone } = anotherOpenChecklist('3f0f7f1b', '2026 Alone')
  expect((await importing(await written(alone, 'alone'))).faults).toMatchObject([
    { file: 'checklists/base-set.yaml', reason: 'there is no manifest.yaml beside it' },
    {},
    {},
  ])
  expect((await importing(await written({ 'other.yaml': '- 1\n' }, 'none'))).faults).toMatchObject([
    { reason: 'it contains no checklist' },
  ])
})
