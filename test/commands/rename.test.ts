import { describe, expect, test } from 'bun:test'
import { unfinishedRenames } from '../../src/catalog/curate/rename.ts'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const make = factories(app)
const run = runningCommands(app.context)
const nameOf = async ({ id }: { id: string }) => (await app.operator.get(`/v1/cards/${id}`)).one.attributes.name

describe('rename', () => {
  test('gives a player another full name, with player-teams and every card', async () => {
    const [player, team] = [await make.player(), await make.team({ name: 'Bulls' })]
    const pair = await make.playerTeam({ player, team })
    const set = await make.set()
    const cards = [
      await make.card({ set, number: '1', oncard: [pair] }),
      await make.card({ set, oncard: [player, team] }),
    ]
    const { exit, json } = await run('rename', 'players', player.id, 'Robert Parish Jr.', '--json')
    expect([exit, json]).toEqual([0, { type: 'players', id: player.id, name: 'Robert Parish Jr.', cards: 2 }])
    expect(await Promise.all(cards.map(nameOf))).toEqual(['1 Robert Parish Jr.', 'Robert Parish Jr. / Bulls'])
    const shown = (await app.operator.get(`/v1/players/${player.id}`)).one.attributes
    expect([shown.first_name, shown.last_name]).toEqual(['Robert', 'Parish Jr.'])
    expect((await app.operator.get(`/v1/player-teams/${pair.id}`)).one.attributes.name).toBe(
      'Robert Parish Jr. (Bulls)',
    )
  })

  test('gives an attribute another code and a year another name', async () => {
    const [attribute, year] = [await make.attribute({ attribute: 'RC' }), await make.year({ name: '1986' })]
    const card = await make.card({ set: await make.set({ year }), number: '7', attributes: [attribute] })
    expect((await run('rename', 'attributes', attribute.id, 'ROOKIE')).exit).toBe(0)
    expect((await run('rename', 'years', year.id, '1986-87')).exit).toBe(0)
    expect(await nameOf(card)).toBe('7 ROOKIE')
  })

  test('goes on where it was killed, and cards that were renamed stay as they are', async () => {
    const team = await make.team({ name: 'Old' })
    const set = await make.set()
    const cards = [
      await make.card({ set, number: '1', oncard: [team] }),
      await make.card({ set, number: '2', oncard: [team] }),
    ]
    // The state after a kill between the new name and the second card.
    await run('rename', 'teams', team.id, 'New')
    await app.db.sql`update cards set name = '2 Old' where id = ${cards[1]?.id as string}`
    await app.db.sql`insert into settings (name, value) values (${`rename teams ${team.id}`}, 'New')`
    expect(await unfinishedRenames(app.db)).toEqual([`rename teams ${team.id} "New"`])
    expect((await run('doctor')).out).toContain(`cardstock rename teams ${team.id} "New"`)
    const [before] = await app.db.sql`select version from cards where id = ${cards[0]?.id as string}`
    expect((await run('rename', 'teams', team.id, 'New')).exit).toBe(0)
    expect(await Promise.all(cards.map(nameOf))).toEqual(['1 New', '2 New'])
    const [after] = await app.db.sql`select version from cards where id = ${cards[0]?.id as string}`
    expect(after).toEqual(before)
    expect(await unfinishedRenames(app.db)).toEqual([])
  })

  test('tells every changed card in the changes', async () => {
    const player = await make.player()
    const card = await make.card({ number: '1', oncard: [player] })
    const [{ n: before } = { n: 0 }] = await app.db
      .sql`select count(*)::int as n from changes where ${card.id} = any(ids)`
    await run('rename', 'players', player.id, 'Somebody Else')
    const [{ n: after } = { n: 0 }] = await app.db
      .sql`select count(*)::int as n from changes where ${card.id} = any(ids)`
    expect(after).toBe(Number(before) + 1)
  })

  test('fails for what is not there and for names that are taken, and is used in one way only', async () => {
    const [genre, other] = [await make.genre(), await make.genre({ name: 'Taken' })]
    expect((await run('rename', 'genres', crypto.randomUUID(), 'X')).exit).toBe(1)
    expect(await run('rename', 'genres', genre.id, 'TAKEN')).toMatchObject({
      exit: 1,
      err: 'Another record already has this name. To make them one, use cardstock merge.\n',
    })
    for (const words of [
      ['cards', other.id, 'X'],
      ['genres', 'no-id', 'X'],
      ['genres', other.id, '  '],
      ['genres', other.id, 'x'.repeat(256)],
      ['genres', other.id],
    ])
      expect([words, (await run('rename', ...words)).exit]).toEqual([words, 2])
  })
})
