import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { type Migration, migrations } from '../../db/migrations/index.ts'
import * as schema from '../../db/schema/index.ts'

/** What the service answered to a caller before the dump was made. */
export type Answered = { caller: string; path: string; status: number; document: unknown }

/** What is known of a dump: when it was made, by which migrations (with their SHA-256), and who may come in. */
export type Head = {
  version: string
  at: string
  migrations: Record<string, string>
  /** The headers of each caller, by name. */
  callers: Record<string, Record<string, string>>
  password: string
  email: string
}

/** Where a release's dump and answers are kept. */
export const pathOf = (version: string, ending: 'sql' | 'answers.jsonl') =>
  join(import.meta.dir, `${version}.${ending}`)

/** The SHA-256 of what a migration does: of its text without comments, which may still be mended. */
export const checksumOf = ({ sql }: Migration) =>
  new Bun.CryptoHasher('sha256').update(sql.replace(/^\s*--(?!>).*\n/gm, '').replace(/\n{2,}/g, '\n')).digest('hex')

/** The rows of every table as SQL, parents before children; only what a table computes itself is left out. */
export const writeDump = async (db: Database, head: Head): Promise<string> => {
  const lines = [
    `-- A database of Cardstock ${head.version}, made by test/upgrade/make-dump.ts.`,
    `-- ${JSON.stringify(head)}`,
  ]
  for (const { name, columns } of inOrder()) {
    const rows = await readRows(db, name, columns)
    lines.push('', `delete from ${name};`)
    if (rows.length > 0) lines.push(`insert into ${name} (${columns.join(', ')}) values\n${rows.join(',\n')};`)
  }
  const [{ last = '1' } = {}] = await db.sql<{ last: string }[]>`select max(id) as last from audit_logs`
  return `${lines.join('\n')}\n\nselect setval('audit_logs_id', ${last});\n`
}

const readRows = async (db: Database, table: string, columns: string[]) => {
  const values = columns.map((column) => `quote_nullable(${column})`).join(', ')
  const rows = await db.sql.unsafe<{ line: string }[]>(
    `select '(' || array_to_string(array[${values}], ', ') || ')' as line from ${table}`,
  )
  return rows.map(({ line }) => line).sort()
}

/** Tables behind those that they refer to; who holds the migrations now is nothing to keep. */
const inOrder = () => {
  const ordered = new Map<string, string[]>()
  const visit = (table: PgTable) => {
    const { name, columns, foreignKeys } = getTableConfig(table)
    if (ordered.has(name)) return
    for (const key of foreignKeys) {
      const { foreignTable } = key.reference()
      if (foreignTable !== table) visit(foreignTable)
    }
    ordered.set(
      name,
      columns.filter(({ generated }) => !generated).map((column) => `"${column.name}"`),
    )
  }
  for (const table of Object.values(schema).filter((one) => is(one, PgTable))) visit(table)
  ordered.delete('migration_lease')
  return [...ordered].map(([name, columns]) => ({ name, columns }))
}

/** The dump of a release and the answers that it goes with. */
export const readDump = (version: string) => {
  const sql = readFileSync(pathOf(version, 'sql'), 'utf8')
  const head: Head = JSON.parse(sql.split('\n')[1]?.slice(3) ?? '')
  const lines = readFileSync(pathOf(version, 'answers.jsonl'), 'utf8').trimEnd().split('\n')
  const answers = lines.map((line): Answered => JSON.parse(line))
  return { sql, head, answers }
}

/** Makes a database what it was when the dump was made: migrated as far as that, with these rows. */
export const loadDump = async (db: Database, { sql, head }: Pick<ReturnType<typeof readDump>, 'sql' | 'head'>) => {
  await db.sql`drop schema public cascade`
  await db.sql`create schema public`
  await migrate(
    db,
    migrations.filter(({ name }) => name in head.migrations),
  )
  await db.sql.unsafe(sql)
}
