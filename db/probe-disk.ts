import type { Database } from './database.ts'

const deadlineMilliseconds = 1500

/**
 * Has the database write some pages and discard them. Throws its error, such as 53100 if its disk is full. If it doesn't answer
 * in time, that says nothing about its disk.
 */
export const probeDisk = async (db: Database): Promise<void> => {
  const written = db.transaction(async ({ sql }) => {
    await sql`
      create temporary table disk_probe on commit drop as
      select n, md5(n::text) as filler from generate_series(1, 4000) n`
  })
  written.catch(() => {})
  await Promise.race([written, Bun.sleep(deadlineMilliseconds)])
}
