import { afterAll, expect, test } from 'bun:test'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { emailKey } from '../../src/lib/email.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
afterAll(() => db.close())

const before = migrations.findIndex(({ name }) => name === '0024_addresses')

/** The database as it was before addresses had keys of the service’s making. */
const asItWas = async () => {
  await db.sql`drop schema public cascade`
  await db.sql`create schema public`
  await migrate(db, migrations.slice(0, before))
}

test('addresses of accounts from before get the key that the service makes, or none that an address has', async () => {
  await asItWas()
  const emails = ['Ana@Example.ORG', 'bea@example.org', 'eve@gma\u0130l.example', 'J\u00d6RG@example.org']
  await db.sql`
    insert into users (id, email, verified_at, created_at, updated_at)
    select gen_random_uuid(), email, now(), now(), now() from unnest(${emails}::text[]) as e (email)`
  await db.sql`
    insert into waiting_list (id, email, listed_at)
    select gen_random_uuid(), email, now() from unnest(${emails}::text[]) as e (email)`
  await migrate(db)
  for (const table of ['users', 'waiting_list']) {
    const rows = await db.sql<{ id: string; email: string; email_key: string }[]>`
      select id, email, email_key from ${db.sql(table)}`
    const keys = new Map(rows.map((row) => [row.email, row.email_key === row.id ? 'its id' : row.email_key]))
    expect(keys).toEqual(
      new Map([
        ['Ana@Example.ORG', 'ana@example.org'],
        ['bea@example.org', 'bea@example.org'],
        ['eve@gma\u0130l.example', 'its id'],
        ['J\u00d6RG@example.org', 'its id'],
      ]),
    )
    for (const { id } of rows) expect(emailKey(id)).toBeUndefined()
  }
}, 120_000)
