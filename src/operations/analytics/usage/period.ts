import { usageKeptDays } from '../../../access/usage.ts'
import { type Fault, validationFailed } from '../../../jsonapi/errors.ts'
import { isDate, isUuid } from '../../../jsonapi/fields.ts'
import { dayOf } from '../../../lib/clock.ts'

/** The customers and days (UTC, inclusive) of a usage report. */
export type Asked = { from: string; to: string; user?: string; payingOnly: boolean }

/** The parameters that `readAsked` reads. */
export const parameters = ['from', 'to', 'user', 'paying_only'] as const
type Parameter = (typeof parameters)[number]

const standardDays = 7
const mostDays = 31
const dayMilliseconds = 86_400_000
const truths = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/**
 * Reads the report's parameters (interface.md, Internal endpoints): `to` defaults to today, `from` to six days before `to`. All
 * faults are reported in one 422.
 */
export const readAsked = (search: URLSearchParams, now: Date): Asked => {
  const faults: Fault[] = []
  const read = <T>(parameter: Parameter, detail: string, parse: (value: string) => T | undefined): T | undefined => {
    const value = search.getAll(parameter).at(-1)
    const parsed = value === undefined ? undefined : parse(value)
    if (value !== undefined && parsed === undefined) faults.push({ parameter, detail })
    return parsed
  }
  const day = (parameter: Parameter) =>
    read(parameter, 'Must be a day such as 2026-11-21.', (value) => (isDate(value) ? value : undefined))
  const from = day('from')
  const to = day('to') ?? dayOf(now)
  const user = read('user', 'Must be the id of a user.', (value) => (isUuid(value) ? value.toLowerCase() : undefined))
  const payingOnly = read('paying_only', 'Must be true or false.', (value) => truths.get(value)) ?? false
  const asked = { from: from ?? addDays(to, 1 - standardDays), to, user, payingOnly }
  if (faults.length === 0) faults.push(...spanFaults(asked))
  if (faults.length > 0) throw validationFailed(faults)
  return asked
}

const spanFaults = ({ from, to }: Asked): Fault[] => {
  const days = (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1
  if (days < 1) return [{ parameter: 'from', detail: `Must not be after the end of the range, ${to}.` }]
  return days > mostDays
    ? [{ parameter: 'from', detail: `The range may span ${mostDays} days, including the first and the last.` }]
    : []
}

/** The days of a range that the log still has. None if `from` is after `to`. */
export const keptDays = ({ from, to }: Asked, now: Date) => {
  const first = oldestDay(now)
  const last = addDays(dayOf(now), 1)
  return { from: from > first ? from : first, to: to < last ? to : last }
}

/** The oldest day to show. Older days in the log are waiting for a sweep. */
export const oldestDay = (now: Date) => addDays(dayOf(now), -usageKeptDays)

const addDays = (day: string, days: number) => dayOf(new Date(Date.parse(day) + days * dayMilliseconds))
