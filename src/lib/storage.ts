import { closeSync, openSync } from 'node:fs'
import { storageFaultOf } from './storage-fault.ts'

/** Whether what the service writes can be written: the disks of its files and of its database, and free descriptors. */
export type Storage = {
  /**
   * Remembers a fault that is one of storage, and answers what was behind it: a connection that nobody refused is one for
   * which there was no descriptor. Any other fault is none of its business.
   */
  note: (error: unknown) => unknown
  /** What is wrong now; undefined while nothing is. Looks once a second at most, and at once after a fault. */
  check: () => Promise<Error | undefined>
  /** Whether nothing more could be opened a moment ago: a connection that ends makes room. */
  readonly isShort: boolean
}

/**
 * Each of `always` is tried at every look, `afterFault` only once a fault was noted and until it succeeds. A probe fails
 * by throwing; what it throws counts where it is a fault of storage.
 */
export const openStorage = (always: Probe[], afterFault: Probe[] = []): Storage => {
  let noted: { error: Error; until: number } | undefined
  let looked: { found: Promise<Error | undefined>; until: number } | undefined
  const look = async () => {
    const remembered = noted
    const found = await firstFault(remembered ? [...always, ...afterFault] : always)
    if (found) noted = { error: found, until: performance.now() + rememberMilliseconds }
    else if (remembered && performance.now() < remembered.until) return remembered.error
    else if (noted === remembered) noted = undefined
    return found
  }
  return {
    get isShort() {
      return noted !== undefined && performance.now() < noted.until && storageFaultOf(noted.error) === 'no descriptors'
    },
    note: (given) => {
      const error = isRefusedConnection(given) ? (withoutDescriptor() ?? given) : given
      if (!storageFaultOf(error)) return given
      if (!noted) looked = undefined
      noted = { error: error as Error, until: performance.now() + rememberMilliseconds }
      return error
    },
    check: () => {
      if (looked && performance.now() < looked.until) return looked.found
      looked = { found: look(), until: performance.now() + lookMilliseconds }
      return looked.found
    },
  }
}

/** Tries to write, and cleans up behind itself; knows how long it may take. */
export type Probe = () => Promise<unknown>

const lookMilliseconds = 1000
const rememberMilliseconds = 4000

/** What Bun says of a connection for which it has no descriptor, too. */
const isRefusedConnection = (error: unknown) => (error as { code?: unknown } | null)?.code === 'ECONNREFUSED'

const withoutDescriptor = (): unknown => {
  try {
    closeSync(openSync('/dev/null', 'r'))
    return undefined
  } catch (error) {
    return error
  }
}

const firstFault = async (probes: Probe[]): Promise<Error | undefined> => {
  for (const probe of probes)
    try {
      await probe()
    } catch (error) {
      if (storageFaultOf(error)) return error as Error
    }
  return undefined
}
