import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { aDocument, factories, toOne } from '../support/factories.ts'
import { runJobs } from '../support/jobs.ts'
import { merging } from '../support/merges.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const make = factories(app)
const { sql } = app.db

const importText = async (stdin: string, ...flags: string[]) =>
  JSON.parse((await runningCommands(app.context, stdin)('import', '-', '--json', ...flags)).out)
const undo = async (id: string) => {
  const { exit, out } = await runningCommands(app.context)('import', '--undo', id, '--json')
  return { exit, ...JSON.parse(out) }
}
const aRelease = (name: string, player = 'Ann Lee') => {
  const card = (number: string, name: string) => ({ number, name, uniqueId: Bun.randomUUIDv7(), attributes: ['RC'] })
  const set = (name: string) => ({
    ...{ name, uniqueId: Bun.randomUUIDv7() },
    cards: [card('1', player), card('2', `${player} Junior`)],
  })
  return JSON.stringify({
    ...{ name, uniqueId: Bun.randomUUIDv7() },
    sets: [set(`${name} Base`), set(`${name} Inserts`)],
  })
}
const namesOf = (left: { type: string; name: string }[]) => left.map(({ type, name }) => `${type} ${name}`).toSorted()
const live = async (like: string) => {
  const rows = await sql<{ name: string }[]>`
    select s.name from sets s where s.name like ${`${like}%`} and s.deleted_at is null
    union all select s.name || ': ' || c.name from cards c join sets s on s.id = c.set_id
    where s.name like ${`${like}%`} and c.deleted_at is null order by 1`
  return rows.map(({ name }) => name)
}
const changeNotes = async (set: string) => {
  const [card] = await sql<{ id: string }[]>`
    select c.id from cards c join sets s on s.id = c.set_id where s.name = ${set} order by c.number_key limit 1`
  const answer = await app.operator.patch(`/v1/cards/${card?.id}`, aDocument('cards', { notes: 'Mine' }, {}, card?.id))
  expect(answer.status).toBe(200)
}
const expectTrueCounts = async () =>
  expect([...(await sql`select what, place, stored, truth from catalog_drift`)]).toEqual([])

test('an undo keeps a changed card with its set, the release and its people, lists each, and deletes the rest', async () => {
  const { id } = await importText(aRelease('1980 Kept Baseball', 'Kay Kept'))
  await changeNotes('1980 Kept Baseball Base')
  const first = await undo(id)
  expect(first.exit).toBe(0)
  expect(namesOf(first.left)).toEqual(
    expect.arrayContaining([
      'cards 1 Kay Kept RC',
      'players Kay Kept',
      'sets 1980 Kept Baseball',
      'sets 1980 Kept Baseball Base',
    ]),
  )
  for (const { reason } of first.left) expect(reason).toMatch(/^[A-Z].+\.$/)
  expect(await live('1980 Kept')).toEqual([
    '1980 Kept Baseball',
    '1980 Kept Baseball Base',
    '1980 Kept Baseball Base: 1 Kay Kept RC',
  ])
  expect([...(await sql`select name from players where name like 'Kay Kept%' and audience >= 1`)]).toHaveLength(1)
  expect(await undo(id)).toEqual({ ...first, deleted: 0, putBack: 0 })
  await expectTrueCounts()
})

test('over HTTP the undo is completed at its first attempt', async () => {
  const { text } = await app.operator.send('POST', '/internal/imports', {
    ...{ body: aRelease('1981 Sent Baseball'), headers: { 'Content-Type': 'application/json' } },
  })
  await runJobs(app.context)
  await changeNotes('1981 Sent Baseball Inserts')
  const answer = await app.operator.send('POST', `/internal/imports/${JSON.parse(text).job_id}/undo`)
  await runJobs(app.context)
  const { job_id: id } = JSON.parse(answer.text)
  const report = JSON.parse((await app.operator.get(`/internal/imports/${id}`)).text)
  expect(report).toMatchObject({ status: 'completed', error: null })
  expect((await sql`select attempts from jobs where id = ${id}`)[0]).toEqual({ attempts: 1 })
  expect(await live('1981 Sent')).toHaveLength(3)
})

test('an import after its undo gives what the first one gave, as the dry run said, and can be undone again', async () => {
  const file = aRelease('1982 Again Baseball', 'Amy Again')
  const counts = ({ sets, cards, players, playerTeams, labels, faults }: Record<string, unknown>) => ({
    ...{ sets, cards, players, playerTeams, labels, faults },
  })
  const first = await importText(file)
  const there = await live('1982 Again')
  expect(there).toHaveLength(7)
  expect((await undo(first.id)).left).toEqual([])
  expect(await live('1982 Again')).toEqual([])
  const dry = await importText(file, '--dry-run')
  const second = await importText(file)
  expect(counts(second)).toEqual(counts(first))
  expect(counts(dry)).toEqual(counts(first))
  expect(await live('1982 Again')).toEqual(there)
  expect((await undo(second.id)).left).toEqual([])
  expect(await live('1982 Again')).toEqual([])
  await expectTrueCounts()
})

test('so does a table with identifiers and player-teams', async () => {
  const file =
    'parent_set,set,year,number,player,team,id:tcdb\nTop,Sub,1983,1,Al Able,Reds,77\nTop,Sub,1983,2,Bo Able,Reds,78\n'
  const first = await importText(file)
  await undo(first.id)
  const second = await importText(file)
  expect([second.cards, second.sets, second.playerTeams]).toEqual([first.cards, first.sets, first.playerTeams])
  const identified = await sql`select value from identifiers where audience >= 1 and value in ('77', '78')`
  expect([...identified]).toHaveLength(2)
  expect(await undo(second.id)).toMatchObject({ exit: 0, left: [] })
  await expectTrueCounts()
})

test('players who were merged and unmerged in between are nobody’s change', async () => {
  const { id } = await importText(aRelease('1984 Merged Baseball', 'Mel Merged'))
  const players = (await app.operator.get('/v1/players?filter[last_name]=Merged')).many
  const other = await make.player()
  const [player] = players
  if (!player) throw new Error('There is no such player.')
  const { merge, undo: unmerge } = merging(app)
  expect((await unmerge(await merge([player], other))).status).toBeLessThan(300)
  await runJobs(app.context)
  expect(await undo(id)).toMatchObject({ exit: 0, left: [] })
  expect(await live('1984 Merged')).toEqual([])
})

test('a field goes back though the team that the import gave was merged and unmerged since', async () => {
  const table = (team: string) => `set,year,number,player,team\nTeamed,1986,1,Tom Teamed,${team}\n`
  await importText(table('Firsts'))
  const { id } = await importText(table('Seconds'))
  const [team] = (await app.operator.get('/v1/teams?filter[name]=Seconds')).many
  if (!team) throw new Error('There is no such team.')
  const { merge, undo: unmerge } = merging(app)
  expect((await unmerge(await merge([team], await make.team()))).status).toBeLessThan(300)
  await runJobs(app.context)
  expect(await undo(id)).toMatchObject({ exit: 0, left: [] })
  const rows = await sql`select t.name from oncard o join teams t on t.id = o.team_id join cards c on c.id = o.card_id
    where c.name = '1 Tom Teamed' and c.deleted_at is null`
  expect([...rows]).toEqual([{ name: 'Firsts' }])
})

const cardsIn = (left: { type: string; name: string }[]) => namesOf(left).filter((name) => name.startsWith('cards'))
const mergeTeams = async (...names: [from: string, into: string]) => {
  const [from, into] = await Promise.all(
    names.map(async (name) => (await app.operator.get(`/v1/teams?filter[name]=${name}`)).many[0]),
  )
  if (!from || !into) throw new Error('There is no such team.')
  await merging(app).merge([from], into)
  await runJobs(app.context)
}
const teamsOf = async (card: string) => {
  const rows = await sql<{ name: string }[]>`
    select t.name from oncard o join teams t on t.id = o.team_id join cards c on c.id = o.card_id
    where c.name = ${card} and c.deleted_at is null`
  return rows.map(({ name }) => name)
}

test('a field goes back to what its team was merged into, and is nobody’s change', async () => {
  const table = (team: string) => `set,year,number,player,team\nRetold,1987,1,Rob Retold,${team}\n`
  await importText('set,year,number,player,team\nOf others,1987,7,Rob Retold,Fifths\n')
  const first = await importText(table('Thirds'))
  const second = await importText(table('Fourths'))
  await mergeTeams('Thirds', 'Fifths')
  expect(cardsIn((await undo(second.id)).left)).toEqual([])
  expect(await teamsOf('1 Rob Retold')).toEqual(['Fifths'])
  expect(cardsIn((await undo(first.id)).left)).toEqual([])
  expect(await live('Retold')).toEqual([])
  await expectTrueCounts()
})

test('so is what a pruned card comes back with, whose team was merged meanwhile', async () => {
  await importText('set,year,number,player,team\nOf others,1988,7,Pia Pruned,Sevenths\n')
  const header = 'set,year,number,player,team\nPruned,1988,1,Pip Pruned,\n'
  const first = await importText(`${header}Pruned,1988,2,Pia Pruned,Sixths\n`)
  const second = await importText(header, '--prune')
  expect(second.pruned).toBe(1)
  await mergeTeams('Sixths', 'Sevenths')
  expect(cardsIn((await undo(second.id)).left)).toEqual([])
  expect(await teamsOf('2 Pia Pruned')).toEqual(['Sevenths'])
  expect(cardsIn((await undo(first.id)).left)).toEqual([])
  expect(await live('Pruned')).toEqual([])
  await expectTrueCounts()
})

const aReleaseOf = (name: string) => {
  const [of, set, one, other] = Array.from({ length: 4 }, () => Bun.randomUUIDv7())
  return {
    card: other as string,
    with: (more: object | null) => {
      const cards = [{ number: '1', name: 'Al Always', uniqueId: one }, more ? { uniqueId: other, ...more } : []].flat()
      return JSON.stringify({ name, uniqueId: of, sets: [{ name: `${name} Base`, uniqueId: set, cards }] })
    },
  }
}

test('nor is what an import brings such a card back with, once that is undone', async () => {
  const release = aReleaseOf('1989 Brought')
  const whole = release.with({ number: '2', name: 'Bea Brought' })
  const [first, pruning] = [await importText(whole), await importText(release.with(null), '--prune')]
  const [player] = (await app.operator.get('/v1/players?filter[last_name]=Brought')).many
  const other = await make.player({ first_name: 'Bia', last_name: 'Other' })
  if (!player) throw new Error('There is no such player.')
  await merging(app).merge([player], other)
  const third = await importText(whole)
  expect(await live('1989 Brought')).toContain('1989 Brought Base: 2 Bia Other')
  for (const { id } of [third, pruning, first]) expect(cardsIn((await undo(id)).left)).toEqual([])
  expect(await live('1989 Brought')).toEqual([])
  await expectTrueCounts()
})

test('nor what the undo of an earlier import gives a card that a later one brought back', async () => {
  const release = aReleaseOf('1990 Noted')
  const noted = (note: string) => importText(release.with({ number: '2', name: 'Tia Noted', note }))
  const [first, second, third] = [await noted('A'), await noted('B'), await noted('A')]
  await undo(first.id)
  expect(await live('1990 Noted')).toEqual([])
  const last = await noted('A')
  await undo(third.id)
  const stored = await sql`select notes from cards where id = ${release.card} and deleted_at is null`
  expect([...stored]).toEqual([{ notes: 'B' }])
  for (const { id } of [last, second]) expect(cardsIn((await undo(id)).left)).toEqual([])
  expect(await live('1990 Noted')).toEqual([])
})

test('a set that somebody moved stays with its new parent', async () => {
  const { id } = await importText('set,year,number,player\nOlder,1985,1,Ann Old\nNewer,1985,1,Ann New\n')
  const [older] = await sql<{ id: string }[]>`select id from sets where name = 'Older'`
  const [newer] = await sql<{ id: string }[]>`select id from sets where name = 'Newer'`
  const moved = aDocument('sets', {}, { parent: toOne({ type: 'sets', id: newer?.id as string }) }, older?.id)
  expect((await app.operator.patch(`/v1/sets/${older?.id}`, moved)).status).toBe(200)
  const { exit, left } = await undo(id)
  expect([exit, namesOf(left)]).toEqual([0, ['sets Newer', 'sets Older', 'years 1985']])
})

test('a card whose old player-team was deleted since stays, and the report names the pair', async () => {
  const rows = (team: string) => `set,year,number,player,team\n1991 Gone Pair,1991,1,Ann Lee,${team}\n`
  await importText(rows('Oslo Rooks'))
  const { id } = await importText(rows('Bergen Bishops'))
  const [pair] = await sql<{ id: string }[]>`select id from player_teams where name = 'Ann Lee (Oslo Rooks)'`
  expect((await app.operator.delete(`/v1/playerteams/${pair?.id}`)).status).toBe(204)
  const { left } = await undo(id)
  expect(left.find(({ type }: { type: string }) => type === 'cards')).toMatchObject({
    name: '1 Ann Lee',
    reason: 'The player-team Ann Lee (Oslo Rooks) was deleted since.',
  })
})
