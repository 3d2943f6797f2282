import { invalidParameter, mergeErrors } from '../../jsonapi/errors.ts'
import { isDate, isInYears } from '../../jsonapi/fields.ts'

const day = 86_400_000
const usualDays = 30

/**
 * Reads the bounds of a list, both included: a missing one is that of the last 30 days (decisions.md §6). 400
 * INVALID_PARAMETER for what is no day or time of ISO 8601, or none of the years 1 to 9999.
 */
export const readRange = (start: string | undefined, end: string | undefined, now: Date): { from: Date; to: Date } => {
  const from = start === undefined ? now.getTime() - usualDays * day : readBound(start, 0)
  const to = end === undefined ? now.getTime() : readBound(end, day - 1)
  const error = mergeErrors([
    ...(isInYears(from) ? [] : [refuse('filter[start_date]')]),
    ...(isInYears(to) ? [] : [refuse('filter[end_date]')]),
  ])
  if (error) throw error
  return { from: new Date(from), to: new Date(to) }
}

const refuse = (parameter: string) =>
  invalidParameter(parameter, 'Must be a day or a time of ISO 8601, such as 2026-11-21 or 2026-11-21T12:00:00Z.')

const timeForm = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/** Milliseconds since 1970, NaN where it is no time; a day is at its begin, moved. Without an offset it is UTC. */
const readBound = (text: string, move: number): number => {
  if (isDate(text)) return Date.parse(text) + move
  // A plus sign that was not encoded arrives as a space.
  const [, date = '', time = '', offset = 'Z'] = timeForm.exec(text.replace(/ (?=\d{2}:?\d{2}$)/, '+')) ?? []
  if (!isDate(date)) return Number.NaN
  const [hours = '', minutes = '00'] = offset.slice(1).match(/\d{2}/g) ?? []
  const zone = hours ? `${offset[0]}${hours}:${minutes}` : 'Z'
  return Date.parse(`${date}T${time.replace(',', '.')}${zone}`)
}
