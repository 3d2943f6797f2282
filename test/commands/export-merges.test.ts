import { expect, test } from 'bun:test'
import type { Shown } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { factories, setStatus } from '../support/factories.ts'
import { merging } from '../support/merges.ts'
import { runningCommands } from './running.ts'

const [source, target] = [await testApp(), await testApp()]
const make = factories(source)
const { merge } = merging(source)

const set = await make.set()
const brands = [await make.brand(), await make.brand()] as const
const sets = [await make.set({ brand: brands[0] }), set] as const
const [first, second, last, team] = [
  await make.player(),
  await make.player(),
  await make.player({ last_name: 'Griffey' }),
  await make.team(),
]
const pairs = [await make.playerTeam({ player: last, team }), await make.playerTeam({ player: second, team })] as const
const cards = [await make.card({ set, number: '1', oncard: [first] }), await make.card({ set, number: '2' })] as const
await make.card({ set: sets[0], number: '9', oncard: [pairs[1]] })
await merge([first], second)
await merge([second], last)
await merge([brands[0]], brands[1])
await merge([sets[0]], sets[1])
await merge([cards[1]], cards[0])
await setStatus(source, set, 'published')
const merged: [old: Shown, into: Shown][] = [
  ...[[first, last] as [Shown, Shown], [second, last] as [Shown, Shown], [pairs[1], pairs[0]] as [Shown, Shown]],
  ...[[brands[0], brands[1]] as [Shown, Shown], [sets[0], sets[1]] as [Shown, Shown]],
  [cards[1], cards[0]],
]

const exportOf = async ({ context }: typeof source) => (await runningCommands(context)('export')).out
const importInto = async ({ context }: typeof source, text: string, ...flags: string[]) =>
  JSON.parse((await runningCommands(context, text)('import', '-', '--json', ...flags)).out)
const exported = await exportOf(source)
const lines: Record<string, unknown>[] = exported
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
const paths: Record<string, string> = { playerteams: 'player-teams' }
const at = ({ type, id }: Pick<Shown, 'type' | 'id'>) => `/v2/${paths[type] ?? type}/${id}`
const redirectsOf = async ({ db }: typeof source) => [
  ...(await db.sql`select id, object_type, merged_into(id) as into_id from redirects order by id`),
]

test('an export ends with the merged ids and where they lead', () => {
  const wanted = merged.map(([old, into]) => ({
    ...{ type: 'merges', id: old.id, object_type: old.type, merged_into: into.id },
  }))
  const found = lines.slice(-merged.length)
  const byId = (a: { id?: unknown }, b: { id?: unknown }) => (String(a.id) < String(b.id) ? -1 : 1)
  expect(found).toEqual(wanted.toSorted(byId))
})

test('a dry run says what it would make, and makes nothing', async () => {
  expect((await importInto(target, exported, '--dry-run')).faults).toEqual([])
  expect(await redirectsOf(target)).toEqual([])
})

test('imported elsewhere, the merged ids redirect there, too', async () => {
  const report = await importInto(target, exported)
  expect([report.faults, report.keptCount]).toEqual([[], 0])
  for (const [old, into] of merged) {
    const answer = await target.operator.get(at(old))
    expect([answer.status, answer.headers.get('location')]).toEqual([301, `${target.baseUrl}${at(into)}`] as never)
  }
  expect(await redirectsOf(target)).toEqual(await redirectsOf(source))
  expect(await exportOf(target)).toBe(exported)
})

test('the feed says what they became', async () => {
  const { document } = await target.operator.get('/v2/changes?page[size]=100')
  const { data } = document as unknown as { data: { meta: { merged_into?: { id: string } } }[] }
  const said = data.map(({ meta }) => meta.merged_into?.id)
  for (const [, into] of merged) expect(said).toContain(into.id)
})

test('a second import changes nothing', async () => {
  const before = await redirectsOf(target)
  const { records, cards, sets, keptCount, notes, faults } = await importInto(target, exported)
  for (const counts of [records, cards, sets]) expect(counts).toMatchObject({ created: 0, updated: 0, failed: 0 })
  expect([keptCount, faults, notes['not-merged']]).toEqual([0, [], undefined])
  expect(await redirectsOf(target)).toEqual(before)
})

test('an older export does not bring merged records back', async () => {
  const older = lines.map((line) => (line.type === 'players' ? { ...line, deleted: false } : line))
  for (const flags of [[], ['--overwrite']]) {
    const report = await importInto(target, older.map((line) => JSON.stringify(line)).join('\n'), ...flags)
    expect(report.kept).toMatchObject(
      [first, second]
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id }) => ({ type: 'players', field: 'merged_into', kept: last.id, said: id })),
    )
    expect(report.records).toMatchObject({ updated: 0, failed: 0 })
  }
  expect(await exportOf(target)).toBe(exported)
})

test('a live record, an unknown one and one in a circle do not become others', async () => {
  const line = (old: string, into: string) =>
    JSON.stringify({ type: 'merges', id: old, object_type: 'players', merged_into: into })
  const missing = crypto.randomUUID()
  const made = await factories(target).player()
  const before = await redirectsOf(target)
  const report = await importInto(
    target,
    [
      line(made.id, last.id),
      line(last.id, first.id),
      line(first.id, made.id),
      line(missing, crypto.randomUUID()),
      line(missing, missing),
    ].join('\n'),
  )
  expect(report.notes['not-merged'].count).toBe(3)
  expect(report.faults.map((fault: { line: number }) => fault.line)).toEqual([4, 5])
  expect(await redirectsOf(target)).toEqual(before)
  expect((await target.operator.get(at(made))).status).toBe(200)
})

test('a line that names no type or no record is refused', async () => {
  const text = [
    { type: 'merges', id: first.id, object_type: 'people', merged_into: last.id },
    { type: 'merges', id: first.id, object_type: 'players', merged_into: 'x' },
    { type: 'merges', id: first.id, object_type: 'players' },
  ]
  const report = await importInto(target, text.map((line) => JSON.stringify(line)).join('\n'))
  expect(report.faults.map(({ reason }: { reason: string }) => reason)).toEqual([
    expect.stringContaining('object_type is not one of'),
    'merged_into is not a UUID',
    'one of merges needs merged_into',
  ])
})
