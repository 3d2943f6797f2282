import { readPostgresUrl, sayAddress } from '../src/lib/postgres-url.ts'
import type { Database } from './database.ts'
import { hasCode } from './faults.ts'
import { UnfitDatabase } from './unfit.ts'

const firstSeconds = 10
const secondMilliseconds = 3000

/** Waits ten seconds for a server's first answer, then throws an UnfitDatabase that names both possible causes. */
export const firstAnswer = async <T>(asked: Promise<T>, url: string): Promise<T> => {
  asked.catch(() => {})
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(noConnection(url)), firstSeconds * 1000)
  try {
    return await Promise.race([asked, late.promise])
  } catch (error) {
    throw hasCode(error, 'CONNECT_TIMEOUT') ? noConnection(url) : error
  } finally {
    clearTimeout(timer)
  }
}

const noConnection = (url: string) => {
  return new UnfitDatabase(
    `The database at ${sayAddress(readPostgresUrl(url))} gave no connection within ${firstSeconds} seconds: the server cannot be reached, or the pool in front of it is exhausted.`,
  )
}

/** Whether one more connection becomes available soon, in addition to those that are open. */
export const givesSecond = async (db: Database): Promise<boolean> => {
  const asked = db.sql.unsafe('select 1').then(() => true)
  asked.catch(() => {})
  return Promise.race([asked.catch(refused), Bun.sleep(secondMilliseconds).then(() => false)])
}

const refused = (error: unknown) => {
  if (hasCode(error, '53300', '08P01', 'CONNECT_TIMEOUT')) return false
  throw error
}

/** Whether a pooler doesn't know a startup parameter. PgBouncer reports it as a protocol violation. */
export const refusesSettings = (error: unknown) =>
  hasCode(error, '08P01') && /startup parameter/.test((error as Error).message)
