import type { Condition } from '../../jsonapi/list-filters.ts'
import { sizes } from '../../limits.ts'
import { everything, tallyNumbers } from '../model/counts.ts'
import type { Counted, Resource } from '../model/resource.ts'
import { criteriaOf } from './conditions.ts'
import type { Source } from './page.ts'
import type { Arguments } from './statement.ts'

/** More matches than this are not counted one by one: their number is an estimate. */
export const countedMost = sizes.exactTotal.most

/** The total of a list as an expression, from maintained counts; undefined where there is none for these filters. */
export const maintainedTotal = (
  resource: Resource,
  level: number,
  conditions: Condition[],
  args: Arguments,
): string | undefined => {
  const [only, ...more] = conditions
  if (!only) return tallied({ list: resource.tally, id: everything }, level, args)
  const { tally, overlap } = criteriaOf(resource)[only.name] ?? {}
  if (more.length > 0 || !tally) return undefined
  if (only.operator === 'null') {
    const counted = only.values[0] === 'true' ? tally(null) : undefined
    return counted && tallied(counted, level, args)
  }
  if (only.operator !== 'eq' || (overlap && only.values.length > 1)) return undefined
  const counts = only.values.map(tally)
  return counts.every((one) => one !== undefined)
    ? counts.map((one) => tallied(one, level, args)).join(' + ')
    : undefined
}

const tallied = ({ list, id, part }: Counted, level: number, args: Arguments) =>
  `coalesce((select ${columnOf(part, level)} from tallies where list = ${tallyNumbers[list]} and id = ${args.add(id, 'uuid')}), 0)`

const columnOf = (part: Counted['part'], level: number) => {
  if (part === 'roots') return level >= 2 ? 'published_roots' : 'live_roots'
  if (part === 'drafts') return level >= 2 ? '0' : 'live - published'
  return level >= 2 || part === 'published' ? 'published' : 'live'
}

/** How many match, up to one more than are counted; a row that comes from several values counts once. */
export const boundedCount = ({ matches, repeats, id = 't.id' }: Pick<Source, 'matches' | 'repeats' | 'id'>): string =>
  `(select count(*) from (select ${repeats ? `distinct ${id}` : '1'} ${matches} limit ${countedMost + 1}) counted)`
