import { FolderInUse } from '../../db/embedded/lock.ts'
import type { Log } from '../lib/log.ts'
import { takesCommands } from './channel.ts'
import { Failed } from './command.ts'

const longestSeconds = 60
const againMilliseconds = 100

/**
 * Opens the data directory for a server. While a command has it open, logs that and waits, up to a minute. If another server has
 * it, fails at once, unless that server is just starting or stopping: then it doesn't accept commands, and this waits for it, too.
 */
export const onceFree = async <T>(open: () => Promise<T>, log: Log, atMostSeconds = longestSeconds): Promise<T> => {
  const given = performance.now() + atMostSeconds * 1000
  for (let isLogged = false; ; isLogged = true)
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
      if (await takesCommands(error.dataDir)) throw new Failed(serverRuns(error))
      if (performance.now() > given) throw new Failed(stillInUse(error, atMostSeconds))
      if (!isLogged) log.warn('waiting for a command', waitFields(error, atMostSeconds))
      await Bun.sleep(againMilliseconds)
    }
}

const waitFields = ({ dataDir, holder }: FolderInUse, atMostSeconds: number) => ({
  ...{ data_dir: dataDir, at_most_seconds: atMostSeconds },
  ...(holder ? { pid: Number(holder) } : {}),
})

const named = (holder: string) => holder && ` (pid ${holder})`

const serverRuns = ({ dataDir, holder }: FolderInUse) =>
  `A server is already running on this DATA_DIR. Stop that one${named(holder)}, or set DATA_DIR to a folder other than ${dataDir}.`

const stillInUse = ({ dataDir, holder }: FolderInUse, seconds: number) =>
  `A command${named(holder)} still has the folder ${dataDir} open after ${seconds} seconds. Start again once it has finished.`
