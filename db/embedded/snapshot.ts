import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pglite from '../../node_modules/@electric-sql/pglite/package.json' with { type: 'json' }
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { packDirectory } from './pack.ts'
import { startDatabase } from './start.ts'

/** The name of the packed, empty, migrated database. It changes whenever a migration or the server does. */
export const snapshotName = `cardstock-${new Bun.CryptoHasher('sha256')
  .update(JSON.stringify([pglite.version, process.arch, migrations]))
  .digest('hex')
  .slice(0, 16)}.snapshot`

/** The packed database: from inside the executable, or, when run from source, made once and kept with the packages. */
export const readSnapshot = async (): Promise<Uint8Array> => {
  const inside = Bun.embeddedFiles.find((file) => 'name' in file && file.name === snapshotName)
  if (inside) return new Uint8Array(await inside.arrayBuffer())
  const kept = Bun.file(join(keptIn, snapshotName))
  return (await kept.exists()) ? kept.bytes() : keep(await makeSnapshot())
}

const keptIn = join(import.meta.dir, '../../node_modules/.cache/cardstock')

const keep = (snapshot: Uint8Array) => {
  try {
    mkdirSync(keptIn, { recursive: true })
    const written = join(keptIn, `${snapshotName}.${process.pid}`)
    writeFileSync(written, snapshot)
    renameSync(written, join(keptIn, snapshotName))
  } catch {
    // The packages may be read-only: then every start makes its own.
  }
  return snapshot
}

const makeSnapshot = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cardstock-'))
  try {
    const db = await startDatabase(directory, false)
    await migrate(db)
    await dropTemplates(db)
    await db.sql`vacuum (freeze, analyze)`
    await db.close()
    return packDirectory(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

// No other database will ever be created in here. Without the two templates, only half as much has to be unpacked.
const dropTemplates = async (db: Database) => {
  await db.sql`update pg_database set datistemplate = false, datallowconn = true where datname like 'template_'`
  await db.sql`drop database template0`
  await db.sql`drop database template1`
}
