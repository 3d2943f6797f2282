import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { openFleet } from './fleet.ts'
import { takePort } from './take-port.ts'

const signals = ['SIGTERM', 'SIGINT'] as const

/**
 * Keeps `count` processes serving on the port in the settings until SIGTERM or SIGINT, and then ends them. A second signal ends
 * them at once. SIGHUP replaces them one after the other. Throws if the first process doesn't start.
 */
export const supervise = async (config: Config, count: number, log: Log): Promise<void> => {
  const fleet = openFleet(config, takePort(config), log)
  const signaled = Promise.withResolvers<(typeof signals)[number]>()
  for (const signal of signals)
    process.once(signal, () => {
      signaled.resolve(signal)
      for (const again of signals) process.once(again, () => endAtOnce(fleet.kill))
    })
  onHangup(fleet.restart)
  log.info('supervising', { pid: process.pid, processes: count })
  const stopping = signaled.promise.then(async (signal) => {
    log.info('stopping', { signal })
    await fleet.stop(signal)
  })
  await fleet.startFirst()
  fleet.startOthers(count)
  await stopping
  log.info('stopped')
}

const endAtOnce = (kill: () => void) => {
  kill()
  process.exit(1)
}

/** Runs one restart at a time. Signals during one lead to a single other one. */
const onHangup = (restart: () => Promise<void>) => {
  let running: Promise<void> = Promise.resolve()
  let isDue = false
  process.on('SIGHUP', () => {
    if (isDue) return
    isDue = true
    running = running.then(() => {
      isDue = false
      return restart()
    })
  })
}
