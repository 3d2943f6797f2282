import { resolve } from 'node:path'
import { backUp } from '../../db/backup/back-up.ts'
import { answer, jsonFlag } from './answers.ts'
import { type Command, Failed } from './command.ts'
import { readFlags } from './flags.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'write the data directory into one file, while it serves',
  help: `Usage: cardstock backup FILE [--json]

Everything in the data directory of the embedded database goes into the file, secrets and images on disk included: keep
it as you keep those. It is a tar compressed by zstd, mode 0600. Each page of the database is checked: where one is damaged, the
backup fails with its file and place, and no file is written. A database of your own is backed up by pg_dump.

  FILE     where it is written, such as cardstock.tar.zst; one that is there is replaced
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
