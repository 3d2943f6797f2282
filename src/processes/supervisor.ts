import type { Family } from '../lib/exposition.ts'
import { numberVariable, othersVariable, type Stop, type ToProcess, type ToSupervisor } from './messages.ts'
import { sendElsewhere, shareEvenly } from './steer.ts'

/** What watches over this process and the others that serve with it. */
export type Supervisor = {
  /** Which of the processes this is, from 1. */
  readonly number: number
  /** Whether others served on the port when this process started. */
  readonly othersServe: boolean
  /** Why this process is to end, once it is. */
  readonly stop: Promise<Stop>
  /** Says that this process serves, and how to read its own metrics. */
  serves: (measure: () => Family[]) => void
  /** The metrics of all processes as one. Undefined if they don't come in time. */
  total: () => Promise<Family[] | undefined>
  /** Says for the last time what this process has counted. */
  leave: () => Promise<void>
}

const patienceMilliseconds = 3000

/** Finds the supervisor that started this process. Undefined if somebody else did. */
export const findSupervisor = (): Supervisor | undefined => {
  const number = Number(process.env[numberVariable])
  if (!(number > 0) || !process.send) return undefined
  const stop = Promise.withResolvers<Stop>()
  const totals = new Map<number, (families: Family[] | undefined) => void>()
  let measure: (() => Family[]) | undefined
  let totalsAsked = 0
  const measured = (): ToSupervisor => ({ kind: 'measured', families: measure?.() ?? [] })
  const hear = (message: ToProcess) => {
    if (message.kind === 'stop') stop.resolve(message.signal)
    else if (message.kind === 'measure') void say(measured())
    else if (message.kind === 'share') shareEvenly()
    else if (message.kind === 'total') totals.get(message.id)?.(message.families)
    else {
      sendElsewhere(message.place, message.others)
      stop.resolve('replaced')
    }
  }
  process.on('message', hear)
  // A terminal and systemd send signals to all processes. What they mean is the supervisor's to say, except to stop.
  process.on('SIGHUP', () => {})
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.resolve(signal))
  process.on('disconnect', () => {
    if (!measure) process.exit(1)
    stop.resolve('orphaned')
  })
  return {
    number,
    othersServe: process.env[othersVariable] !== undefined,
    stop: stop.promise,
    serves: (how) => {
      measure = how
      void say({ kind: 'listening' })
    },
    total: async () => {
      const id = ++totalsAsked
      const told = Promise.withResolvers<Family[] | undefined>()
      totals.set(id, told.resolve)
      void say({ kind: 'total', id })
      const families = await Promise.race([told.promise, Bun.sleep(patienceMilliseconds).then(() => undefined)])
      totals.delete(id)
      return families
    },
    leave: () => Promise.race([say(measured()), Bun.sleep(patienceMilliseconds)]),
  }
}

/** Nobody hears it if the supervisor is gone. */
const say = (message: ToSupervisor) =>
  new Promise<void>((resolve) => {
    if (process.connected) process.send?.(message, () => resolve())
    else resolve()
  })
