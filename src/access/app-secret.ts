import { constants } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { settings } from '../../db/schema/index.ts'
import type { Config } from '../config.ts'
import { randomText, type Secrets } from '../lib/secret.ts'

/** The secret that signs, followed by those in `APP_SECRET_PREVIOUS`, which are only accepted (decisions.md §12). */
export const readSecrets = async (config: Config, db: Database): Promise<Secrets> => [
  await readAppSecret(config, db),
  ...config.previousAppSecrets,
]

/**
 * The secret that signs: `APP_SECRET`, or one that is generated once and kept in `DATA_DIR` (mode 0600) next to the embedded
 * database, or in the database itself, so that replicas agree (decisions.md §1).
 */
const readAppSecret = async (config: Config, db: Database): Promise<string> =>
  config.appSecret ?? (db.kind === 'embedded' ? keptInFolder(config.dataDir) : keptInDatabase(db))

const keptInFolder = async (folder: string): Promise<string> => {
  const path = join(folder, 'app-secret')
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (kept.trim()) return kept.trim()
  await mkdir(folder, { recursive: true })
  const secret = randomText()
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600)
  await file.writeFile(`${secret}\n`)
  await file.sync()
  await file.close()
  return secret
}

const keptInDatabase = async (db: Database): Promise<string> => {
  const { name, value } = settings
  await db.orm
    .insert(settings)
    .values({ name: 'app_secret', value: randomText() })
    .onConflictDoNothing({ target: name })
  const [row] = await db.orm.select({ value }).from(settings).where(eq(name, 'app_secret'))
  if (!row) throw new Error('The service’s secret is missing from its database.')
  return row.value
}
