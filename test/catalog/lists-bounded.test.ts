import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { endsFirst } from '../support/ending.ts'
import { factories } from '../support/factories.ts'
import { readCounting } from '../support/rows-read.ts'

const app = await testApp()
const make = factories(app)
const { sql } = app.db

const [everywhere, rare] = [await make.player(), await make.team()]
const sets: Awaited<ReturnType<typeof make.set>>[] = []
for (let n = 0; n < 60; n++) sets.push(await make.set({ status: 'published' }))
const [first, second, third] = sets as [(typeof sets)[number], (typeof sets)[number], (typeof sets)[number]]
const card = await make.card({ set: second, number: '300', oncard: [everywhere, rare] })
const other = await make.card({ set: third, number: '300', oncard: [rare] })
const each = 200
await sql`
  with made as (
    insert into cards (id, set_id, set_no, number, number_key, name, has_player, created_at, updated_at)
    select gen_random_uuid(), s.id, s.no, n::text, '0' || length(n::text) || n, n::text, true, '2020-01-01', '2020-01-01'
    from sets s, generate_series(1, ${each}::int) n returning id, set_no, number_key
  )
  insert into oncard (card_id, position, player_id, set_no, number_key, lists_player, lists_team, lists_player_team)
  select id, 0, ${everywhere.id}, set_no, number_key, true, false, false from made`
const isCounted = async (more: number) => {
  await sql`update sets set live_cards = live_cards + ${more}`
  const all = sets.length * more
  await sql`
    update tallies set live = live + ${all}, published = published + ${all} where list = 2 and id = ${everywhere.id}`
}
await isCounted(each)
// A commit that is on disk: until then, no vacuum says what everybody sees, and the planner avoids the index.
await app.db.transaction(async (tx) => {
  await tx.sql`set local synchronous_commit = on`
  await tx.sql`update sets set updated_at = updated_at`
})
await sql`vacuum analyze cards, oncard`

endsFirst(async () => {
  await sql`delete from oncard where card_id not in (${card.id}, ${other.id})`
  await sql`delete from cards where id not in (${card.id}, ${other.id})`
  await isCounted(-each)
})

test.each(['created_at', 'updated_at'])(
  'a list of the few cards that %s finds looks into no other sets',
  async (time) => {
    const { ids, rows } = await readCounting(app, 'sets', `/v2/cards?filter[${time}][gte]=2021-01-01`)
    expect(ids).toEqual([card.id, other.id])
    expect(rows).toBeLessThan(sets.length / 2)
  },
)

test('of a player with very many cards and a team with few the team’s are read, and compared with the player', async () => {
  const [player, team] = [`filter[player]=${everywhere.id}`, `filter[team]=${rare.id}`]
  for (const both of [`${player}&${team}`, `${team}&${player}`]) {
    const { ids, rows } = await readCounting(app, 'oncard', `/v2/cards?${both}&sort=-created_at`)
    expect([both, ids]).toEqual([both, [card.id]])
    expect(rows).toBeLessThan(each)
  }
})

test('a page far into a set’s checklist continues the one before', async () => {
  const numbers = async (page: number) => {
    const { many } = await app.reader.get(`/v1/cards?filter[set_id]=${first.id}&per_page=5&page=${page}`)
    return many.map(({ attributes }) => Number(attributes.number))
  }
  const from = (start: number) => Array.from({ length: 5 }, (_, n) => start + n)
  for (const page of [2, 20, 21, 40]) expect([page, await numbers(page)]).toEqual([page, from(5 * (page - 1) + 1)])
  expect(await numbers(41)).toEqual([])
})
