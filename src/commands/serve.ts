import { type Config, readConfig } from '../config.ts'
import { type Context, openContext } from '../context.ts'
import { type Log, openLog } from '../lib/log.ts'
import { version } from '../version.ts'
import { jsonFlag } from './answers.ts'
import { serveCommands } from './channel.ts'
import { type Command, type Commands, Failed } from './command.ts'
import { readFlags } from './flags.ts'
import { onceFree } from './once-free.ts'
import { runWords } from './run.ts'
import { settingsHelp, warnOfMisspelled } from './settings.ts'

/** The command `serve`. On the embedded database, it also runs `commands` for other processes. */
export const serve = (commands: () => Commands): Command => ({
  name: 'serve',
  summary: 'run the service (the default without a command)',
  help: `Usage: cardstock serve [--json]

On SIGTERM it keeps serving for SHUTDOWN_DELAY_MS, then gives running work up to ten seconds to finish. If a command has the
embedded database open, startup waits for it for up to a minute.

${settingsHelp()}`,
  run: async () => {
    throw new Failed('A server is already running on this DATA_DIR.')
  },
  alone: async (args) => {
    readFlags(args, jsonFlag)
    const config = readConfig()
    const log = openLog(config.logLevel, config.logFormat)
    warnOfDefaults(config, log)
    const context = await onceFree(() => openContext(config, log), log)
    await serveUntilStopped(context, commands())
    return 0
  },
})

/**
 * Serves until the process gets a stop signal, then drains and closes. A second signal ends it at once. `alongside` runs once the
 * service is listening, and returns how to stop what it started.
 */
export const serveUntilStopped = async (
  context: Context,
  commands: Commands,
  started: (address: string) => unknown = () => {},
  alongside: () => () => Promise<void> = () => async () => {},
) => {
  const { log } = context
  const signaled = nextSignal()
  logCrashes(log)
  // Loaded only here: without the routes, all other commands start in half the time.
  const { startServer } = await import('../server.ts')
  const stopCommands = takeCommands(context, commands)
  try {
    const server = startServer(context)
    log.info('listening', { address: server.address, version, database: context.db.kind, pid: process.pid })
    const stopOther = alongside()
    await started(server.address)
    const signal = await signaled
    log.info('stopping', { signal })
    process.once(signal, () => process.exit(1))
    context.leaving.begin()
    if (signal === 'SIGTERM') await Bun.sleep(context.config.shutdownDelayMilliseconds)
    await Promise.all([server.stop(), stopOther()])
  } finally {
    await stopCommands()
    await Promise.race([context.db.close(), Bun.sleep(1500)])
  }
  log.info('stopped')
}

/** The embedded database belongs to this process, so it runs other processes' commands. On PostgreSQL each runs its own. */
const takeCommands = (context: Context, commands: Commands) => {
  const { config, db } = context
  if (db.kind !== 'embedded') return async () => {}
  return serveCommands(config.dataDir, (words, io) =>
    runWords(commands, words, io, (command, args) => command.run(context, args, io)),
  )
}

const nextSignal = () =>
  new Promise<'SIGTERM' | 'SIGINT'>((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'))
    process.once('SIGINT', () => resolve('SIGINT'))
  })

/** Warns about a missing BASE_URL and about variables that look like misspelled settings. */
export const warnOfDefaults = (config: Config, log: Log) => {
  warnOfMisspelled(log)
  const { host, baseUrl, baseUrlGiven } = config
  const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.')
  if (!isLoopback && !baseUrlGiven) log.warn('BASE_URL is not set', { links_begin_with: baseUrl })
}

/**
 * Logs faults that nobody caught. A rejected promise that nobody awaits harms nothing else. After an uncaught exception, the
 * process's state is unknown, so it exits.
 */
export const logCrashes = (log: Log) => {
  process.on('unhandledRejection', (reason) => log.error('unhandled rejection', described(reason)))
  process.on('uncaughtException', (error) => {
    log.error('crash', described(error))
    process.exit(1)
  })
}

const described = (error: unknown) =>
  error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) }
