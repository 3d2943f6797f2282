/**
 * A pattern, for PostgreSQL and JavaScript alike, of the names of current years: those that name this calendar
 * year (UTC) or the last, alone or as a part of a season. In 2026 these are 2026, 2025, 2025-26, 2026/27 and 2024-25.
 */
export const currentYears = (now: Date): string => {
  const year = now.getUTCFullYear()
  const [last, before] = [year - 1, year - 2]
  const shortForm = String(last).slice(-2)
  const season = `${before}[-/–](${String(last).slice(0, -2)})?${shortForm}`
  return `(^|[^0-9])(${year}|${last}|${season})([^0-9]|$)`
}

/** 1 (current) where the year's name is a current one, else 0 (backlog). */
export const priorityOf = (yearName: string | null, now: Date): 0 | 1 =>
  yearName !== null && new RegExp(currentYears(now)).test(yearName) ? 1 : 0
