import type { Sql } from '../../db/client.ts'

type Made = { drop: string; make: string }

/**
 * Does work in a transaction while tables have only their keys, then makes their indexes and references again as the
 * database's own catalog defines them: each index is built from all rows at once, each reference is checked once.
 */
export const withoutIndexes = async (sql: Sql, tables: string[], work: () => Promise<void>) => {
  const made = [...(await references(sql, tables)), ...(await indexes(sql, tables))]
  for (const { drop } of made) await sql.unsafe(drop)
  await work()
  for (const { make } of made.toReversed()) await sql.unsafe(make)
}

/** Foreign keys of the tables, and those from elsewhere to them. */
const references = (sql: Sql, tables: string[]) => sql<Made[]>`
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
  from pg_constraint
  where contype = 'f' and (conrelid = any(${tables}::regclass[]) or confrelid = any(${tables}::regclass[]))`

/** Indexes that belong to no key; rows come in the order of their keys. */
const indexes = (sql: Sql, tables: string[]) => sql<Made[]>`
  select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
  from pg_index i
  where indrelid = any(${tables}::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
