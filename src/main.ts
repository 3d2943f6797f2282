import { FolderInUse } from '../db/embedded/lock.ts'
import { runThroughServer } from './commands/channel.ts'
import type { ExitCode, Io } from './commands/command.ts'
import { commands } from './commands/index.ts'
import { describe, type RunFound, runWords } from './commands/run.ts'
import { warnOfMisspelled } from './commands/settings.ts'
import { terminal } from './commands/terminal.ts'
import { readConfig } from './config.ts'
import { openContext } from './context.ts'
import { openLog } from './lib/log.ts'

/**
 * The front door: turns words into a command, and its outcome into an exit code. Nothing else reads them. If another process
 * has the data directory, that process runs the command. It may be just starting or stopping, so both ways are tried
 * repeatedly.
 */
const main = async (words: string[], io: Io): Promise<ExitCode> => {
  for (const started = performance.now(); ; await Bun.sleep(againMilliseconds))
    try {
      return await runWords(commands, words, io, runHere)
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
      const code = await runThroughServer(error.dataDir, words, io)
      if (code !== undefined) return code
      if (performance.now() - started < longestMilliseconds) continue
      await io.stderr.write(`${error.message}\n`)
      return 1
    }
}

const againMilliseconds = 100
const longestMilliseconds = 60_000

/** Opens what the command needs, and closes it afterwards. */
const runHere: RunFound = async (command, args, io) => {
  if (command.alone) return command.alone(args, io)
  const config = readConfig()
  const log = openLog(config.logLevel === 'info' ? 'warn' : config.logLevel, config.logFormat)
  const context = await openContext(config, log, { isBrief: true })
  warnOfMisspelled(log)
  return command.run(context, args, io).finally(() => context.db.close())
}

/** Runs the command that this process was started with, and ends it. */
export const start = async () => {
  // Files that this process creates are private, except those that its caller names.
  const io = terminal(process.umask(0o077))
  const code = main(process.argv.slice(2), io).catch(async (error: unknown) => {
    await io.stderr.write(`${describe(error)}\n`)
    return 1
  })
  process.exit(await code)
}

if (import.meta.main) await start()
