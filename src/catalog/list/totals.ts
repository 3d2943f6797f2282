import type { Condition } from '../../jsonapi/list-filters.ts'
import { sizes } from '../../limits.ts'
import { countedAt, everything, tallyNumbers } from '../model/counts.ts'
import { criterionOf } from '../model/criteria.ts'
import type { Counted, CountedRow, Resource } from '../model/resource.ts'
import type { StoredType } from '../model/tables.ts'
import { resourceInV2 } from '../model/v2.ts'
import { visibleText } from '../show/rows.ts'
import { argumentType, conditionText } from './conditions.ts'
import type { ListRequest } from './request.ts'
import type { Source } from './source.ts'
import { type Arguments, allOf } from './statement.ts'

/** The exact limit: more matches than this are estimated, not counted. */
export const countedMost = sizes.exactTotal.most

/**
 * The total of a list from maintained counts, as an expression. Undefined if there are none for these filters. A filter for a part of
 * a count, such as root sets or drafts, may be combined with one other filter.
 */
export const maintainedTotal = (
  resource: Resource,
  { level, conditions }: Pick<ListRequest, 'level' | 'conditions'>,
  args: Arguments,
): string | undefined => {
  const [only, ...more] = conditions
  if (!only && resource.total) return resource.total(level)
  if (only && more.length === 0 && criterionOf(resource, only.name).total)
    return repeatsNothing(resource, only) ? sizeOf(resource, only, level, args) : undefined
  let sums: Counted[][] = [[]]
  for (const condition of conditions) {
    const counts = repeatsNothing(resource, condition) ? countsOf(resource, condition) : undefined
    if (!counts) return undefined
    sums = sums.flatMap((sum) => counts.map((one) => [...sum, one]))
  }
  const totals = sums.map((sum) => talliedTogether(resource, sum, level, args))
  if (sums.length > 100 || !totals.every((one) => one !== undefined)) return undefined
  return [...totals, ...conditions.flatMap((one) => hiddenTotal(resource, one, { level, conditions }, args))].join(
    ' + ',
  )
}

/** The rows with a value that is hidden from the reader: to them, they have none, but the count of those without one leaves them out. */
const hiddenTotal = (
  resource: Resource,
  condition: Condition,
  { level, conditions }: Pick<ListRequest, 'level' | 'conditions'>,
  args: Arguments,
): string[] => {
  const hidden = condition.operator === 'null' && criterionOf(resource, condition.name).hidden?.(level)
  if (!hidden) return []
  const others = conditions.filter((one) => one !== condition).map((one) => conditionText(resource, one, level, args))
  return [`(select count(*) from ${resource.table} where ${allOf([hidden, visibleText(resource, level), ...others])})`]
}

/** The sum of the counts of a filter's values, as an expression. */
export const sizeOf = (
  resource: Resource,
  condition: Condition,
  level: number,
  args: Arguments,
): string | undefined => {
  const criterion = criterionOf(resource, condition.name)
  if (criterion.total && condition.operator === 'eq')
    return criterion.total(args.add(condition.values, `${argumentType(criterion)}[]`), level)
  return countsOf(resource, condition)
    ?.map((one) => talliedTogether(resource, [one], level, args))
    .join(' + ')
}

/** Whether no row can have several of a filter's values: it would be counted more than once. */
const repeatsNothing = (resource: Resource, { name, values }: Condition) =>
  values.length === 1 || !criterionOf(resource, name).overlap

const countsOf = (resource: Resource, { name, operator, values }: Condition): Counted[] | undefined => {
  const { tally } = criterionOf(resource, name)
  if (!tally || (operator !== 'eq' && operator !== 'null')) return undefined
  const counts = operator === 'eq' ? values.map(tally) : values[0] === 'true' ? [tally(null)] : []
  return counts.length > 0 && counts.every((one) => one !== undefined) ? counts : undefined
}

/** One row of the tallies, in the column for the requested parts. Undefined if that needs more than one row. */
const talliedTogether = (resource: Resource, counts: Counted[], level: number, args: Arguments): string | undefined => {
  const rows = counts.filter((one) => 'list' in one)
  const parts = new Set(counts.flatMap((one) => ('part' in one ? [one.part] : [])))
  if (rows.length > 1) return undefined
  const { list, id, of }: CountedRow = rows[0] ?? { list: resource.tally, id: everything }
  const kind = parts.has('roots') ? '_roots' : ''
  const published = `published${kind}`
  const shown = `${countedAt(level)}${kind}`
  const ofStatus = parts.has('drafts') ? `${shown} - ${published}` : parts.has('published') ? published : shown
  const column = parts.has('drafts') && parts.has('published') ? '0' : ofStatus
  const named = args.add(id, 'uuid')
  const isOfType = of?.map((type) => `exists (${seenRow(type, level, named)})`).join(' or ')
  const where = allOf([`list = ${tallyNumbers[list]}`, `id = ${named}`, ...(isOfType ? [`(${isOfType})`] : [])])
  return `coalesce((select ${column} from tallies where ${where}), 0)`
}

const seenRow = (type: StoredType, level: number, id: string) => {
  const resource = resourceInV2(type)
  return `select from ${resource.table} where t.id = ${id} and ${visibleText(resource, level)}`
}

/** Counts the matches up to one more than the exact limit. A row that several values yield counts once. */
export const boundedCount = ({ matches, repeats, id }: Pick<Source, 'matches' | 'repeats' | 'id'>): string =>
  `(select count(*) from (select ${repeats ? `distinct ${id}` : '1'} ${matches} limit ${countedMost + 1}) counted)`

/** Counts all matches. */
export const exactCount = ({ matches, repeats, id }: Pick<Source, 'matches' | 'repeats' | 'id'>): string =>
  `(select count(${repeats ? `distinct ${id}` : '*'}) ${matches})`
