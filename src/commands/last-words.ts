import type { Log } from '../lib/log.ts'

/**
 * Writes a line of the log where a fault reached nobody. A promise that nobody waited for ends no more than itself; after
 * an exception that nobody caught the process is in no known state, and ends.
 */
export const tellOfCrashes = (log: Log) => {
  process.on('unhandledRejection', (reason) => log.error('unhandled rejection', told(reason)))
  process.on('uncaughtException', (error) => {
    log.error('crash', told(error))
    process.exit(1)
  })
}

const told = (error: unknown) =>
  error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) }
