/**
 * Whether tests run here whose service has a database of its own, whatever TEST_DATABASE_URL says: they run once, where that is
 * not set. Where it is, a line says what is left out.
 */
export const ownDatabaseRuns = (what: string): boolean => {
  if (!process.env.TEST_DATABASE_URL) return true
  console.log(`skipped: ${what} (their service has a database of its own: run them without TEST_DATABASE_URL)`)
  return false
}
