import { type Database, openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { issueCredential } from '../../src/access/credentials.ts'
import { makeApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { makeContext } from '../../src/context.ts'
import { openLog } from '../../src/lib/log.ts'

/** A service on a database of its own, in this process, and a reader that its window never stops. */
export type Rig = {
  db: Database
  token: string
  fetch: (path: string) => Promise<Response>
  listen: (port: number) => void
  close: () => Promise<void>
}

/** Opens the service on a PostgreSQL and makes a credential that sees published data, or an operator's session. */
export const openRig = async (databaseUrl: string, who: 'reader' | 'operator' = 'reader'): Promise<Rig> => {
  const config = readConfig({
    ...{ DATABASE_URL: databaseUrl, APP_ENV: 'development', LOG_LEVEL: 'silent' },
    ...{ TRUSTED_PROXIES: '127.0.0.1', LIMIT_CATALOG_PAGES_PER_10_MINUTES: '1000000' },
  })
  const db = await openDatabase({ databaseUrl, dataDir: '' })
  await migrate(db)
  const context = makeContext({ config, db, log: openLog('silent'), secret: 'a secret for the bench alone, no other' })
  const userId = Bun.randomUUIDv7()
  await db.sql`insert into users (id, email, email_key, operator, created_at, updated_at) values (${userId}, ${`${userId}@example.org`}, ${`${userId}@example.org`}, true, now(), now())`
  const kind = who === 'operator' ? 'session' : 'personal_token'
  const { secret } = await issueCredential(db, kind, userId, config, new Date(), { scopes: ['read:published'] })
  await db.sql`update credentials set agreed_limit = 2000000000, agreed_window_seconds = 86400 where user_id = ${userId}`
  const app = makeApp(context)
  const headers = { Authorization: `Bearer ${secret}` }
  return {
    db,
    token: secret,
    fetch: async (path) => app.handle(new Request(`http://localhost${path}`, { headers })),
    listen: (port) => void app.listen({ port, hostname: '127.0.0.1' }),
    close: () => db.close(),
  }
}
