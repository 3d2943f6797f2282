import type { Database } from '../../db/client.ts'
import { openPostgres } from '../../db/postgres.ts'
import type { Deadlines } from '../../db/turns.ts'
import { clonedDatabase } from './cloned-database.ts'
import { lendEmbedded } from './kept-server.ts'

const serverUrl = process.env.TEST_DATABASE_URL

/**
 * An empty, migrated database for one test file. Close it in `afterAll`. It is embedded, and emptied for the next file, or if
 * TEST_DATABASE_URL names a PostgreSQL server, a database there that is dropped at the end.
 */
export const testDatabase = (deadlines?: Deadlines): Promise<Database> =>
  serverUrl ? onServer(serverUrl, deadlines) : embedded(deadlines)

/**
 * The same for tests where several sessions must run at once, which the embedded database never does. Without TEST_DATABASE_URL
 * it is undefined, and a line says what is skipped.
 */
export const concurrentDatabase = async (what: string, deadlines?: Deadlines): Promise<Database | undefined> => {
  if (serverUrl) return onServer(serverUrl, deadlines)
  console.log(`skipped: ${what} (needs several sessions at once: set TEST_DATABASE_URL to a PostgreSQL server)`)
  return undefined
}

const embedded = async (deadlines?: Deadlines): Promise<Database> => {
  const { db, giveBack } = await lendEmbedded(deadlines)
  return closing(db, giveBack)
}

const onServer = async (server: string, deadlines?: Deadlines): Promise<Database> => {
  const { url, drop } = await clonedDatabase(server)
  return closing(openPostgres({ url, deadlines }), drop)
}

const closing = (db: Database, remove: () => void | Promise<void>): Database => {
  let closed: Promise<void> | undefined
  const close = async () => {
    await db.close()
    await remove()
  }
  return {
    ...db,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}
