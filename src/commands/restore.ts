import { resolve } from 'node:path'
import { restore as putBack, type Restored } from '../../db/backup/restore.ts'
import { FolderInUse } from '../../db/embedded/lock.ts'
import { readConfig } from '../config.ts'
import { answer, jsonFlag } from './answers.ts'
import { type Command, Failed, type Io } from './command.ts'
import { readFlags } from './flags.ts'

const stopFirst = 'A server is running on this data directory. Stop it first, then restore.'

export const restore: Command = {
  name: 'restore',
  summary: 'restore a backup into the data directory, while the service is stopped',
  help: `Usage: cardstock restore FILE [--json]

Unpacks the backup, checks its pages and opens its database before it replaces anything. The previous data is moved to
a folder in the data directory, whose path is printed. Delete it when you no longer need it. If you run this as root, everything
then belongs to the owner of the data directory, or of the folder it is created in, with modes 0700 and 0600.

  FILE     a file that cardstock backup wrote
  --json   print {"replaced","uid"}: the folder with the previous data or null, and the owner's uid
`,
  run: async () => {
    throw new Failed(stopFirst)
  },
  alone: async (args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['FILE'])
    const { databaseUrl, dataDir } = readConfig()
    if (databaseUrl) throw new Failed('DATABASE_URL is set. Restore a PostgreSQL server with pg_restore.')
    return say(io, flags.json, await putBack(dataDir, resolve(io.cwd, words[0] ?? '')).catch(explain))
  },
}

const explain = (error: unknown): never => {
  throw error instanceof FolderInUse ? new Failed(stopFirst) : error
}

const say = (io: Io, json: boolean | undefined, { replaced, owner: { uid } }: Restored) =>
  answer(io, json, { replaced, uid }, [
    `Restored. Everything belongs to uid ${uid}, so start the service as that user.`,
    ...(replaced ? [`The previous data is in ${replaced}.`] : []),
  ])
