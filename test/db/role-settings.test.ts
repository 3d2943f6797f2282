import { afterAll, describe, expect, test } from 'bun:test'
import { openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { openPostgres } from '../../db/postgres.ts'
import { ownServer } from '../support/own-server.ts'

const server = await ownServer('roles and databases with settings of their own')
afterAll(() => server?.remove())

/** A new role with these settings, and the URL of the database that it owns or merely visits. */
const roleWith = async (name: string, settings: string[], { isOwner = true } = {}) => {
  const admin = openPostgres({ url: server?.url ?? '', poolSize: 1 })
  await admin.sql.unsafe(`create role ${name} login`)
  await admin.sql.unsafe(`create database ${name}${isOwner ? ` owner ${name}` : ''}`)
  for (const setting of settings) await admin.sql.unsafe(`alter role ${name} set ${setting}`)
  await admin.close()
  return (server?.url ?? '').replace('postgres@', `${name}@`).replace(/postgres$/, name)
}

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: 'never-made' })

describe.skipIf(!server)('a role with settings of its own', () => {
  test('changes nothing about how dates, texts, arrays and transactions come', async () => {
    const settings = [
      ...[
        "DateStyle = 'SQL, DMY'",
        "TimeZone = 'Asia/Kolkata'",
        'standard_conforming_strings = off',
        'array_nulls = off',
      ],
      "default_transaction_isolation = 'serializable'",
    ]
    const db = await open(await roleWith('particular', settings))
    await migrate(db)
    const [row] = await db.sql`
      select '2026-03-04T05:06:07Z'::timestamptz::text as at, ('{null}'::text[])[1] is null as has_null, ${'a\\b'}::text as text,
        'c\\d' as literal, current_setting('transaction_isolation') as isolation`
    await db.close()
    expect(row as object).toEqual({
      ...{ at: '2026-03-04 05:06:07+00', has_null: true, text: 'a\\b', literal: 'c\\d', isolation: 'read committed' },
    })
  })

  test('that only reads is refused with the setting, and one without a schema with its search path', async () => {
    const readOnly = await roleWith('reader', ['default_transaction_read_only = on'])
    await expect(open(readOnly)).rejects.toThrow('default_transaction_read_only is on for the role reader')
    const lost = await roleWith('lost', ["search_path = 'nowhere'"])
    await expect(open(lost)).rejects.toThrow('alter role "lost" reset search_path')
  })

  test('that may not create tables is refused with the line that makes it the owner', async () => {
    const guest = await roleWith('guest', [], { isOwner: false })
    await expect(open(guest)).rejects.toThrow('alter database "guest" owner to "guest"')
  })
})
