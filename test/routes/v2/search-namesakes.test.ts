import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const { sql } = app.context.db

test('of more namesakes than are compared the one with very many cards comes first, and all are listed to the last', async () => {
  const count = 1150
  await sql`
    insert into players (id, first_name, last_name, name, audience, created_at, updated_at)
    select gen_random_uuid(), 'Zed', 'Doe ' || n, 'Zed Doe ' || n, 2, now(), now() from generate_series(1, ${count}::int) n`
  const set = await make.set({ status: 'published' })
  const known = await make.player({ first_name: 'Zed', last_name: 'Roe' })
  await make.card({ set, oncard: [known] })
  const id = known.id as string
  await sql`update tallies set live = 150, published = 150 where list = 2 and id = ${id}`
  const found: string[] = []
  let next: string | null = '/v2/search?q=zed&filter[type]=players&page[size]=100'
  while (next) {
    const answer = await app.reader.get(next)
    expect([answer.status, answer.meta?.page]).toEqual([200, { total: count + 1 }])
    found.push(...answer.many.map((one) => one.id as string))
    next = (answer.links.next as string | null)?.replace(app.baseUrl, '') ?? null
  }
  expect(found[0]).toBe(id)
  expect(new Set(found).size).toBe(count + 1)
  expect(found).toHaveLength(count + 1)
  const cards = await app.reader.get('/v2/search?q="zed roe" OR "zed doe"&filter[type]=cards')
  expect([cards.status, cards.meta?.page]).toEqual([200, { total: 1 }])
  await sql`update tallies set live = 1, published = 1 where list = 2 and id = ${id}`
  await sql`delete from players where first_name = 'Zed' and id <> ${id}`
})
