import { ApiError } from '../../../../jsonapi/errors.ts'

/**
 * Writes rows in one go. If one is refused, writes them in halves until only that one is left out. Other errors are thrown.
 */
export const writeTogether = async <T>(
  rows: T[],
  write: (rows: T[]) => Promise<void>,
  refuse: (row: T, reason: string) => void,
): Promise<void> => {
  if (rows.length === 0) return
  try {
    await write(rows)
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === null) throw error
    if (rows.length === 1) return refuse(rows[0] as T, reason)
    const middle = rows.length >> 1
    await writeTogether(rows.slice(0, middle), write, refuse)
    await writeTogether(rows.slice(middle), write, refuse)
  }
}

/** Why a row was refused. Null for an error that isn't the row's fault. */
const reasonOf = (error: unknown): string | null => {
  if (error instanceof ApiError) return error.errors[0]?.detail ?? error.message
  const { code, message } = error as { code?: unknown; message?: string }
  if (code === '23505') return 'A name, a code or an id in it is taken by another record.'
  if (code === '23503') return 'It refers to a record that does not exist.'
  return typeof code === 'string' && /^2[23]/.test(code) ? `The database refused it: ${message}.` : null
}
