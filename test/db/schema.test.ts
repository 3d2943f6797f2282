import { afterAll, expect, test } from 'bun:test'
import { is, SQL } from 'drizzle-orm'
import { getTableConfig, type PgColumn, PgDialect, PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../../db/schema/index.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
afterAll(() => db.close())

type Column = {
  type: string
  notNull: boolean
  default: string | null
  generated: string | null
  /** The values that a check allows. */
  values: string[] | null
}
type Table = { columns: Record<string, Column>; primaryKey: string[]; references: string[] }

const tables = Object.values(schema).filter((one) => is(one, PgTable))

test('the schema names every table once', () => {
  const names = tables.map((table) => getTableConfig(table).name)
  expect(names).toEqual([...new Set(names)])
})

test('the schema describes the migrated database: tables, columns, keys and references, both ways', async () => {
  const described = Object.fromEntries(tables.map((table) => [getTableConfig(table).name, describe(table)]))
  expect(described).toEqual(await readTables())
})

test('a column is named in code as it is in SQL', () => {
  const renamed = tables.flatMap((table) =>
    Object.entries(table).flatMap(([key, column]) => (key === column.name ? [] : [`${key}: ${column.name}`])),
  )
  expect(renamed).toEqual([])
})

test('a row is the same whether the builder or a statement wrote and read it', async () => {
  const { users, credentials, changes, jobs, auditLogs } = schema
  const at = '2026-11-22 19:01:28.123+00'
  const id = '00000000-0000-4000-8000-000000000001'
  const user = { id, email: 'Ann@example.com', email_key: 'ann@example.com', created_at: at, updated_at: at }
  await db.orm.insert(users).values(user)
  const secret_hash = new Uint8Array([0, 1, 254, 255])
  await db.orm.insert(credentials).values({
    ...{ id, user_id: id, kind: 'session', secret_hash, last_four: 'abcd', created_at: at },
    scopes: ['read:draft', 'a "quoted", {one}'],
  })
  const change = { id, no: '9007199254740993', type: 'cards', ids: [id], audience_before: 1, audience_after: 2 }
  await db.orm.insert(changes).values({ ...change, changed_at: at })
  const payload = { text: 'é', list: [1, null] }
  await db.orm.insert(jobs).values({ id, name: 'one', payload, run_at: at, max_attempts: 1, created_at: at })
  await db.orm.insert(auditLogs).values({ event_type: 'one', data: { a: 1 }, created_at: at })

  for (const table of [users, credentials, changes, jobs, auditLogs]) {
    const built = await db.orm.select().from(table)
    expect(built).toHaveLength(1)
    const read = await db.sql`select * from ${db.sql(getTableConfig(table).name)}`
    expect<unknown[]>([...read]).toEqual(built)
  }
  const [credential] = await db.orm.select().from(credentials)
  expect(credential).toMatchObject({ created_at: at, generation: 0, scopes: ['read:draft', 'a "quoted", {one}'] })
  expect([...(credential?.secret_hash ?? [])]).toEqual([0, 1, 254, 255])
  const [noted] = await db.orm.select().from(changes)
  expect(noted).toMatchObject(change)
  expect((await db.orm.select().from(jobs))[0]?.payload).toEqual(payload)
})

const describe = (table: PgTable): Table => {
  const { columns, primaryKeys, foreignKeys } = getTableConfig(table)
  return {
    columns: Object.fromEntries(columns.map((column) => [column.name, describeColumn(column)])),
    primaryKey: [...columns.filter(({ primary }) => primary), ...primaryKeys.flatMap((key) => key.columns)].map(
      ({ name }) => name,
    ),
    references: foreignKeys
      .map((key) => {
        const { columns, foreignTable, foreignColumns } = key.reference()
        const [from, to] = [columns, foreignColumns].map((list) => list.map(({ name }) => name).join(', '))
        return `${from} to ${getTableConfig(foreignTable).name} (${to}) on delete ${key.onDelete ?? 'no action'}`
      })
      .sort(),
  }
}

const describeColumn = (column: PgColumn): Column => ({
  type: column.getSQLType(),
  notNull: column.notNull,
  default: column.hasDefault && !column.generated ? expression(column.default) : null,
  generated: column.generated ? expression(column.generated.as) : null,
  values: column.enumValues ? [...column.enumValues].sort() : null,
})

const dialect = new PgDialect()

const expression = (value: unknown) => (is(value, SQL) ? dialect.sqlToQuery(value).sql : String(value))

const readTables = async (): Promise<Record<string, Table>> => {
  const columns = await db.sql<(Omit<Column, 'values'> & { table: string; name: string; check: string | null })[]>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as "notNull",
      case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as default,
      case when a.attgenerated = 's' then pg_get_expr(d.adbin, d.adrelid) end as generated,
      (
        select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
          and pg_get_constraintdef(k.oid) like '%ARRAY[%'
      ) as check
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm', 'f')
      and a.attnum > 0 and not a.attisdropped`
  const keys = await db.sql<{ table: string; kind: string; columns: string[]; target: string; onDelete: string }[]>`
    select c.relname as table, k.contype as kind,
      (
        select array_agg(a.attname::text order by o.place)
        from unnest(k.conkey) with ordinality o (no, place) join pg_attribute a on a.attrelid = c.oid and a.attnum = o.no
      ) as columns,
      f.relname || ' (' || (
        select string_agg(a.attname::text, ', ' order by o.place)
        from unnest(k.confkey) with ordinality o (no, place) join pg_attribute a on a.attrelid = f.oid and a.attnum = o.no
      ) || ')' as target,
      case k.confdeltype when 'a' then 'no action' when 'c' then 'cascade' when 'n' then 'set null'
        else k.confdeltype::text end as "onDelete"
    from pg_constraint k join pg_class c on c.oid = k.conrelid left join pg_class f on f.oid = k.confrelid
    where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'f')`
  const found: Record<string, Table> = {}
  for (const { table, name, check, ...column } of columns) {
    found[table] ??= { columns: {}, primaryKey: [], references: [] }
    found[table].columns[name] = { ...column, default: literal(column.default), values: valuesOf(check) }
  }
  for (const { table, kind, columns, target, onDelete } of keys)
    if (kind === 'p') found[table]?.primaryKey.push(...columns)
    else found[table]?.references.push(`${columns.join(', ')} to ${target} on delete ${onDelete}`)
  for (const { references } of Object.values(found)) references.sort()
  return found
}

/** `'draft'::text` is the default that the schema writes as draft. */
const literal = (expression: string | null) => expression?.replace(/^'(\w+)'::\w+$/, '$1') ?? null

const valuesOf = (check: string | null) =>
  check ? [...check.matchAll(/'(\w+)'/g)].map(([, value = '']) => value).sort() : null
