import { resolve } from 'node:path'
import { restore as putBack } from '../../db/backup/restore.ts'
import { FolderInUse } from '../../db/embedded/lock.ts'
import { readConfig } from '../config.ts'
import { answer, jsonFlag } from './answers.ts'
import { type Command, Failed, type Io } from './command.ts'
import { readFlags } from './flags.ts'

const stopFirst = 'A server is running on this data directory: stop it, then restore.'

export const restore: Command = {
  name: 'restore',
  summary: 'put a backup into the data directory, with the server stopped',
  help: `Usage: cardstock restore FILE [--json]

The backup is unpacked and its database opened before anything is replaced; what was there is kept beside it.

  FILE     what cardstock backup wrote
  --json   print {"replaced"}: the folder that keeps what was there, or null
`,
  run: async () => {
    throw new Failed(stopFirst)
  },
  alone: async (args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['FILE'])
    const { databaseUrl, dataDir } = readConfig()
    if (databaseUrl) throw new Failed('DATABASE_URL is set: restore a PostgreSQL server with pg_restore.')
    const { replaced } = await putBack(dataDir, resolve(io.cwd, words[0] ?? '')).catch(explain)
    return say(io, flags.json, replaced)
  },
}

const explain = (error: unknown): never => {
  throw error instanceof FolderInUse ? new Failed(stopFirst) : error
}

const say = (io: Io, json: boolean | undefined, replaced: string | null) =>
  answer(io, json, { replaced }, ['Restored.', ...(replaced ? [`What was there is kept in ${replaced}.`] : [])])
