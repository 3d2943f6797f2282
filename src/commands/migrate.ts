import { openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { readConfig } from '../config.ts'
import { databaseOf } from '../context.ts'
import { answer, jsonFlag } from './answers.ts'
import type { Command } from './command.ts'
import { readFlags } from './flags.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'apply pending database migrations (serve does this, too)',
  help: `Usage: cardstock migrate [--json]

  --json   print {"applied"}: the names of the applied migrations
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, jsonFlag)
    return say(io, flags.json, await migrate(context.db))
  },
  alone: async (args, io) => {
    const { flags } = readFlags(args, jsonFlag)
    const db = await openDatabase({ ...databaseOf(readConfig()), isBrief: true })
    const applied = await migrate(db).finally(() => db.close())
    return say(io, flags.json, applied)
  },
}

const say = (io: Parameters<Command['run']>[2], json: boolean | undefined, applied: string[]) =>
  answer(io, json, { applied }, applied.length > 0 ? applied.map((name) => `applied ${name}`) : ['Nothing to do.'])
