import type { Database } from './database.ts'

/** Thrown if a database has tables, but none of ours. The message names the first three. */
class ForeignDatabase extends Error {
  constructor(name: string, tables: string[], count: number) {
    const more = count > tables.length ? `, and ${count - tables.length} more` : ''
    super(
      `The database ${name} has tables of something else: ${tables.join(', ')}${more}. Create an empty one for Cardstock with createdb, and set it in DATABASE_URL.`,
    )
  }
}

/**
 * Throws ForeignDatabase if a database without our migrations has tables in any schema, except those of extensions. A table
 * `migrations` may be somebody else's, too: ours has steps.
 */
export const refuseForeignTables = async (db: Database): Promise<void> => {
  const [found] = await db.sql<{ name: string; tables: string[]; count: number }[]>`
    select current_database() as name, count(*)::int as count,
      (array_agg(c.oid::regclass::text order by lower(c.relname::text), n.nspname))[:3] as tables
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'f') and c.relpersistence <> 't'
      and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_toast%'
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
      )
      and not exists (
        select from pg_attribute a
        where a.attrelid = to_regclass('migrations') and a.attname in ('name', 'steps', 'finished_at')
          and not a.attisdropped
        having count(*) = 3
      )`
  if (found && found.count > 0) throw new ForeignDatabase(found.name, found.tables, found.count)
}
