import postgres from 'postgres'
import { hasCode } from '../../db/faults.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { openPostgres } from '../../db/postgres.ts'

const fingerprint = new Bun.CryptoHasher('sha256').update(JSON.stringify(migrations)).digest('hex').slice(0, 12)
const template = `cardstock_template_${fingerprint}`

/** A migrated database of its own on a server: a copy of a template that is made once for each state of the migrations. */
export const clonedDatabase = async (server: string): Promise<{ url: string; drop: () => Promise<void> }> => {
  const name = `cardstock_test_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`
  await onServer(server, async (sql) => {
    await makeTemplate(server, sql)
    await create(sql, name, template)
    // Our tests never cut the power of a server that others may use.
    await sql`alter database ${sql(name)} set synchronous_commit = off`
  })
  return {
    url: withDatabase(server, name),
    drop: () => onServer(server, async (sql) => void (await sql`drop database if exists ${sql(name)} with (force)`)),
  }
}

/**
 * Made under another name and renamed once it is complete, so that a template is always finished. Slower processes drop theirs.
 */
const makeTemplate = async (server: string, sql: postgres.Sql) => {
  const found = await sql`select 1 from pg_database where datname = ${template}`
  if (found.length > 0) return
  const draft = `${template}_${crypto.randomUUID().slice(0, 8)}`
  await create(sql, draft, 'template0')
  const db = openPostgres({ url: withDatabase(server, draft), poolSize: 1 })
  await migrate(db)
  await db.close()
  try {
    await sql`alter database ${sql(draft)} rename to ${sql(template)}`
  } catch (error) {
    await sql`drop database ${sql(draft)}`
    if (!hasCode(error, '42P04', '23505')) throw error
  }
}

/** A database can only be copied while nobody uses it, and another test file may be copying it. */
const create = async (sql: postgres.Sql, name: string, from: string) => {
  for (let attempt = 1; ; attempt++)
    try {
      await sql`
        create database ${sql(name)} template ${sql(from)} encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'`
      return
    } catch (error) {
      if (attempt === 300 || !hasCode(error, '55006')) throw error
      await Bun.sleep(100)
    }
}

const onServer = async <T>(server: string, work: (sql: postgres.Sql) => Promise<T>) => {
  const sql = postgres(withDatabase(server, 'postgres'), { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

const withDatabase = (server: string, name: string) => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
