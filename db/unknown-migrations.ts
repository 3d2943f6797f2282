import { version } from '../src/version.ts'
import type { Database } from './database.ts'
import { type Migration, migrations } from './migrations/index.ts'

/** Thrown if a newer Cardstock has migrated the database. The message names the migrations that this one doesn't know. */
export class NewerDatabase extends Error {
  constructor(unknown: string[]) {
    super(
      `The database has migrations that this Cardstock (${version}) does not know: ${unknown.join(', ')}. Run the Cardstock that applied them, or a newer one.`,
    )
  }
}

/** Throws NewerDatabase if the database has migrations, finished or not, that aren't in this executable or `list`. */
export const refuseUnknownMigrations = async (db: Database, list: readonly Migration[] = []): Promise<void> => {
  const known = [...migrations, ...list].map(({ name }) => name)
  const unknown = await db.sql<{ name: string }[]>`
    select name from migrations where name <> all(${known}::text[]) order by name`
  if (unknown.length > 0) throw new NewerDatabase(unknown.map(({ name }) => name))
}
