type Fault = { code?: string; syscall?: string; constraint_name?: string; cause?: Fault }

/** Whether the database failed with one of these codes. Also looks inside the query builder's wrapping. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  all(error).some(({ code }) => code !== undefined && codes.includes(code))

/** Whether the database refused because of this constraint or unique index. */
export const violates = (error: unknown, constraint: string): boolean =>
  all(error).some(({ constraint_name }) => constraint_name === constraint)

/**
 * Whether the database is away for now, whatever it says: its server shuts down, starts, is full, or only reads; the database was
 * renamed or takes no connections; or the connection was lost (decisions.md §19).
 */
export const isAway = (error: unknown): boolean =>
  all(error).some(({ code = '', syscall = '' }) => away.has(code) || /^08...$/.test(code) || connecting.has(syscall))

/** The codes of postgres.js and of the system for a connection, then those of PostgreSQL. Class 08 is about connections, too. */
const away = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE'],
  ...['3D000', '55000', '57P01', '57P02', '57P03', '57P04', '57P05', '25006'],
  ...['53200', '53300', '53400', '40001', '40P01', '25P03'],
])

/** Whether the connection broke, or its server ended it, so that nobody knows what became of the statement that it ran. */
export const isConnectionLost = (error: unknown): boolean =>
  all(error).some(({ code = '' }) => lost.has(code) || /^08...$/.test(code))

const lost = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  ...['57P01', '57P02', '57P04', '57P05'],
])

/** What failed, if the system found nobody at an address. */
const connecting = new Set(['connect', 'getaddrinfo'])

const all = (error: unknown): Fault[] => {
  if (typeof error !== 'object' || error === null) return []
  const fault = error as Fault
  return [fault, ...all(fault.cause)]
}
