import { resolve } from 'node:path'
import { backUp } from '../../db/backup/back-up.ts'
import { answer, jsonFlag } from './answers.ts'
import { type Command, Failed } from './command.ts'
import { readFlags } from './flags.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'back up the data directory into one file, even while the service runs',
  help: `Usage: cardstock backup FILE [--json]

The file holds everything in the data directory, secrets and images included, so keep it safe. It is a tar compressed with
zstd, mode 0600. Every page of the database is checked. A damaged page fails the backup with its file and place, and no file
is written. Back up a PostgreSQL of your own with pg_dump.

  FILE     the file to write, such as cardstock.tar.zst; an existing one is replaced
  --json   print {"file","bytes"}
`,
  run: async ({ db, config }, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['FILE'])
    if (db.kind !== 'embedded') throw new Failed('This is a PostgreSQL server: back it up with pg_dump.')
    const file = resolve(io.cwd, words[0] ?? '')
    const { bytes } = await backUp(db, config.dataDir, file)
    return answer(io, flags.json, { file, bytes }, [`${file} holds everything, in ${bytes} bytes.`])
  },
}
