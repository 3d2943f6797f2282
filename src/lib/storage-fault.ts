/** What is wrong with the storage: the disk is full or read-only, or nothing more can be opened. */
type StorageFault = 'full' | 'read-only' | 'no descriptors'

type Fault = { code?: unknown; message?: unknown; cause?: unknown }

/** ENOSPC and EDQUOT of the system, and PostgreSQL's disk_full. */
const full = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** EMFILE and ENFILE of the system, and PostgreSQL's code for them. */
const short = new Set(['EMFILE', 'ENFILE', '53000'])

/** PostgreSQL's insufficient_privilege, which a read-only disk is to it, too. */
const privilege = '42501'

/** Which storage fault an error is, however it is wrapped. Undefined for any other error. */
export const storageFaultOf = (error: unknown): StorageFault | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, message, cause } = error as Fault
  if (full.has(String(code))) return 'full'
  if (short.has(String(code))) return 'no descriptors'
  if (code === 'EROFS' || (code === privilege && /Read-only file system/.test(String(message)))) return 'read-only'
  return storageFaultOf(cause)
}

/**
 * PostgreSQL's error code for the reason that a server gave when it shut down or refused a connection. Undefined if it wasn't a
 * storage fault. The init file is what a connection writes first: of that, it doesn't say more.
 */
export const storageCodeOf = (reason: string): string | undefined => {
  if (/No space left on device|[Dd]isk quota exceeded|could not write init file/.test(reason)) return '53100'
  return /Too many open files/.test(reason) ? '53000' : undefined
}
