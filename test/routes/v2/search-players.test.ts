import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const { sql } = app.context.db

const search = async (q: string, more = '') => {
  const { status, many, meta } = await app.reader.get(`/v2/search?q=${encodeURIComponent(q)}&filter[type]=cards${more}`)
  const { player = [] } = (meta?.facets ?? {}) as { player?: { value: string; count: number }[] }
  return {
    status,
    ids: many.map(({ id }) => id),
    page: meta?.page,
    players: player.map(({ value, count }) => [value, count]),
  }
}

test('a facet of players counts each card once for everybody on it, through whomever it was found', async () => {
  const [ann, bob, cy, quarry] = [
    await make.player({ first_name: 'Ann', last_name: 'Stone' }),
    await make.player({ first_name: 'Bob', last_name: 'Stone' }),
    await make.player({ first_name: 'Cy', last_name: 'Reed' }),
    await make.team({ name: 'Quarry' }),
  ]
  const annOfQuarry = await make.playerTeam({ player: ann, team: quarry })
  const set = await make.set({ name: 'Leaf', status: 'published' })
  const draft = await make.set({ name: 'Leaf', status: 'draft' })
  for (const oncard of [[ann], [ann, bob], [quarry, bob], [ann, cy], [cy], [ann, annOfQuarry], [annOfQuarry]])
    await make.card({ set, oncard })
  await make.card({ set: draft, oncard: [ann] })
  for (const [q, ...counts] of [
    ['stone', ['Ann Stone', 5], ['Bob Stone', 2], ['Cy Reed', 1]],
    ['reed', ['Cy Reed', 2], ['Ann Stone', 1]],
    ['stone reed', ['Ann Stone', 1], ['Cy Reed', 1]],
    ['stone OR reed', ['Ann Stone', 5], ['Bob Stone', 2], ['Cy Reed', 2]],
    ['ann stone quarry', ['Ann Stone', 2]],
    ['quarry', ['Ann Stone', 2], ['Bob Stone', 1]],
    ['quarry stone', ['Ann Stone', 2], ['Bob Stone', 1]],
    ['stone -reed', ['Ann Stone', 4], ['Bob Stone', 2]],
    ['leaf', ['Ann Stone', 5], ['Bob Stone', 2], ['Cy Reed', 2]],
    ['stoen', ['Ann Stone', 5], ['Bob Stone', 2], ['Cy Reed', 1]],
    ['stone order:-year', ['Ann Stone', 5], ['Bob Stone', 2], ['Cy Reed', 1]],
  ] as const)
    expect([q, (await search(q, '&facets=player')).players]).toEqual([q, counts.map((one) => [...one])])
})

test('of very many namesakes all cards are found', async () => {
  const { id } = await make.set({ name: 'Crowd', status: 'published' })
  await sql`
    with made as (
      insert into players (id, first_name, last_name, name, audience, created_at, updated_at)
      select gen_random_uuid(), 'Zoe', 'Poe', 'Zoe Poe', 2, now(), now() from generate_series(1, 1100) returning id
    ), numbered as (
      select id, row_number() over () as n from made
    ), cards as (
      insert into cards (id, set_id, set_no, number, number_key, name, created_at, updated_at)
      select gen_random_uuid(), s.id, s.no, n.n::text, '0' || length(n.n::text) || n.n, n.id::text, now(), now()
      from sets s, numbered n where s.id = ${id as string} returning id, set_no, number_key, name
    ), oncard as (
      insert into oncard (card_id, position, player_id, set_no, number_key, lists_player, lists_team, lists_player_team)
      select id, 0, name::uuid, set_no, number_key, true, false, false from cards
    )
    insert into tallies (list, id, live, published) select 2, id, 1, 1 from made`
  await sql`update sets set live_cards = 1100 where id = ${id as string}`
  // As if changes were missing from the feed: names are read again.
  await sql`update feed set last = last + 1`
  expect((await search('zoe')).page).toEqual({ total: 1100 })
  expect((await search('zoe poe #77')).page).toEqual({ total: 1 })
  expect((await search('"zoe poe" crowd', '&facets=player')).players).toEqual(Array(20).fill(['Zoe Poe', 1]))
  const { ids, page } = await search('zoe crowd', '&page[size]=100')
  expect([new Set(ids).size, page]).toEqual([100, { total: 1100 }])
  await sql`delete from cards where set_id = ${id as string}`
  await sql`delete from tallies where list = 2 and id in (select id from players where first_name = 'Zoe')`
  await sql`delete from players where first_name = 'Zoe'`
  await sql`update sets set live_cards = 0 where id = ${id as string}`
})
