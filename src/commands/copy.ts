import { join } from 'node:path'
import { withStillCopy } from '../../db/backup/still-copy.ts'
import { type Database, openDatabase } from '../../db/client.ts'
import { copyAll } from '../../db/copy.ts'
import { startDatabase } from '../../db/embedded/start.ts'
import { migrate } from '../../db/migrate.ts'
import type { Context } from '../context.ts'
import { counted } from '../lib/counted.ts'
import { findPostgresUrlFault } from '../lib/postgres-url.ts'
import { answer, jsonFlag, required } from './answers.ts'
import { type Command, Failed, type Io, WrongUsage } from './command.ts'
import { readFlags, text } from './flags.ts'

export const copy: Command = {
  name: 'copy',
  summary: 'copy everything from the embedded database to PostgreSQL',
  help: `Usage: cardstock copy --to DATABASE_URL [--json]

Copies everything, including accounts and credentials, into an empty database. If it fails, it copies nothing. The server may
keep running, but the copy leaves out whatever is written after it began. Images on disk stay in the data directory.

  --to DATABASE_URL   such as postgres://user:password@host:5432/cardstock
  --json              print {"rows"}: the number of rows in each table
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { to: text, ...jsonFlag })
    const url = readUrl(flags.to)
    if (context.db.kind !== 'embedded')
      throw new Failed('The database is already a PostgreSQL server. Move it with pg_dump.')
    const target = await openDatabase({ databaseUrl: url, dataDir: context.config.dataDir, isBrief: true })
    const rows = await copyStill(context, target, io).finally(() => target.close())
    const sum = Object.values(rows).reduce((total, count) => total + count, 0)
    return answer(io, flags.json, { rows }, [
      `The new database has ${counted(sum, 'row')}.`,
      'Start the service with DATABASE_URL and, for the images, the same DATA_DIR. To keep tokens valid, set APP_SECRET to the secret in',
      `${join(context.config.dataDir, 'app-secret')}.`,
    ])
  },
}

const readUrl = (given: string | undefined) => {
  const url = required(given, 'to')
  const expected = findPostgresUrlFault(url)
  if (expected) throw new WrongUsage(`--to must be ${expected}`)
  return url
}

const copyStill = async ({ db, config }: Context, target: Database, io: Io) => {
  await migrate(target)
  return withStillCopy(db, config.dataDir, async (folder) => {
    const source = await startDatabase(join(folder, 'pg'), false)
    const rows = await copyAll(source, target, progress(io)).finally(() => source.close())
    if (io.stderr.isTTY) await io.stderr.write('\n')
    await target.sql`analyze`
    return rows
  })
}

const progress = (io: Io) => (rows: number) => {
  if (io.stderr.isTTY) void io.stderr.write(`\r${rows} rows`)
}
