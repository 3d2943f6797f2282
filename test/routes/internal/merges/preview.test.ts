import { describe, expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'
import { merging } from '../../../support/merges.ts'
import { flat } from '../../../support/people.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)
const { merge, everything } = merging(app)

const queryOf = (from: Pick<Shown, 'id'>[], into: Shown) =>
  new URLSearchParams({ object_type: into.type, from_ids: from.map(({ id }) => id).join(','), into_id: into.id })
const preview = async (from: Shown[], into: Shown) =>
  (await flat(operator, 'GET', `/internal/merges/preview?${queryOf(from, into)}`)).flat
const totalOf = async (filter: string, { id }: Shown) =>
  ((await operator.get(`/v2/cards?filter[${filter}]=${id}`)).meta.page as { total: number }).total

describe('GET /internal/merges/preview', () => {
  test('of players: counts their cards, their teams and who stands on a card twice, and says what the merge then does', async () => {
    const [from, into] = [
      await make.player({ first_name: 'Ken', last_name: 'Griffey Jr' }),
      await make.player({ first_name: 'Ken', last_name: 'Griffey Jr.' }),
    ]
    const [mariners, reds] = [await make.team(), await make.team()]
    await make.playerTeam({ player: into, team: mariners })
    const pair = await make.playerTeam({ player: from, team: mariners })
    await make.playerTeam({ player: from, team: reds })
    const set = await make.set({ status: 'published' })
    await make.card({ set, oncard: [from] })
    await make.card({ set, oncard: [pair] })
    await make.card({ set, oncard: [from, into] })
    await make.card({ set, oncard: [into] })
    await make.objectAttribute(from)
    const before = await everything()
    const said = await preview([from], into)
    expect(said).toEqual({
      into: { id: into.id, name: 'Ken Griffey Jr.', aliases: [], cards_count: 2 },
      from: [{ id: from.id, name: 'Ken Griffey Jr', aliases: [], cards_count: 3 }],
      moves: { cards: 3, sets: 0, player_teams: 2, attached: 1 },
      becomes_one: { cards: 0, player_teams: 1, entries: 1 },
      aliases: ['Ken Griffey Jr'],
    })
    expect(await everything()).toBe(before)
    await merge([from], into)
    expect(await totalOf('player', into)).toBe(
      said.into.cards_count + said.from[0].cards_count - said.becomes_one.entries,
    )
  })

  test('of sets: counts cards that become one with those of the target or of each other', async () => {
    const player = await make.player()
    const [first, second, into] = [await make.set(), await make.set(), await make.set({ name: 'Stays' })]
    for (const set of [first, second, into]) await make.card({ set, number: '1', oncard: [player] })
    for (const set of [first, second]) await make.card({ set, number: '2', oncard: [player] })
    await make.card({ set: second, number: '3', oncard: [player] })
    await make.set({ parent: first, kind: 'insert' })
    const said = await preview([first, second], into)
    expect(said).toMatchObject({ moves: { cards: 5, sets: 1 }, becomes_one: { cards: 3 } })
    await merge([first, second], into)
    expect(await totalOf('set', into)).toBe(1 + said.moves.cards - said.becomes_one.cards)
  })

  test('of labels and cards: counts sets with their cards, cards that bear a code, and what is attached to a card', async () => {
    const [brand, other] = [await make.brand(), await make.brand({ name: 'Topps' })]
    const [rookie, code] = [await make.attribute({ attribute: 'RC' }), await make.attribute({ attribute: 'Rookie' })]
    const set = await make.set({ brand })
    const card = await make.card({ set, attributes: [rookie] })
    const twin = await make.card({ set })
    await make.objectAttribute(card)
    expect((await preview([brand], other)).moves).toMatchObject({ sets: 1, cards: 2 })
    expect((await preview([rookie], code)).moves).toMatchObject({ cards: 1 })
    expect(await preview([card], twin)).toMatchObject({ moves: { attached: 1 }, aliases: [] })
  })

  test('refuses what the merge would refuse, and what is no merge', async () => {
    const [set, player] = [await make.set(), await make.player()]
    const child = await make.set({ parent: set })
    const status = async (query: URLSearchParams | string) =>
      (await operator.get(`/internal/merges/preview?${query}`)).status
    expect(await status(queryOf([child], set))).toBe(400)
    expect(await status(queryOf([set], set))).toBe(400)
    expect(await status(queryOf([{ id: crypto.randomUUID() }], player))).toBe(400)
    expect(await status(queryOf([player], set))).toBe(400)
    expect(await status(queryOf([{ id: '57' }], player))).toBe(400)
    expect(await status(`object_type=players&into_id=${player.id}`)).toBe(400)
    expect(await status('')).toBe(400)
    expect((await app.reader.get(`/internal/merges/preview?${queryOf([child], set)}`)).status).toBe(403)
  })
})

describe('GET /internal/merges', () => {
  test('names the records and who merged them', async () => {
    const [from, into] = [await make.team({ name: 'Expos' }), await make.team({ name: 'Nationals' })]
    const { id } = await merge([from], into)
    const listed = (await flat(operator, 'GET', `/internal/merges?filter[into_id]=${into.id}`)).flat.data
    expect(listed).toHaveLength(1)
    expect(listed[0]).toMatchObject({ id, meta: { into_name: 'Nationals', from_names: ['Expos'] } })
    expect(listed[0].meta.agent_name).toEqual(expect.any(String))
  })
})
