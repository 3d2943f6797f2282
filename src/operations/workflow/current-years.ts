/**
 * A pattern for the names of current years, which works in PostgreSQL and JavaScript. Current years name this or the last calendar
 * year (UTC), alone or in a season. In 2026, these are 2026, 2025, 2025-26, 2026/27 and 2024-25.
 */
export const currentYears = (now: Date): string => {
  const year = now.getUTCFullYear()
  const last = year - 1
  const before = year - 2
  const shortForm = String(last).slice(-2)
  const season = `${before}[-/–](${String(last).slice(0, -2)})?${shortForm}`
  return `(^|[^0-9])(${year}|${last}|${season})([^0-9]|$)`
}

/** 1 (current) if the name is a current year's, otherwise 0 (backlog). */
export const priorityOf = (yearName: string | null, now: Date): 0 | 1 =>
  yearName !== null && new RegExp(currentYears(now)).test(yearName) ? 1 : 0
