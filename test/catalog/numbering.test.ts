import { expect, test } from 'bun:test'
import { numberChanges } from '../../src/catalog/sync/feed/number.ts'
import type { Answer } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { toldBy } from '../support/catalog-copy.ts'
import { factories } from '../support/factories.ts'

const app = await testApp()
const { sql } = app.db
const make = factories(app)

const numbers = async () =>
  (await sql<{ no: string | null }[]>`select no from changes order by no`).map(({ no }) => no && Number(no))

test('changes are numbered in their order, without a gap, however many do it at once', async () => {
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const player = await make.player()
      await numberChanges(app.db)
      if (n % 2) await app.operator.delete(`/v1/players/${player.id}`)
    }),
  )
  await numberChanges(app.db)
  expect(await numbers()).toEqual(Array.from({ length: 60 }, (_, n) => n + 1))
  const [told] = await sql<{ last: string }[]>`select last from feed`
  expect(Number(told?.last)).toBe(60)
  const wrong = await sql`
    select 1 from changes made join changes gone on gone.ids = made.ids and gone.audience_after = 0
    where made.audience_after > 0 and gone.no < made.no`
  expect(wrong.length).toBe(0)
})

test('changes of one record that are numbered together keep their order', async () => {
  const before = (await numbers()).length
  const players = await Promise.all(Array.from({ length: 10 }, () => make.player()))
  for (const { id } of players) await app.operator.delete(`/v1/players/${id}`)
  await numberChanges(app.db)
  const told = await sql<{ id: string; after: number }[]>`
    select array_to_string(ids, ',') as id, audience_after as after from changes where no > ${before} order by no`
  for (const { id } of players) expect(told.filter((one) => one.id === id).map(({ after }) => after)).toEqual([1, 0])
})

test('a writer sees its own change before it is numbered, and the end of the feed is behind it', async () => {
  const nextOf = ({ links }: Answer) => (links.next as string).replace(app.baseUrl, '')
  const end = nextOf(await app.operator.get('/v2/changes?page[after]=now'))
  const { id } = await make.player()
  expect(toldBy(await app.operator.get(end))).toEqual([{ action: 'upsert', type: 'players', id }])
  await make.player()
  const later = nextOf(await app.operator.get('/v2/changes?page[after]=now'))
  expect(toldBy(await app.operator.get(later))).toEqual([])
})

test.skipIf(app.db.kind === 'embedded')(
  'a change that commits late comes after what was numbered meanwhile (needs two sessions)',
  async () => {
    const before = (await numbers()).length
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: written, resolve: sayWritten } = Promise.withResolvers<void>()
    const late = Bun.randomUUIDv7()
    const slow = app.db.transaction(async (tx) => {
      await tx.sql`
      insert into changes (id, type, ids, audience_before, audience_after, changed_at)
      values (${late}, 'brands', ${`{${late}}`}::text::uuid[], 0, 1, now())`
      sayWritten()
      await held
    })
    await written
    await make.brand()
    await numberChanges(app.db)
    expect(await numbers()).toEqual(Array.from({ length: before + 1 }, (_, n) => n + 1))
    letGo()
    await slow
    await numberChanges(app.db)
    const [last] = await sql<{ id: string }[]>`select id from changes where no = ${before + 2}`
    expect(last?.id).toBe(late)
  },
)
