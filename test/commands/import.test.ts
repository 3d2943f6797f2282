import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../support/app.ts'
import { factories, setStatus } from '../support/factories.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const make = factories(app)
const { sql } = app.db

const importText = async (text: string, ...flags: string[]) => {
  const { exit, out } = await runningCommands(app.context, text)('import', '-', '--json', ...flags)
  return { exit, report: JSON.parse(out) }
}
const namesIn = async (set: string) => {
  const rows = await sql<{ name: string }[]>`
    select c.name from cards c join sets s on s.id = c.set_id
    where s.name = ${set} and c.deleted_at is null order by c.number_key collate "C", c.name`
  return rows.map((row) => row.name)
}
const changes = async () => (await sql`select count(*)::int as n from changes`)[0]?.n

describe('import', () => {
  const checklist = `genre,year,manufacturer,brand,set,parent_set,number,player,team,title,attributes,serial_number,notes
Basketball,1986-87,Fleer,Fleer,86 Fleer,,57,Michael Jordan,Chicago Bulls,,RC,,
Basketball,1986-87,Fleer,Fleer,86 Fleer,,132,,,Checklist,,,Card 132
Basketball,1986-87,Fleer,Fleer,86 Stickers,86 Fleer,1,Kareem Abdul-Jabbar|,|Los Angeles Lakers,,,/50,
`
  test('makes what is missing: sets, cards, players, teams, player-teams, labels', async () => {
    const { exit, report } = await importText(checklist)
    expect(exit).toBe(0)
    expect(report).toMatchObject({ sets: { created: 2 }, cards: { created: 3 }, players: 2, teams: 2, playerTeams: 1 })
    expect(await namesIn('86 Fleer')).toEqual(['57 Michael Jordan RC', '132 Checklist'])
    expect(await namesIn('86 Stickers')).toEqual(['1 Kareem Abdul-Jabbar / Los Angeles Lakers /50'])
  })

  test('a second time it changes nothing, and writes nothing into the changes', async () => {
    const before = await changes()
    const { report } = await importText(checklist)
    expect(report).toMatchObject({ sets: { unchanged: 2 }, cards: { created: 0, updated: 0, unchanged: 3 }, labels: 0 })
    expect(await changes()).toBe(before)
  })

  test('updates what is there: notes, and with --publish the status', async () => {
    const { report } = await importText(checklist.replace('Card 132', 'The last card'), '--publish')
    expect(report).toMatchObject({ sets: { updated: 2 }, cards: { updated: 1, unchanged: 2 } })
    expect((await app.subscriber.get('/v1/cards?filter[name]=132 Checklist')).many).toHaveLength(1)
  })

  test('reports each bad row with its line, imports the rest and fails', async () => {
    const { exit, report } = await importText('set,number,player\nBad,1,Ann Lee\n,2,Bo Lee\nBad,"3,Cy\n')
    expect(exit).toBe(1)
    expect(report.faults.map((fault: { line: number }) => fault.line)).toEqual([3, 4])
    expect(await namesIn('Bad')).toEqual(['1 Ann Lee'])
  })

  test('fails where a folder holds no checklist, and says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cardstock-no-lists-'))
    const { exit, out } = await runningCommands(app.context)('import', folder, '--json')
    expect([exit, JSON.parse(out).faults]).toEqual([
      1,
      [{ kind: 'fault', file: folder, line: 0, reason: 'it contains no checklist' }],
    ])
    rmSync(folder, { recursive: true })
  })

  test('shows control characters of a file as what they are', async () => {
    const { out } = await runningCommands(app.context, 'set,\u001b[31mred,number,title\nPlain,x,1,\n')('import', '-')
    expect(out).toContain('\\x1b[31mred')
    expect(out).not.toContain('\u001b')
  })

  test('refuses a row alone that only the database can refuse', async () => {
    const set = await make.set({ name: 'With parents' })
    const row = (number: string, more: object = {}) =>
      JSON.stringify({ type: 'cards', set_id: set.id, set: 'With parents', number, ...more })
    const { report } = await importText(
      [row('1'), row('2', { parent_id: crypto.randomUUID() }), row('3', { player: ['Di Lee'] })].join('\n'),
    )
    expect(report.faults).toMatchObject([{ line: 2, reason: 'Its parent card does not exist.' }])
    expect(await namesIn('With parents')).toEqual(['1', '3 Di Lee'])
  })

  test('keeps equal rows apart by their order, again and again', async () => {
    const equal = 'set,number,title\nTwins,1,Checklist\nTwins,1,Checklist\nTwins,1,Checklist\n'
    const other = await make.card({ set: await make.set({ name: 'Twins' }), number: '1', title: 'Checklist' })
    expect((await importText(equal)).report.cards).toMatchObject({ created: 2, unchanged: 1 })
    expect((await importText(equal)).report.cards).toMatchObject({ created: 0, unchanged: 3 })
    expect(await namesIn('Twins')).toHaveLength(3)
    expect((await app.operator.get(`/v1/cards/${other.id}`)).status).toBe(200)
  })

  test('takes what the API made for its own: no second set, player or card', async () => {
    const player = await make.player({ first_name: 'Eve', last_name: 'Stone' })
    const set = await make.set({ name: 'Made by hand' })
    await setStatus(app, set, 'published')
    await make.card({ set, number: '1', oncard: [player] })
    const { report } = await importText('set,number,player\nMade by hand,1,Eve Stone\nMade by hand,2,Eve Stone\n')
    expect(report).toMatchObject({ sets: { unchanged: 1 }, cards: { created: 1, unchanged: 1 }, players: 0 })
    expect((await app.operator.get(`/v1/sets/${set.id}`)).one.attributes).toMatchObject({
      status: 'published',
      cards_count: 2,
    })
  })

  test('reads a release, with its parallels where they are asked for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cardstock-import-'))
    const id = () => crypto.randomUUID()
    const [card, other] = [id(), id()]
    const release = {
      ...{ name: '1990 Made Up Baseball', uniqueId: id(), attributes: [] },
      sets: [
        {
          ...{ name: 'Base Set', uniqueId: id(), variations: [], parallels: [{ name: 'Gold', numberedTo: 25 }] },
          cards: [
            { number: '1', name: 'Ann Lee / Bo Lee', uniqueId: card, attributes: ['RC'], parallels: [] },
            { number: '2', name: 'Checklist', uniqueId: other, attributes: [], parallels: [] },
          ],
        },
      ],
    }
    writeFileSync(join(folder, '1990-Made-Up.json'), JSON.stringify(release))
    const run = runningCommands(app.context)
    const first = await run('import', folder, '--json')
    expect(JSON.parse(first.out)).toMatchObject({
      forms: { release: 1 },
      sets: { created: 2 },
      cards: { created: 2 },
      rules: { players: 1, checklist: 1 },
    })
    const second = await run('import', folder, '--parallels', '--json')
    rmSync(folder, { recursive: true })
    expect(JSON.parse(second.out)).toMatchObject({ sets: { created: 1 }, cards: { created: 2, unchanged: 2 } })
    const [made] = await sql`select name, parent_id from cards where parent_id = ${card}`
    expect(made).toMatchObject({ name: '1 Ann Lee / Bo Lee RC /25', parent_id: card })
  })

  test('tells in readable lines what it did, and what is worth knowing', async () => {
    const { exit, out } = await runningCommands(
      app.context,
      'set,genre,number,title,colour\nLines,Chess,1,,red\nLines,Chess,1,,red\n,Chess,2,,\n',
    )('import', '-')
    expect(exit).toBe(1)
    expect(out).toMatch(/^cards +2 created, 0 updated, 0 unchanged$/m)
    expect(out).toMatch(/^created +0 players, 0 teams, 0 player-teams, 0 years, 1 other \(genres/m)
    expect(out).toMatch(/^New sets:\n {2}Lines: http.*\/v2\/sets\/[0-9a-f-]{36}$/m)
    expect(out).toMatch(/1 {2}unread-column\n +standard input:1: colour/)
    expect(out).toContain('1 row refused (the rest was imported):\n  standard input:4: the row names no set')
  })

  test('is used in one way only, and fails for a file that is not there', async () => {
    const run = runningCommands(app.context)
    expect((await run('import')).exit).toBe(2)
    expect((await run('import', 'a', 'b')).exit).toBe(2)
    expect((await run('import', 'a', '--force')).exit).toBe(2)
    const { exit, out, err } = await run('import', '/no/such/file.csv')
    expect([exit, out, err]).toEqual([1, '', 'There is no file or folder /no/such/file.csv.\n'])
  })
})
