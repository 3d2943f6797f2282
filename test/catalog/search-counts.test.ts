import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'

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
