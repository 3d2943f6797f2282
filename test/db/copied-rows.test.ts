import { afterAll, expect, test } from 'bun:test'
import { arrayOf } from '../../db/arrays.ts'
import type { Transaction } from '../../db/client.ts'
import { copyIn, copyRows } from '../../db/copied-rows.ts'
import { insertRows } from '../../db/rows.ts'
import { cards, importMade } from '../../db/schema/index.ts'
import { concurrentDatabase } from '../support/database.ts'

const db = await concurrentDatabase('rows that are copied')
afterAll(() => db?.close())

const names = [
  'id',
  'set_id',
  'set_no',
  'number_key',
  'name',
  'title',
  'notes',
  'has_player',
  'created_at',
  'updated_at',
] as const
const card = (more: Partial<Record<(typeof names)[number], unknown>> = {}) => ({
  ...{ id: crypto.randomUUID(), set_id: crypto.randomUUID().toUpperCase(), set_no: -7, number_key: '', name: 'A card' },
  ...{ title: null, notes: null, has_player: true },
  ...{ created_at: '2026-11-22T19:01:28.123Z', updated_at: '1987-02-03 04:05:06.789+00', ...more },
})
type Card = Record<(typeof names)[number], never>
const bound = (rows: unknown[]) => rows as Card[]

/** A table like that of cards, which refers to nothing. */
const inTable = <T>(work: (tx: Transaction) => Promise<T>) =>
  (db as NonNullable<typeof db>).transaction(async (tx) => {
    await tx.sql`create temp table cards (like public.cards including all) on commit drop`
    return work(tx)
  })

const copy = (tx: Transaction, rows: unknown[]) => {
  const { text, copied } = copyRows(cards, names, bound(rows))
  return tx.sql.unsafe(text, [], { copied })
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code }: { code?: string }) => code,
  )

test.skipIf(!db)('rows that are copied are stored as if they were inserted', async () => {
  const texts = ['"a", \'b\' \\ {c}\t\n', '漢字 🂡 é', '', 'x'.repeat(70_000), 'NULL', '\\N']
  const rows = [
    card(),
    ...texts.map((text) => card({ title: text, notes: text, name: text, has_player: false })),
    card({ set_no: 2147483647, created_at: '0099-01-01T00:00:00Z', updated_at: '9999-12-31T23:59:59.999Z' }),
    { ...card(), title: undefined },
  ]
  const stored = await inTable(async (tx) => {
    const { text, values } = insertRows(cards, names, bound(rows))
    const all = () => tx.sql`with gone as (delete from cards returning *) select * from gone order by id`
    await tx.sql.unsafe(text, values)
    const inserted = await all()
    await copy(tx, rows)
    return { inserted: [...inserted], copied: [...(await all())] }
  })
  expect(stored.inserted).toHaveLength(rows.length)
  expect(stored.copied).toEqual(stored.inserted)
})

test.skipIf(!db)('what the database refuses of a copy fails its statement, and the connection goes on', async () => {
  const twice = card()
  const many = Array.from({ length: 5000 }, () => card({ notes: 'some notes '.repeat(20) }))
  expect(await codeOf(inTable((tx) => copy(tx, [twice, ...many, twice])))).toBe('23505')
  expect(await codeOf(inTable((tx) => copy(tx, [twice, twice, ...many])))).toBe('23505')
  expect(await codeOf(inTable((tx) => copy(tx, [card({ name: 'a\0b' })])))).toBe('22021')
  expect(await codeOf(inTable((tx) => copy(tx, [card({ name: null })])))).toBe('23502')
  expect(
    await inTable(async (tx) => [...(await copy(tx, many)), ...(await tx.sql`select count(*)::int from cards`)]),
  ).toEqual([{ count: 5000 }])
})

test.skipIf(!db)('a copy is waited for like any statement: others behind it come after', async () => {
  const rows = Array.from({ length: 500 }, () => card())
  const [, counted] = await inTable((tx) =>
    Promise.all([copy(tx, rows), tx.sql<{ count: number }[]>`select count(*)::int from cards`]),
  )
  expect([...counted]).toEqual([{ count: 500 }])
})

test.skipIf(!db)('ids of one row are stored in their order, however many there are', async () => {
  const ids = Array.from({ length: 1000 }, () => crypto.randomUUID())
  for (const some of [ids, ids.slice(0, 1), []]) {
    const row = { id: crypto.randomUUID(), import_id: crypto.randomUUID(), object_type: 'cards', ids: some }
    const stored = await (db as NonNullable<typeof db>).transaction(async (tx) => {
      await copyIn(tx, importMade, ['id', 'import_id', 'object_type', 'ids'], [row])
      return tx.sql`
        delete from import_made where id = ${row.id} and ids = ${arrayOf(some)}::text::uuid[] returning object_type, ids`
    })
    expect([...stored]).toEqual([{ object_type: 'cards', ids: some }])
  }
})

test('an id that is none is refused before anything is sent', () => {
  for (const id of ['', 'not an id', `${crypto.randomUUID()}0`, crypto.randomUUID().replace(/.$/, 'g')])
    expect(() => copyRows(cards, names, bound([card({ id })]))).toThrow('is not a UUID')
})
