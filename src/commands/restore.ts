import { resolve } from 'node:path'
import { restore as putBack, type Restored } from '../../db/backup/restore.ts'
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

The backup is unpacked, its pages are checked and its database is opened before anything is replaced; what was there is kept
beside it. Restored by root, all of it belongs to the owner of the data directory, with modes 0700 and 0600; where there is none
yet, to the owner of the folder that it is made in.

  FILE     what cardstock backup wrote
  --json   print {"replaced","uid"}: the folder that keeps what was there, or null, and whose all of it is
`,
  run: async () => {
    throw new Failed(stopFirst)
  },
  alone: async (args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['FILE'])
    const { databaseUrl, dataDir } = readConfig()
    if (databaseUrl) throw new Failed('DATABASE_URL is set: restore a PostgreSQL server with pg_restore.')
    return say(io, flags.json, await putBack(dataDir, resolve(io.cwd, words[0] ?? '')).catch(explain))
  },
}

const explain = (error: unknown): never => {
  throw error instanceof FolderInUse ? new Failed(stopFirst) : error
}

const say = (io: Io, json: boolean | undefined, { replaced, owner: { uid } }: Restored) =>
  answer(io, json, { replaced, uid }, [
    `Restored. All of it belongs to uid ${uid}: start the service as that user.`,
    ...(replaced ? [`What was there is kept in ${replaced}.`] : []),
  ])
