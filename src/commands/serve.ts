import { countConnections } from '../../db/connections.ts'
import { type Config, readConfig } from '../config.ts'
import { type Context, openContext } from '../context.ts'
import { type Log, openLog } from '../lib/log.ts'
import type { Stop } from '../processes/messages.ts'
import { supervise } from '../processes/supervise.ts'
import { findSupervisor } from '../processes/supervisor.ts'
import { settings } from '../settings.ts'
import { version } from '../version.ts'
import { jsonFlag } from './answers.ts'
import { serveCommands } from './channel.ts'
import { type Command, type Commands, Failed, WrongUsage } from './command.ts'
import { readFlags, text } from './flags.ts'
import { onceFree } from './once-free.ts'
import { runWords } from './run.ts'
import { settingsHelp, warnOfMisspelled } from './settings.ts'

/** The command `serve`. On the embedded database, it also runs `commands` for other processes. */
export const serve = (commands: () => Commands): Command => ({
  name: 'serve',
  summary: 'run the service (the default without a command)',
  help: `Usage: cardstock serve [--processes N] [--json]

  --processes N   on PostgreSQL: N processes share the port, auto for one for each core. The one that you start
                  replaces those that end. On SIGHUP it replaces them all, one after the other, and refuses nobody.

On SIGTERM it keeps serving for SHUTDOWN_DELAY_MS, then gives running work up to ten seconds to finish. If a command has the
embedded database open, startup waits for it for up to a minute.

${settingsHelp()}`,
  run: async () => {
    throw new Failed('A server is already running on this DATA_DIR.')
  },
  alone: async (args) => {
    const { flags } = readFlags(args, { ...jsonFlag, processes: text })
    const config = readConfig()
    const processes = readProcesses(flags.processes, config)
    const supervisor = findSupervisor()
    const log = openLog(config.logLevel, config.logFormat, process.stderr, supervisor && { process: supervisor.number })
    if (!supervisor) warnOfDefaults(config, log)
    if (processes && !supervisor) {
      logCrashes(log)
      await supervise(config, processes, log)
      return 0
    }
    const context = await onceFree(() => openContext(config, log, { supervisor }), log)
    if (supervisor?.number === 1) await warnOfConnections(context, processes ?? 1)
    await serveUntilStopped(context, commands())
    return 0
  },
})

/** How many processes are asked for, if they are to be supervised. */
const readProcesses = (flag: string | undefined, { processes, databaseUrl }: Config): number | undefined => {
  const count = flag === undefined ? processes : settings.PROCESSES.parse(flag)
  if (flag !== undefined && !count) throw new WrongUsage(`--processes must be ${settings.PROCESSES.takes}`)
  if (databaseUrl) return count
  if (count && count > 1)
    throw new WrongUsage('Several processes need a PostgreSQL (DATABASE_URL): the embedded database belongs to one')
  return undefined
}

/** Warns if the processes may open more connections than the server takes. Nothing is known of a pooler's. */
const warnOfConnections = async ({ db, config, log }: Context, processes: number) => {
  if (config.databaseDirectUrl) return
  const { opened, most } = await countConnections(db, config.databasePool, processes)
  if (opened > most) log.warn('too many connections', { processes, opened, max_connections_leaves: most })
}

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
  const { log, supervisor } = context
  const stopped = supervisor?.stop ?? nextSignal()
  logCrashes(log)
  // Loaded only here: without the routes, all other commands start in half the time.
  const { startServer } = await import('../server.ts')
  const { processFamilies } = await import('../operations/metrics/process.ts')
  const stopCommands = takeCommands(context, commands)
  try {
    const server = await startServer(context)
    log.info('listening', { address: server.address, version, database: context.db.kind, pid: process.pid })
    const stopOther = alongside()
    await started(server.address)
    supervisor?.serves(() => processFamilies(context))
    const stop = await stopped
    log.info('stopping', stop.startsWith('SIG') ? { signal: stop } : { reason: stop })
    await leave(context, stop)
    await Promise.all([server.stop(), stopOther()])
  } finally {
    await supervisor?.leave()
    await stopCommands()
    await Promise.all([Promise.race([context.db.close(), Bun.sleep(1500)]), context.tracing?.close()])
  }
  log.info('stopped')
}

/** Serves on for a while: until proxies have noticed, or until the new process has this one's clients. */
const leave = async ({ leaving, config }: Context, stop: Stop) => {
  leaving.begin(stop !== 'replaced')
  if (stop === 'SIGTERM') await Bun.sleep(config.shutdownDelayMilliseconds)
  if (stop === 'replaced') await Bun.sleep(handOverMilliseconds)
}

/** The embedded database belongs to this process, so it runs other processes' commands. On PostgreSQL each runs its own. */
const takeCommands = (context: Context, commands: Commands) => {
  const { config, db } = context
  if (db.kind !== 'embedded') return async () => {}
  return serveCommands(config.dataDir, (words, io) =>
    runWords(commands, words, io, (command, args) => command.run(context, args, io)),
  )
}

/** The next stop signal. The same one once more ends the process at once. */
const nextSignal = () =>
  new Promise<Stop>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => {
        process.once(signal, () => process.exit(1))
        resolve(signal)
      })
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

/** Connections that were accepted before get their answer, and a client that keeps its own hears that it's the last. */
const handOverMilliseconds = 1000

const described = (error: unknown) =>
  error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) }
