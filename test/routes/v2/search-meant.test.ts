import { expect, test } from 'bun:test'
import { serialLimitId } from '../../../src/catalog/model/counts.ts'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const { sql } = app.context.db

const [junior, lesser, jordan, ohtani, yankees, mariners, jays] = [
  await make.player({ first_name: 'Ken', last_name: 'Griffey Jr.' }),
  await make.player({ first_name: 'Brian', last_name: 'Jordan' }),
  await make.player({ first_name: 'Michael', last_name: 'Jordan' }),
  await make.player({ first_name: 'Shohei', last_name: 'Ohtani' }),
  await make.team({ name: 'New York Yankees' }),
  await make.team({ name: 'Seattle Mariners' }),
  await make.team({ name: 'Toronto Blue Jays' }),
]
const rc = await make.attribute({ attribute: 'RC', name: 'Rookie Card' })
const set = await make.set({ name: 'Leaf', status: 'published' })
const rookie = await make.card({ set, number: '1', oncard: [junior, mariners], attributes: [rc] })
const later = await make.card({ set, number: '2', oncard: [junior, mariners] })
const obscure = await make.card({ set, number: '3', oncard: [lesser], attributes: [rc] })
for (const number of ['4', '5', '6']) await make.card({ set, number, oncard: [lesser, yankees] })
const other = await make.card({ set, number: '7', oncard: [jordan], attributes: [rc] })
await make.card({ set, number: '8', oncard: [ohtani, jays] })

const find = async (q: string, more = '') => {
  const answer = await app.reader.get(`/v2/search?q=${encodeURIComponent(q)}${more}`)
  const { links, meta } = answer
  return { ids: answer.many.map(({ id }) => id), suggestion: meta?.suggestion, links, meta }
}

test('a player with a team that is on none of his cards finds his cards, and says what was left out', async () => {
  for (const [q, suggestion, ...cards] of [
    ['griffey yankees', 'griffey', rookie, later],
    ['new york yankees griffey', 'griffey', rookie, later],
    ['griffey blue jays rookie', 'griffey rookie', rookie],
  ] as const) {
    const found = await find(q)
    expect([q, found.ids, found.suggestion]).toEqual([q, cards.map(({ id }) => id), suggestion])
  }
  const right = await find('griffey mariners')
  expect([right.ids, right.suggestion]).toEqual([[rookie.id, later.id], undefined])
  for (const q of ['griffey team:yankees', 'griffey "new york yankees"', 'griffey -mariners yankees'])
    expect([q, (await find(q)).ids]).toEqual([q, []])
  const page = await find('griffey yankees', '&page[size]=1')
  expect(page.ids).toEqual([rookie.id])
  const next = await app.reader.get((page.links.next as string).replace(app.baseUrl, ''))
  expect(next.many.map(({ id }) => id)).toEqual([later.id])
})

test('of namesakes the one with more cards comes first', async () => {
  expect((await find('jordan rookie')).ids).toEqual([obscure.id, other.id])
  expect((await find('jordan')).ids.slice(0, 2)).toEqual([lesser.id, jordan.id])
})

test('a nickname is completed, in any script', async () => {
  const complete = async (q: string) => {
    const { document } = await app.reader.get(`/v2/autocomplete?q=${encodeURIComponent(q)}`)
    return (document.data as unknown as { id: string }[]).map(({ id }) => id)
  }
  for (const q of ['大谷', '大谷翔', 'オオタ', 'shoti']) expect([q, await complete(q)]).toEqual([q, [ohtani.id]])
  expect(await complete('his air')).toEqual([jordan.id])
})

test('facets of a word that very many cards have count up to ten thousand, and an estimate is no more than there are cards', async () => {
  const brand = await make.brand({ name: 'Vast' })
  const [vast, wide] = [
    await make.set({ name: 'Vast Ocean', brand, status: 'published' }),
    await make.set({ name: 'Vast Prairie', brand, status: 'published' }),
  ]
  for (const { id } of [vast, wide])
    await sql`
      insert into cards (id, set_id, set_no, number, number_key, name, title, created_at, updated_at)
      select gen_random_uuid(), s.id, s.no, n::text, '0' || length(n::text) || n, n::text, 'Leader', now(), now()
      from sets s, generate_series(1, 6000::int) n where s.id = ${id as string}`
  await sql`update sets set live_cards = 6000 where id in (${vast.id as string}, ${wide.id as string})`
  await sql`analyze cards`
  const found = await find('leader', '&facets=kind,set')
  const { set: sets = [] } = (found.meta?.facets ?? {}) as Record<string, { count: number }[]>
  expect(sets.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(10_000)
  expect(found.meta?.facets_are_estimates).toBe(true)
  for (const q of ['vast', 'vas', 'vast leader', 'vast order:number']) {
    const [plain, faceted] = [await find(q), await find(q, '&facets=genre,kind,set')]
    expect([q, faceted.ids, faceted.meta?.page]).toEqual([q, plain.ids, plain.meta?.page])
    const facets = (faceted.meta?.facets ?? {}) as Record<string, { id: string; value: string; count: number }[]>
    expect([q, facets.genre, facets.kind]).toEqual([q, [], [{ id: 'base', value: 'base', count: 10_000 }]])
    expect(facets.set?.map(({ id, count }) => [id, count])).toEqual([
      [vast.id as string, 6000],
      [wide.id as string, 4000],
    ])
    expect(faceted.meta?.facets_are_estimates).toBe(true)
  }
  const cards = await find('vas', '&filter[type]=cards')
  expect(cards.ids).toEqual((await find('vast', '&filter[type]=cards')).ids)
  expect(cards.ids).toHaveLength(25)
  const all = Number((await sql`select count(*)::int as count from cards`)[0]?.count)
  for (const q of ['vast', 'leader OR vast', 'vast leader']) {
    const { meta } = await find(q, '&filter[type]=cards')
    const { total, estimatedTotal } = (meta?.page ?? {}) as { total?: number; estimatedTotal?: { bestGuess: number } }
    expect(total ?? estimatedTotal?.bestGuess).toBeLessThanOrEqual(all)
  }
  await sql`delete from cards where set_id in (${vast.id as string}, ${wide.id as string})`
  await sql`update sets set live_cards = 0 where id in (${vast.id as string}, ${wide.id as string})`
})

test('of a print run that very many cards have those in the sets that are meant come first', async () => {
  const labels = { manufacturer: await make.manufacturer({ name: 'Topps' }), status: 'published' }
  const bowman = await make.set({ ...labels, name: 'Bowman Chrome', brand: await make.brand({ name: 'Bowman' }) })
  const topps = await make.set({ ...labels, name: 'Topps Chrome', brand: await make.brand({ name: 'Topps' }) })
  await make.card({ set: bowman, number: '0', serial_number: '/50' })
  const meant = await make.card({ set: topps, number: '1', serial_number: '/50' })
  const tally = serialLimitId('50')
  // The print run has fewer cards than each word of the query, so that it finds the candidates: far more than are ranked.
  const counted = async (more: { ofPrintRun: number; ofTopps: number }) => {
    await sql`
      update tallies set live = live + ${more.ofPrintRun}, published = published + ${more.ofPrintRun} where id = ${tally}`
    await sql`update sets set live_cards = live_cards + ${more.ofPrintRun} where id = ${bowman.id}`
    await sql`update sets set live_cards = live_cards + ${more.ofTopps} where id = ${topps.id}`
  }
  for (const [{ id }, count, serial] of [
    [bowman, 10_500, '/50'],
    [topps, 11_500, null],
  ] as const)
    await sql`
      insert into cards (id, set_id, set_no, number, number_key, name, serial_number, created_at, updated_at)
      select gen_random_uuid(), s.id, s.no, n::text, '0' || length(n::text) || n, n::text, ${serial}, now(), now()
      from sets s, generate_series(10, ${count}::int + 9) n where s.id = ${id}`
  await counted({ ofPrintRun: 10_500, ofTopps: 11_500 })
  await sql`analyze cards`
  expect((await find('topps chrome /50')).ids[0]).toBe(meant.id)
  await sql`delete from cards where set_id in (${bowman.id}, ${topps.id}) and number not in ('0', '1')`
  await counted({ ofPrintRun: -10_500, ofTopps: -11_500 })
  await sql`analyze cards`
})

test('of a player whose names very many cards have singly the own cards come first', async () => {
  const [earlier, late] = [
    await make.set({ name: 'Bulk', status: 'published' }),
    await make.set({ name: 'Late', status: 'published' }),
  ]
  const [first, last, both] = [
    await make.player({ first_name: 'Quentin', last_name: 'Abbot' }),
    await make.player({ first_name: 'Bob', last_name: 'Zimmer' }),
    await make.player({ first_name: 'Quentin', last_name: 'Zimmer' }),
  ]
  for (const player of [first, last]) await make.card({ set: earlier, number: '0', oncard: [player] })
  const own = await make.card({ set: late, number: '1', oncard: [both] })
  const each = 10_400
  for (const { id } of [first, last])
    await sql`
      with made as (
        insert into cards (id, set_id, set_no, number, number_key, name, has_player, created_at, updated_at)
        select gen_random_uuid(), s.id, s.no, n::text, '0' || length(n::text) || n, n::text, true, now(), now()
        from sets s, generate_series(10, ${each}::int + 9) n where s.id = ${earlier.id} returning id, set_no, number_key
      )
      insert into oncard (card_id, position, player_id, set_no, number_key, lists_player, lists_team, lists_player_team)
      select id, 0, ${id}, set_no, number_key, true, false, false from made`
  const counted = async (more: number) => {
    await sql`
      update tallies set live = live + ${more}, published = published + ${more}
      where list = 2 and id in (${first.id}, ${last.id})`
    await sql`update sets set live_cards = live_cards + ${2 * more} where id = ${earlier.id}`
  }
  await counted(each)
  // As if changes were missing from the feed: names and their counts are read again.
  await sql`update feed set last = last + 1`
  await sql`analyze cards, oncard`
  expect((await find('quentin zimmer', '&filter[type]=cards')).ids).toContain(own.id)
  expect((await find('quentin zimmer')).ids.slice(0, 2)).toEqual([both.id, own.id])
  await sql`delete from oncard where set_no = (select no from sets where id = ${earlier.id}) and number_key >= '02'`
  await sql`delete from cards where set_id = ${earlier.id} and number <> '0'`
  await counted(-each)
  await sql`analyze cards, oncard`
})
