import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { endsFirst } from '../../support/ending.ts'
import { factories } from '../../support/factories.ts'
import { readCounting } from '../../support/rows-read.ts'

const app = await testApp()
const make = factories(app)
const { sql } = app.db
const status = 'published'

const idsFor = async (path: string) => (await app.reader.get(path)).many.map(({ id }) => id)

test('of sets with the same name one of its own comes before one below another', async () => {
  const below = await make.set({ name: 'Cobalt', parent: await make.set({ name: 'Base Set', status }), status })
  const own = await make.set({ name: 'Cobalt', status })
  expect(await idsFor('/v2/search?q=cobalt')).toEqual([own.id, below.id])
})

test('cards of a parallel or a variation come after others, unless the query names it', async () => {
  const player = await make.player({ first_name: 'Ken', last_name: 'Quill' })
  for (const [kind, word] of [
    ['parallel', 'marble'],
    ['variation', 'granite'],
  ]) {
    const [set, other] = [
      await make.set({ name: `Gold ${word}`, kind, status }),
      await make.set({ name: `Kings ${word}`, kind: 'insert', status }),
    ]
    const [ofKind, ofOther] = [
      await make.card({ set, number: '1', oncard: [player] }),
      await make.card({ set: other, number: '1', oncard: [player] }),
    ]
    expect(await idsFor(`/v2/search?q=quill+${word}`)).toEqual([ofOther.id, ofKind.id])
    expect(await idsFor(`/v2/search?q=quill+${word}+(gold+OR+kings)`)).toEqual([ofKind.id, ofOther.id])
  }
})

test('the people on cards that cannot be on the first page are not looked up', async () => {
  const [ann, bob] = [
    await make.player({ first_name: 'Ann', last_name: 'Stone' }),
    await make.player({ first_name: 'Bob', last_name: 'Stone' }),
  ]
  const [near, far, elsewhere] = [
    await make.set({ name: 'Basalt', status }),
    await make.set({ name: 'Basalt of Many More Words', status }),
    await make.set({ name: 'Elsewhere', status }),
  ]
  const counted: [setId: string, cards: number][] = [
    [near.id, 40],
    [far.id, 1000],
    [elsewhere.id, 400],
  ]
  const known = await make.card({ set: elsewhere, number: '0', oncard: [ann, bob] })
  const all = counted.reduce((sum, [, cards]) => sum + cards, 0)
  for (const [id, cards] of counted) {
    await sql`
      with made as (
        insert into cards (id, set_id, set_no, number, number_key, name, has_player, created_at, updated_at)
        select gen_random_uuid(), s.id, s.no, n::text, '0' || length(n::text) || n, n::text, true, now(), now()
        from sets s, generate_series(1, ${cards}::int) n where s.id = ${id} returning id, set_no, number_key
      )
      insert into oncard (card_id, position, player_id, set_no, number_key, lists_player, lists_team, lists_player_team)
      select m.id, p.position, p.id, set_no, number_key, true, false, false
      from made m, (values (0, ${ann.id}::uuid), (1, ${bob.id}::uuid)) p (position, id)`
    await sql`update sets set live_cards = live_cards + ${cards} where id = ${id}`
  }
  const count = (cards: number) =>
    sql`update tallies set live = ${cards}, published = ${cards}
      where list = 2 and id in (${ann.id}, ${bob.id})`
  await count(all + 1)
  await sql`update feed set last = last + 1`
  await sql`analyze cards, oncard`
  endsFirst(async () => {
    for (const [id, cards] of counted) {
      await sql`delete from oncard o using cards c where c.id = o.card_id and c.set_id = ${id} and c.id <> ${known.id}`
      await sql`delete from cards where set_id = ${id} and id <> ${known.id}`
      await sql`update sets set live_cards = live_cards - ${cards} where id = ${id}`
    }
    await count(1)
  })
  const { ids, rows } = await readCounting(app, 'oncard', '/v2/search?q=basalt+stone&filter[type]=cards')
  const [{ first }] = await sql<[{ first: number }]>`
    select count(*)::int as first from cards where set_id = ${near.id} and id = any(${ids}::uuid[])`
  expect(first).toBe(25)
  // Both people of each card, which the condition reads once, and those of the forty cards that may be shown.
  expect(rows).toBeLessThan(2 * all + 200)
})
