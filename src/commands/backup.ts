import { resolve } from 'node:path'
import { backUp } from '../../db/backup/back-up.ts'
import { counted } from '../lib/counted.ts'
import { answer, jsonFlag } from './answers.ts'
import { type Command, Failed } from './command.ts'
import { readFlags } from './flags.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'back up the data directory into one file, even while the service runs',
  help: `Usage: cardstock backup FILE [--json]

The file holds everything in the data directory, including secrets and images, so keep it safe. It is a tar compressed with
zstd, mode 0600. Every page of the database is checked. If one is damaged, the backup fails, names the page and writes no
file. If you run on your own PostgreSQL, back it up with pg_dump.

  FILE     the file to write, such as cardstock.tar.zst; an existing one is replaced
  --json   print {"file","bytes"}
`,
  run: async ({ db, config }, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['FILE'])
    if (db.kind !== 'embedded') throw new Failed('The database is a PostgreSQL server. Back it up with pg_dump.')
    const file = resolve(io.cwd, words[0] ?? '')
    const { bytes } = await backUp(db, config.dataDir, file)
    return answer(io, flags.json, { file, bytes }, [`Backed up everything to ${file}, ${counted(bytes, 'byte')}.`])
  },
}
