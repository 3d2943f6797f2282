import { closeSync, openSync } from 'node:fs'
import { storageFaultOf } from './storage-fault.ts'

/** Whether the service can write: to the disks of its files and its database, with free descriptors. */
export type Storage = {
  /**
   * Remembers a storage fault, and returns the real cause of an error: a refused connection may mean that no descriptor was
   * free. Other errors come back unchanged.
   */
  note: (error: unknown) => unknown
  /** What is wrong now, if anything. Checks at most once a second, and at once after a fault. */
  check: () => Promise<Error | undefined>
  /** Whether descriptors ran out a moment ago, so that closing connections helps. */
  readonly isShort: boolean
}

/**
 * `always` runs at every check, `afterFault` only after a fault, until it succeeds. A probe fails by throwing. Only storage
 * faults count, and a folder that may not be written.
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

/** Tries to write and cleans up. It has its own deadline. */
type Probe = () => Promise<unknown>

const lookMilliseconds = 1000
const rememberMilliseconds = 4000

/** Bun also says this about a connection without a descriptor. */
const isRefusedConnection = (error: unknown) => (error as { code?: unknown } | null)?.code === 'ECONNREFUSED'

const withoutDescriptor = (): unknown => {
  try {
    closeSync(openSync('/dev/null', 'r'))
    return undefined
  } catch (error) {
    return error
  }
}

/** Somebody took the right to write away. Elsewhere, this says nothing about the storage. */
const isForbidden = (error: unknown) => ['EACCES', 'EPERM'].includes((error as { code?: string }).code ?? '')

const firstFault = async (probes: Probe[]): Promise<Error | undefined> => {
  for (const probe of probes)
    try {
      await probe()
    } catch (error) {
      if (storageFaultOf(error) || isForbidden(error)) return error as Error
    }
  return undefined
}
