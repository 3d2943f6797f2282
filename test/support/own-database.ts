/**
 * Whether to run tests whose service has its own database, whatever TEST_DATABASE_URL says. They run once, where that isn't
 * set. Otherwise a line says what is skipped.
 */
export const ownDatabaseRuns = (what: string): boolean => {
  if (!process.env.TEST_DATABASE_URL) return true
  console.log(`skipped: ${what} (their service has a database of its own: run them without TEST_DATABASE_URL)`)
  return false
}
