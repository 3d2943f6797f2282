import { Type } from '@sinclair/typebox'
import type { AuditFilter } from '../../audit/read.ts'
import type { Parameter } from '../../http/route.ts'
import { invalidParameter, mergeErrors } from '../../jsonapi/errors.ts'
import { isDate, isInYears, text, uuid } from '../../jsonapi/fields.ts'
import type { FilterShape, ReadQuery } from '../../jsonapi/query.ts'

/** The filters of the list. */
export const filters: Record<string, FilterShape> = {
  event_type: { kind: 'text' },
  auditable_type: { kind: 'text' },
  auditable_id: { kind: 'uuid' },
  start_date: { kind: 'text' },
  end_date: { kind: 'text' },
}

const bound = (description: string, example: string) => ({ schema: Type.String(), description, example })

/** The filters, as the OpenAPI document shows them. */
export const filterParameters: Record<string, Parameter> = {
  'filter[event_type]': { schema: text(), description: 'Only this event.', example: 'set.published' },
  'filter[auditable_type]': { schema: text(), description: 'Only entries about records of this type.', example: 'set' },
  'filter[auditable_id]': {
    schema: uuid(),
    description: 'Only entries about this record.',
    example: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  },
  'filter[start_date]': bound('The start: a day (UTC) or a time in ISO 8601. Defaults to 30 days ago.', '2026-11-01'),
  'filter[end_date]': bound(
    'The end: a time in ISO 8601, or a day (UTC), which is included. Defaults to now.',
    '2026-11-21T12:00:00Z',
  ),
}

/** Reads the query's filters. */
export const readFilter = ({ filters }: ReadQuery, now: Date): AuditFilter => ({
  ...readRange(filters.start_date?.value, filters.end_date?.value, now),
  eventType: filters.event_type?.value,
  auditableType: filters.auditable_type?.value,
  auditableId: filters.auditable_id?.value,
})

const day = 86_400_000
const usualDays = 30

/**
 * The bounds of a list, both inclusive. By default, the last 30 days (decisions.md §6). Throws 400 INVALID_PARAMETER for anything
 * but a day or a time in ISO 8601, in the years 1 to 9999.
 */
const readRange = (start: string | undefined, end: string | undefined, now: Date): { from: Date; to: Date } => {
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

/** Milliseconds since 1970, or NaN for anything but a time. A day is its start plus `move`. Without an offset, it is UTC. */
const readBound = (text: string, move: number): number => {
  if (isDate(text)) return Date.parse(text) + move
  // An unencoded plus sign arrives as a space.
  const [, date = '', time = '', offset = 'Z'] = timeForm.exec(text.replace(/ (?=\d{2}:?\d{2}$)/, '+')) ?? []
  if (!isDate(date)) return Number.NaN
  const [hours = '', minutes = '00'] = offset.slice(1).match(/\d{2}/g) ?? []
  const zone = hours ? `${offset[0]}${hours}:${minutes}` : 'Z'
  return Date.parse(`${date}T${time.replace(',', '.')}${zone}`)
}
