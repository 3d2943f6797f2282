import { afterAll, expect, test } from 'bun:test'
import { withDeadline } from '../../db/deadline.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const db = await testDatabase()
afterAll(() => db.close())

/** Takes so long at least, on whatever machine. */
const lasting = (milliseconds: number) => `
  do $$ begin
    while clock_timestamp() < statement_timestamp() + interval '${milliseconds} milliseconds' loop end loop;
  end $$`

test('work within its deadline answers', async () => {
  expect(await withDeadline(db, 60_000, (tx) => tx.sql`select 1 as one`)).toMatchObject([{ one: 1 }])
})

test('work past its deadline is refused and leaves nothing', async () => {
  await db.sql`create table left_over (id int)`
  const late = withDeadline(db, 50, async (tx) => {
    await tx.sql`insert into left_over values (1)`
    await tx.sql.unsafe(lasting(2000))
  })
  expect(await late.catch((error) => error)).toMatchObject({ code: '57014' })
  expect(await db.sql`select id from left_over`).toHaveLength(0)
})

test('a deadline is gone with its transaction', async () => {
  const first = () => withDeadline(db, 300, (tx) => tx.sql`select 1`).then(() => true)
  // On a machine that is busy the first work may be late itself.
  await until(() => first().catch(() => false))
  await db.sql.unsafe(lasting(900))
})

test('the time that work waits in turn is not of its deadline', async () => {
  const served = db.servedTo({ key: 'somebody' })
  const { promise: isOver, resolve: release } = Promise.withResolvers<void>()
  // All the connections that one caller gets, whatever the database.
  const held = [1, 2].map(() => served.transaction(() => isOver))
  const deadline = 1500
  const askedAt = performance.now()
  const late = withDeadline(served, deadline, (tx) => tx.sql`select 1 as one`, { waitsInTurn: true })
  const outcome = late.catch((error) => error)
  await until(() => performance.now() - askedAt > deadline + 100)
  release()
  await Promise.all(held)
  expect(await outcome).toMatchObject([{ one: 1 }])
})
