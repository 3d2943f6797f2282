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

test('an account that was not verified becomes the sign-ups that it was made by, each with its password', async () => {
  await asItWas()
  await db.sql`
    insert into users (id, email, password_hash, verified_at, created_at, updated_at) values
      ('00000000-0000-7000-8000-000000000001', 'Waiting@example.org', 'last', null, now(), now()),
      ('00000000-0000-7000-8000-000000000002', 'there@example.org', 'kept', now(), now(), now())`
  await db.sql`
    insert into verifications (id, user_id, token_hash, password_hash, name, issued_at, expires_at, replaced_at, burned_at)
    select gen_random_uuid(), user_id::uuid, token::bytea, hash, name, now(), now(),
      case when token = 'replaced' then now() end, case when token = 'burned' then now() end
    from (values
      ('00000000-0000-7000-8000-000000000001', 'first', 'first', 'One'),
      ('00000000-0000-7000-8000-000000000001', 'replaced', null, null),
      ('00000000-0000-7000-8000-000000000001', 'last', 'last', 'Other'),
      ('00000000-0000-7000-8000-000000000002', 'burned', null, null)
    ) as v (user_id, token, hash, name)`
  await migrate(db)
  const signUps = await db.sql`
    select convert_from(v.token_hash, 'UTF8') as token, s.email_key, s.password_hash, s.name, s.user_id is null as waits
    from sign_ups s join verifications v on v.sign_up_id = s.id order by token`
  expect([...signUps] as unknown[]).toEqual([
    { token: 'burned', email_key: 'there@example.org', password_hash: null, name: null, waits: false },
    { token: 'first', email_key: 'waiting@example.org', password_hash: 'first', name: 'One', waits: true },
    { token: 'last', email_key: 'waiting@example.org', password_hash: 'last', name: 'Other', waits: true },
  ])
  expect([...(await db.sql`select email from users`)] as unknown[]).toEqual([{ email: 'there@example.org' }])
}, 120_000)
