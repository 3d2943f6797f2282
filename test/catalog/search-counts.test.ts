import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { aDocument, factories } from '../support/factories.ts'

const app = await testApp()
const make = factories(app)
const { sql } = app.db
const found = (q: string, more = '') => app.reader.get(`/v2/search?q=${q}&filter[type]=cards&page[size]=100${more}`)

test('a total is exact where many sets of a label have few cards', async () => {
  const [brand, year] = [await make.brand({ name: 'Quill' }), await make.year({ name: '1901' })]
  for (let n = 0; n < 51; n++) {
    const set = await make.set({ name: `Quire ${n}`, brand, year, status: 'published', kind: 'insert' })
    await make.card({ set, number: '1' })
  }
  for (const q of ['brand:quill', 'year:1901', 'is:insert', 'quill 1901'])
    expect([q, (await found(q)).meta]).toEqual([q, { page: { total: 51 } }])
})

test('a total is exact where the first page holds all that was found, however many may have been meant', async () => {
  const set = await make.set({ name: 'Foolscap', status: 'published' })
  const noted = await make.card({ set, number: '1', notes: 'A watermark.' })
  await sql`
    insert into cards (id, set_id, set_no, number, number_key, name, created_at, updated_at)
    select gen_random_uuid(), s.id, s.no, n::text, '0' || length(n::text) || n, n::text, now(), now()
    from sets s, generate_series(2, 10300) n where s.id = ${set.id}`
  await sql`analyze cards`
  for (const [q, total] of [
    ['has:note', 1],
    ['has:image', 0],
    ['number:10299..', 2],
  ] as const)
    expect([q, (await found(q)).meta]).toEqual([q, { page: { total } }])
  const { meta } = await found('number:2..')
  expect(meta).toEqual({ page: { estimatedTotal: { bestGuess: expect.any(Number) } } })
  await sql`delete from cards where set_id = ${set.id} and id <> ${noted.id}`
  await sql`analyze cards`
})

test('a filter finds what few cards of very many have, and counts them', async () => {
  const [common, rare] = [await make.brand({ name: 'Vellum' }), await make.brand({ name: 'Papyrus' })]
  const set = await make.set({ name: 'Codex', brand: common, kind: 'variation', status: 'published' })
  const other = await make.set({ name: 'Scroll', brand: rare, kind: 'variation', status: 'published' })
  const card = await make.card({ set: other, number: '9' })
  await sql`
    insert into cards (id, set_id, set_no, number, number_key, name, created_at, updated_at)
    select gen_random_uuid(), s.id, s.no, n::text, '0' || length(n::text) || n, n::text, now(), now()
    from sets s, generate_series(1, 10300) n where s.id = ${set.id}`
  await sql`update sets set live_cards = 10300 where id = ${set.id}`
  await sql`analyze cards`
  await app.operator.patch(`/v2/sets/${set.id}`, aDocument('sets', { description: 'Bound.' }, {}, set.id as string))
  for (const [filter, id] of [
    ['brand', rare.id],
    ['set', other.id],
  ]) {
    const { many, meta } = await found('kind:variation', `&filter[${filter}]=${id}`)
    expect([filter, many.map((one) => one.id), meta]).toEqual([filter, [card.id], { page: { total: 1 } }])
  }
  await sql`delete from cards where set_id = ${set.id}`
  await sql`update sets set live_cards = 0 where id = ${set.id}`
  await sql`analyze cards`
})

test('a total is exact beyond the first page, too, where few cards of very many match', async () => {
  const player = await make.player({ first_name: 'Orla', last_name: 'Vellum' })
  const team = await make.team({ name: 'Vellums' })
  const [set, hidden] = [
    await make.set({ name: 'Parchment', status: 'published' }),
    await make.set({ name: 'Palimpsest', status: 'draft' }),
  ]
  await sql`
    insert into cards (id, set_id, set_no, number, number_key, name, notes, created_at, updated_at)
    select gen_random_uuid(), s.id, s.no, n::text, '0' || length(n::text) || n, n::text,
      case when n <= 50150 then 'Blotted.' when n = 50151 then '' end, now(), now()
    from sets s, generate_series(50001, case when s.id = ${set.id} then 60300 else 50200 end) n where s.id in (${set.id}, ${hidden.id})`
  for (let n = 0; n < 3; n++) await make.card({ set, number: `V${n}`, oncard: [player, team] })
  await make.card({ set, number: 'V9', oncard: [team] })
  await sql`analyze cards`
  const page = '&page[size]=2'
  // The card of the test before has a note, too.
  for (const [q, total] of [
    ['has:note', 151],
    ['has:player', 3],
    ['has:team', 4],
    ['number:50101..50300', 200],
    ['number:>=60201', 104],
    ['has:note number:>50100', 50],
    ['number:50101..50300 -has:note', 150],
    ['order:number has:note number:50000..', 150],
  ] as const) {
    const first = await app.reader.get(`/v2/search?q=${encodeURIComponent(q)}&filter[type]=cards${page}`)
    expect([q, first.meta]).toEqual([q, { page: { total } }])
  }
  let [path, seen] = [`/v2/search?q=has:note&filter[type]=cards&page[size]=60`, new Set<string>()]
  while (path) {
    const { many, links } = await app.reader.get(path)
    for (const { attributes } of many) seen.add(attributes.number as string)
    path = ((links.next as string | null) ?? '').replace(app.baseUrl, '')
  }
  expect([...seen].map(Number).toSorted((a, b) => a - b)).toEqual([
    1,
    ...Array.from({ length: 150 }, (_, n) => 50_001 + n),
  ])
  const { meta } = await found('number:!=5')
  expect(meta).toEqual({ page: { estimatedTotal: { bestGuess: expect.any(Number) } } })
  await sql`delete from cards where set_id in (${set.id}, ${hidden.id}) and not has_team`
  await sql`analyze cards`
})

test('where a term has more cards than were counted on all are listed, and those counted twice are no more', async () => {
  const labels = { brand: await make.brand({ name: 'Vast' }), manufacturer: await make.manufacturer({ name: 'Vast' }) }
  const set = await make.set({ name: 'Ocean', ...labels, status: 'published' })
  const has = async (count: number) => {
    await sql`delete from cards where set_id = ${set.id}`
    await sql`
      insert into cards (id, set_id, set_no, number, number_key, name, created_at, updated_at)
      select gen_random_uuid(), s.id, s.no, n::text, '0' || length(n::text) || n, n::text, now(), now()
      from sets s, generate_series(1, ${count}::int) n where s.id = ${set.id}`
  }
  await has(10_300)
  const first = await found('brand:vast', '&fields[cards]=number')
  expect(first.meta).toEqual({ page: { estimatedTotal: { bestGuess: expect.any(Number) } } })
  const last = await app.reader.get((first.links.last as string).replace(app.baseUrl, ''))
  expect(last.many.at(-1)?.attributes.number).toBe('10300')
  await has(6000)
  await sql`update sets set live_cards = 6000 where id = ${set.id}`
  for (const q of ['vast', 'ocean']) expect([q, (await found(q)).meta]).toEqual([q, { page: { total: 6000 } }])
  await has(0)
  await sql`update sets set live_cards = 0 where id = ${set.id}`
})
