import { afterAll, expect, test } from 'bun:test'
import { withDeadline } from '../../../db/deadline.ts'
import { testDatabase } from '../../support/database.ts'

const db = await testDatabase()
afterAll(() => db.close())

const long = 'select count(*) from generate_series(1, 4000) a cross join generate_series(1, 2000) b'

test('work within its deadline answers', async () => {
  expect(await withDeadline(db, 5000, (tx) => tx.sql`select 1 as one`)).toMatchObject([{ one: 1 }])
})

test('work past its deadline is refused and leaves nothing', async () => {
  await db.sql`create table left_over (id int)`
  const late = withDeadline(db, 50, async (tx) => {
    await tx.sql`insert into left_over values (1)`
    await tx.sql.unsafe(long)
  })
  await expect(late).rejects.toMatchObject({ code: '57014' })
  expect(await db.sql`select id from left_over`).toHaveLength(0)
})

test('a deadline is gone with its transaction', async () => {
  await withDeadline(db, 50, (tx) => tx.sql`select 1`)
  expect(await db.sql.unsafe(long)).toHaveLength(1)
})
