import type { Database } from './database.ts'
import { clientOf } from './postgres.ts'

/**
 * For how many seconds the PgBouncer in front of a database refuses clients after its server refused it (`server_login_retry`).
 * Undefined without a pooler, `unsaid` if it is another one or doesn't say.
 */
export const findLoginRetry = async (db: Database, url: string): Promise<number | 'unsaid' | undefined> => {
  if (!(await isPooled(db))) return undefined
  const pooler = clientOf(url, { max: 1, connect_timeout: 2, fetch_types: false }, 'pgbouncer')
  try {
    const settings = await pooler.unsafe<{ key: string; value: string }[]>('show config')
    return Number(settings.find(({ key }) => key === 'server_login_retry')?.value ?? Number.NaN) || 'unsaid'
  } catch {
    return 'unsaid'
  } finally {
    await pooler.end({ timeout: 1 })
  }
}

/** Whether the process that answers is another one than the one that took the connection. */
const isPooled = async ({ sql }: Database): Promise<boolean> => {
  const asked = await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid')
  return asked[0]?.pid !== asked.state.pid
}
