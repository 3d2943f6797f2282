import { describe, expect, test } from 'bun:test'
import { groupings, groupingsOfAll } from '../../../../src/catalog/curate/comparisons.ts'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories } from '../../../support/factories.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)
const path = '/internal/duplicates'

type Found = { reason: string; records: { id: string; name: string }[] }
const groupsOf = async (type: string, more = '') => {
  const { many, status } = await operator.get(`${path}?filter[object_type]=${type}&per_page=100${more}`)
  expect(status).toBe(200)
  return many.map(({ attributes }) => attributes as unknown as Found)
}
const ofAllTypes = async () =>
  (await operator.get(`${path}?per_page=100`)).many.map(({ attributes }) => attributes as unknown as Found)
const groupWith = async ({ type, id }: Shown, more = '') =>
  (await groupsOf(type, more)).find(({ records }) => records.some((one) => one.id === id))
const player = (first_name: string, last_name: string) => make.player({ first_name, last_name })
const dismiss = (body: object) =>
  operator.send('POST', `${path}/dismissals`, {
    ...{ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
  })

describe('GET /internal/duplicates', () => {
  test.each([
    ['equal', ['Frank', 'Thomas'], ['Frank', 'Thomas']],
    ['case', ['Mark', 'McGwire'], ['MARK', 'MCGWIRE']],
    ['spelling', ['Ronald', 'Acuña'], ['Ronald', 'Acuna']],
    ['spelling', ['Ken', 'Griffey Jr.'], ['Ken', 'Griffey, Jr']],
    ['spelling', ['J. D.', 'Martinez'], ['J.D.', 'Martinez']],
    ['spelling', ['Tyler', 'O’Neill'], ['Tyler', "O'Neill"]],
    ['encoding', ['José', 'Ramírez'], ['JosÃ©', 'RamÃ­rez']],
    ['encoding', ['Dario', 'Šarić'], ['Dario', '\u00c5\u00a0ari\u00c4\u2021']],
    ['encoding', ['Luka', 'Dončo'], ['Luka', 'Don\u00c4\uf18do']],
    ['encoding', ['Mesut', 'Özil'], ['Mesut', '\u00c3\u2013zil']],
  ])('groups players whose names differ by %s', async (reason, one, other) => {
    const players = [await player(one[0] ?? '', one[1] ?? ''), await player(other[0] ?? '', other[1] ?? '')]
    const group = await groupWith(players[0] as Shown)
    expect(group?.reason).toBe(reason)
    expect(group?.records.map(({ id }) => id).toSorted()).toEqual(players.map(({ id }) => id).toSorted())
  })

  test.each([
    ['a no-break space', 'Anna\u00a0Mae Lind', 'Anna Mae Lind'],
    ['a sign of no width', 'Bo\u200bris Keld', 'Boris Keld'],
    ['the dash of a PDF', 'Jean\u2011Marc Oller', 'Jean-Marc Oller'],
    ['full width', '\uff2dax Torv', 'Max Torv'],
    ['letters that have no accent to lose', 'Simon Kj\u00e6r', 'Simon Kjaer'],
  ])('groups players whose names differ by %s', async (_, name, other) => {
    const [one] = [await player('', name), await player('', other)]
    expect((await groupWith(one))?.records).toHaveLength(2)
  })

  test('groups players one letter apart who share a set or a team, but no father and son', async () => {
    const [set, team] = [await make.set(), await make.team()]
    const [right, wrong] = [await player('Orlin', 'Castavez'), await player('Orlin', 'Castvez')]
    const [mate, typo] = [await player('Devon', 'Marchetti'), await player('Devon', 'Marchetty')]
    const [father, son] = [await player('Abel', 'Quist Sr.'), await player('Abel', 'Quist Jr.')]
    await make.card({ set, oncard: [right, father] })
    for (const one of [mate, typo]) await make.playerTeam({ player: one, team })
    expect(await groupWith(right)).toBeUndefined()
    await make.card({ set, oncard: [wrong, son] })
    for (const [one, other] of [[right, wrong] as const, [mate, typo] as const]) {
      const group = await groupWith(one)
      expect([group?.reason, group?.records.map(({ id }) => id)]).toEqual(['similar', [one.id, other.id]])
    }
    expect(await groupWith(son)).toBeUndefined()
    expect((await ofAllTypes()).filter(({ reason }) => reason === 'similar')).toHaveLength(2)
    await dismiss({ object_type: 'players', ids: [right.id, wrong.id] })
    expect(await groupWith(right)).toBeUndefined()
  })

  test('groups cards of one set that share number and people', async () => {
    const [set, one, other] = [await make.set(), await make.player(), await make.player()]
    const pair = await make.playerTeam({ player: one })
    const card = await make.card({ set, number: 'RC-7', oncard: [one] })
    await make.card({ set, number: 'RC-7', oncard: [other] })
    await make.card({ set: await make.set(), number: 'RC-7', oncard: [one] })
    expect(await groupWith(card)).toBeUndefined()
    const twin = await make.card({ set, number: 'RC-7', title: 'Twin', oncard: [pair] })
    const group = await groupWith(card)
    expect([group?.reason, group?.records.map(({ id }) => id)]).toEqual(['number', [card.id, twin.id].toSorted()])
    expect((await ofAllTypes()).filter(({ reason }) => reason === 'number')).toEqual([group as Found])
    expect((await dismiss({ object_type: 'cards', ids: [card.id, twin.id] })).status).toBe(201)
    expect(await groupWith(card)).toBeUndefined()
  })

  test('in a large catalog, similar players and equal cards are found only where their type is asked for', () => {
    const [small, large] = [groupingsOfAll({ players: 100, cards: 100 }), groupingsOfAll({ players: 1e6, cards: 1e7 })]
    expect(small).toEqual(Object.values(groupings).flat())
    expect(small.filter((one) => !large.includes(one))).toEqual([...groupings.players.slice(1), ...groupings.cards])
  })

  test('names that differ by a letter, a suffix or a hyphen are no group', async () => {
    const names = ['Robin Yount', 'Robin Younts', 'Cal Ripken', 'Cal Ripken Jr.', 'Jean-Luc Roy', 'Jeanluc Roy']
    const players = await Promise.all(
      names.map((name) =>
        operator.post('/v1/players', aDocument('players', { full_name: name })).then(({ one }) => one),
      ),
    )
    for (const one of players) expect(await groupWith(one)).toBeUndefined()
  })

  test('each record comes with its cards, genres and years', async () => {
    const [genre, year] = [await make.genre(), await make.year({ name: '1989' })]
    const [stray, real] = [await player('Randy', 'Johnson'), await player('Randy', 'Johnson.')]
    await make.card({ set: await make.set({ genre, year }), oncard: [real] })
    const group = await groupWith(stray)
    expect(group?.records.find(({ id }) => id === real.id)).toEqual({
      ...{ id: real.id, name: 'Randy Johnson.', cards_count: 1 },
      ...{ genres: [String(genre.attributes.name)], years: ['1989'] },
    } as never)
    expect(group?.records.find(({ id }) => id === stray.id)).toMatchObject({ cards_count: 0, genres: [], years: [] })
  })

  test('groups teams, brands, manufacturers, and sets of one year, genre and parent', async () => {
    const [team, brand] = [await make.team({ name: 'St. Louis Blues' }), await make.brand({ name: 'O-Pee-Chee' })]
    const maker = await make.manufacturer({ name: 'Pro Set, Inc.' })
    await make.team({ name: 'St Louis Blues' })
    await make.brand({ name: 'Ó-Pee-Chee' })
    await make.manufacturer({ name: 'Pro Set Inc' })
    for (const one of [team, brand, maker]) expect((await groupWith(one))?.records).toHaveLength(2)
    const [genre, year] = [await make.genre(), await make.year()]
    const set = await make.set({ name: 'Stadium Club', genre, year })
    await make.set({ name: 'STADIUM CLUB', genre, year: await make.year() })
    const [one, other] = [await make.set({ genre, year }), await make.set({ genre, year })]
    const insert = await make.set({ name: 'All-Stars', genre, year, parent: one })
    await make.set({ name: 'All-Stars', genre, year, parent: other })
    expect(await groupWith(set)).toBeUndefined()
    expect(await groupWith(insert)).toBeUndefined()
    await make.set({ name: 'Stadium club', genre, year })
    expect((await groupWith(set))?.records).toHaveLength(2)
  })

  test('a deleted record is in no group, and a group keeps its id from page to page', async () => {
    const [one, other] = [await player('Gone', 'Once'), await player('Gone', 'Once.')]
    const all = await operator.get(`${path}?per_page=100`)
    const singles = await Promise.all(
      all.many.map(async (_, index) => (await operator.get(`${path}?per_page=1&page=${index + 1}`)).many[0]?.id),
    )
    expect(singles).toEqual(all.many.map(({ id }) => id))
    expect(all.meta.total).toBe(all.many.length)
    expect((await operator.get(`${path}?page=9999`)).meta.total).toBe(all.many.length)
    await operator.delete(`/v1/players/${other.id}`)
    expect(await groupWith(one)).toBeUndefined()
  })

  test('filter[kind]=collisions gives players in several genres, or more than 35 years apart', async () => {
    const [baseball, football] = [await make.genre(), await make.genre()]
    const sets = {
      early: await make.set({ genre: baseball, year: await make.year({ name: '1951' }) }),
      middle: await make.set({ genre: baseball, year: await make.year({ name: '1986-87' }) }),
      late: await make.set({ genre: baseball, year: await make.year({ name: '1987-88' }) }),
      other: await make.set({ genre: football, year: await make.year({ name: '1990' }) }),
    }
    const [two, long, one] = [await make.player(), await make.player(), await make.player()]
    for (const set of [sets.middle, sets.other]) await make.card({ set, oncard: [two] })
    for (const set of [sets.early, sets.late]) await make.card({ set, oncard: [long] })
    for (const set of [sets.early, sets.middle]) await make.card({ set, oncard: [one] })
    expect(await groupWith(two, '&filter[kind]=collisions')).toMatchObject({ reason: 'genres' })
    expect(await groupWith(long, '&filter[kind]=collisions')).toMatchObject({ reason: 'years' })
    expect(await groupWith(one, '&filter[kind]=collisions')).toBeUndefined()
    // That he is nobody else's double does not say that he is one man.
    await dismiss({ object_type: 'players', ids: [two.id, one.id] })
    expect(await groupWith(two, '&filter[kind]=collisions')).toMatchObject({ reason: 'genres' })
    await dismiss({ object_type: 'players', ids: [two.id] })
    expect(await groupWith(two, '&filter[kind]=collisions')).toBeUndefined()
  })

  test('an unknown type or kind, and collisions of teams, are a 400', async () => {
    const queries = [
      'filter[object_type]=genres',
      'filter[kind]=x',
      'filter[kind]=collisions&filter[object_type]=teams',
    ]
    for (const query of queries) expect((await operator.get(`${path}?${query}`)).status).toBe(400)
  })
})

describe('POST /internal/duplicates/dismissals', () => {
  test('hides a group for good, and a new member brings it back', async () => {
    const players = [await player('Dave', 'Stewart'), await player('dave', 'stewart')]
    const ids = players.map(({ id }) => id)
    const answer = await dismiss({ object_type: 'players', ids })
    expect([answer.status, answer.one.type]).toEqual([201, 'duplicate_dismissals'])
    expect(answer.one.attributes).toMatchObject({ object_type: 'players', ids })
    expect(await groupWith(players[0] as Shown)).toBeUndefined()
    const third = await player('Dave', 'Stewart')
    expect((await groupWith(third))?.records).toHaveLength(3)
    const { many } = await operator.get('/internal/audit-logs?filter[event_type]=duplicates.dismissed')
    expect(many.map(({ attributes }) => attributes.data)).toContainEqual({ ids } as never)
  })

  test('ids count once, in any case', async () => {
    const players = [await player('Harold', 'Baines'), await player('HAROLD', 'Baines')]
    const [one, other] = players.map(({ id }) => id) as [string, string]
    const answer = await dismiss({ object_type: 'players', ids: [one, other.toUpperCase(), one] })
    expect([answer.status, answer.one.attributes.ids]).toEqual([201, [one, other]])
    expect(await groupWith(players[0] as Shown)).toBeUndefined()
  })

  test('a record that is not there, of another type or deleted is a 422 at its place', async () => {
    const [one, team] = [await make.player(), await make.team()]
    const ids = [one.id, team.id, 'd0000000-0000-4000-8000-000000000000']
    const answer = await dismiss({ object_type: 'players', ids })
    expect([answer.status, answer.faults.map((fault) => fault.split(' ')[1])]).toEqual([422, ['/ids/1', '/ids/2']])
  })

  test.each([
    [{}, ['/object_type', '/ids']],
    [{ object_type: 'genres', ids: ['x'] }, ['/object_type', '/ids/0']],
    [{ object_type: 'players', ids: [] }, ['/ids']],
    [{ object_type: 'players', ids: ['d0000000-0000-4000-8000-000000000000'], note: 1 }, ['/note']],
  ])('%j is a 422', async (body, pointers) => {
    const answer = await dismiss(body)
    expect([answer.status, answer.faults.map((fault) => fault.split(' ')[1])]).toEqual([422, pointers])
  })
})

test('DELETE /internal/duplicates/dismissals/{id} shows the group again, once', async () => {
  const [one, other] = [await player('Sandy', 'Alomar Jr'), await player('Sandy', 'Alomar Jr.')]
  const { one: dismissal } = await dismiss({ object_type: 'players', ids: [one.id, other.id] })
  expect(await groupWith(one)).toBeUndefined()
  expect((await app.reader.delete(`${path}/dismissals/${dismissal.id}`)).status).toBe(403)
  expect((await operator.delete(`${path}/dismissals/${dismissal.id}`)).status).toBe(204)
  expect((await groupWith(one))?.records).toHaveLength(2)
  expect((await operator.delete(`${path}/dismissals/${dismissal.id}`)).status).toBe(404)
})
