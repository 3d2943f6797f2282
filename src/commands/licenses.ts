import type { Command, ExitCode, Io } from './command.ts'
import { readFlags } from './flags.ts'
import { readNotices } from './notices/notices.ts'

export const licenses: Command = {
  name: 'licenses',
  summary: 'print the licenses and notices of everything inside',
  help: `Usage: cardstock licenses

Prints the license of Cardstock, and the notices of the packages and programs that the executable contains.
`,
  run: async (_, args, io) => write(args, io),
  alone: (args, io) => write(args, io),
}

const write = async (args: string[], io: Io): Promise<ExitCode> => {
  readFlags(args, {})
  await io.stdout.write(await readNotices())
  return 0
}
