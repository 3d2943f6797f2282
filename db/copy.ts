import type { Database, Transaction } from './database.ts'
import { migrations } from './migrations/index.ts'

/** Thrown if the target of a copy is unsuitable. Nothing has been written then. */
export class UnfitTarget extends Error {}

type Column = { name: string; type: string }
type Table = { name: string; columns: Column[]; keys: Column[] }

const rowsAtOnce = 1000
const own = ['migrations', 'migration_lease']

/**
 * Copies every row of one migrated database into an empty one in the same state, all or nothing. The source must not change in
 * the meantime. Returns how many rows each table has. `copied` gets the running total.
 */
export const copyAll = async (
  source: Database,
  target: Database,
  copied: (rows: number) => void = () => {},
): Promise<Record<string, number>> => {
  const tables = await readTables(source)
  return target.transaction(async (tx) => {
    await requireEmpty(tx, tables)
    const references = await dropReferences(tx)
    const counts: Record<string, number> = {}
    let sum = 0
    for (const table of tables) {
      await tx.sql`delete from ${tx.sql(table.name)}`
      counts[table.name] = await copyTable(source, tx, table, (rows) => copied(sum + rows))
      sum += counts[table.name] ?? 0
    }
    for (const { table, name, definition } of references)
      await tx.sql.unsafe(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
    await advanceSequences(tx)
    return counts
  })
}

/** Tables with the columns that contain data, and their primary keys. */
const readTables = (db: Database) => db.sql<Table[]>`
  select c.relname as name,
    (
      select jsonb_agg(
        jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum
      ) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    ) as columns,
    (
      select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by k.place)
      from pg_index i cross join lateral unnest(i.indkey::int2[]) with ordinality as k (column_no, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.column_no
      where i.indrelid = c.oid and i.indisprimary
    ) as keys
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all (${own})
  order by c.relname`

/** A target is in use if it has an account or catalog data. What migrations themselves wrote doesn't count. */
const requireEmpty = async (tx: Transaction, tables: Table[]) => {
  const [state] = await tx.sql<{ finished: number }[]>`
    select count(*)::int as finished from migrations where finished_at is not null`
  if (state?.finished !== migrations.length)
    throw new UnfitTarget('The target database belongs to another version of Cardstock.')
  for (const { name } of tables.filter((table) =>
    ['users', 'sets', 'cards', 'players', 'teams'].includes(table.name),
  )) {
    const used = await tx.sql`select 1 from ${tx.sql(name)} limit 1`
    if (used.length > 0) throw new UnfitTarget(`The target database is in use: it has ${name}. Name an empty one.`)
  }
}

/** The order of tables ignores references, so these are checked once all rows are there. */
const dropReferences = async (tx: Transaction) => {
  const references = await tx.sql<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace
    order by conrelid::regclass::text, conname`
  for (const { table, name } of references) await tx.sql.unsafe(`alter table ${table} drop constraint ${quoted(name)}`)
  return references
}

/** Moves sequences past the last number that was copied. */
const advanceSequences = async (tx: Transaction) => {
  const owned = await tx.sql<{ sequence: string; table: string; column: string }[]>`
    select s.relname as sequence, t.relname as "table", a.attname as "column"
    from pg_depend d
    join pg_class s on s.oid = d.objid and s.relkind = 'S' and s.relnamespace = 'public'::regnamespace
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')`
  for (const { sequence, table, column } of owned)
    await tx.sql`
      select setval(${quoted(sequence)}::text::regclass, max(${tx.sql(column)})) from ${tx.sql(table)}
      having max(${tx.sql(column)}) is not null`
}

const copyTable = async (source: Database, tx: Transaction, table: Table, copied: (rows: number) => void) => {
  let [rows, after] = [0, undefined as string[] | undefined]
  for (;;) {
    const page = await readPage(source, table, after)
    if (page.count > 0) await writePage(tx, table, page.rows)
    rows += page.count
    copied(rows)
    if (page.count < rowsAtOnce) return rows
    after = page.last
  }
}

/** Documents are copied as texts. Otherwise a JSON null would arrive as NULL. */
const isDocument = ({ type }: Column) => type === 'jsonb' || type === 'json'
const packed = (column: Column) => {
  const name = quoted(column.name)
  return isDocument(column) ? `${name}::text as ${name}` : name
}
const unpacked = (column: Column) => {
  const name = quoted(column.name)
  return isDocument(column) ? `(${name} #>> '{}')::${column.type}` : name
}

/** One page in primary key order, as JSON that isn't parsed here, so that no value changes on its way. */
const readPage = async (db: Database, { name, columns, keys }: Table, after: string[] | undefined) => {
  const key = keys.map((one) => quoted(one.name)).join(', ')
  const from = after ? `where (${key}) > (${keys.map((one, at) => `$${at + 1}::text::${one.type}`).join(', ')})` : ''
  const [page] = await db.sql.unsafe<{ rows: string; count: number; last: string[] }[]>(
    `with page as (select ${columns.map(packed).join(', ')} from ${quoted(name)} ${from} order by ${key} limit ${rowsAtOnce})
    select coalesce(json_agg(page), '[]')::text as rows, count(*)::int as count,
      (select jsonb_build_array(${keys.map((one) => `${quoted(one.name)}::text`).join(', ')})
       from page order by ${keys.map((one) => `${quoted(one.name)} desc`).join(', ')} limit 1) as last
    from page`,
    after ?? [],
    { prepare: true },
  )
  return page ?? { rows: '[]', count: 0, last: [] }
}

const writePage = (tx: Transaction, { name, columns }: Table, rows: string) => {
  const list = columns.map((column) => quoted(column.name)).join(', ')
  return tx.sql.unsafe(
    `insert into ${quoted(name)} (${list}) select ${columns.map(unpacked).join(', ')} from json_populate_recordset(null::${quoted(name)}, $1::text::json)`,
    [rows],
    { prepare: true },
  )
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
