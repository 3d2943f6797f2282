import type { Condition } from '../../jsonapi/list-filters.ts'
import { criterionOf } from '../model/criteria.ts'
import type { Resource } from '../model/resource.ts'
import { argumentType, conditionText } from './conditions.ts'
import { keyName } from './keyset.ts'
import type { ListRequest } from './request.ts'
import type { Source } from './source.ts'
import { type Arguments, allOf } from './statement.ts'
import { countedMost } from './totals.ts'

const ofSets = new Set(['set', 'genre', 'year', 'brand', 'manufacturer'])

/** Whether a filter of cards is a condition on a card's set. */
export const isOfSet = ({ name }: Condition) => ofSets.has(name)

/**
 * Cards in checklist order: walks the sets in the order of `no` and reads at most a page from each, so that every page costs the same.
 * Filters on sets choose the sets to walk, and other filters choose their cards.
 */
export const walkSets = (cards: Resource, { level, conditions }: ListRequest, args: Arguments): Source => {
  const listed = conditions.find((one) => isOfSet(one) && one.operator === 'eq' && one.values.length > 1)
  const others = conditions.filter((one) => one !== listed)
  const setConditions = conditionsOnSets(cards, { level, conditions: others }, args)
  const each = listed && criterionOf(cards, listed.name)
  const table = each && listed && `unnest(${args.add(listed.values, `${argumentType(each)}[]`)}) v (value)`
  const ofSet = each ? [...setConditions, each.equals('v.value')] : setConditions
  const cardConditions = [
    't.set_id = s.id',
    't.deleted_at is null',
    ...others.filter((one) => !isOfSet(one)).map((one) => conditionText(cards, one, level, args)),
  ]
  return {
    expressions: ['s.no', 't.number_key collate "C"', 't.id'],
    id: 't.id',
    each: table,
    walks: true,
    select: ([ofNo, ...ofCard], bound, order, limit) => {
      const inner = [...cardConditions, ...ofCard.filter((one) => one !== undefined), ...bound]
      const [, ...cardOrder] = order.split(', ')
      return `select s.no as ${keyName(0)}, t.${keyName(1)}, t.${keyName(2)}, t.${keyName(2)} as id
        from sets s cross join lateral (
          select t.number_key collate "C" as ${keyName(1)}, t.id as ${keyName(2)} from cards t
          where ${allOf(inner)} order by ${cardOrder.join(', ')} limit ${limit}
        ) t
        where ${allOf(ofNo ? [...ofSet, ofNo] : ofSet)} order by ${order} limit ${limit}`
    },
    matches: `from ${table ? `${table} cross join ` : ''}sets s join cards t on t.set_id = s.id
      where ${allOf([...ofSet, ...cardConditions])}`,
  }
}

const conditionsOnSets = (
  cards: Resource,
  { level, conditions }: Pick<ListRequest, 'level' | 'conditions'>,
  args: Arguments,
) => [
  `s.audience >= ${level}`,
  's.live_cards > 0',
  ...conditions.filter(isOfSet).map((one) => conditionText(cards, one, level, args)),
]

/**
 * How many cards the filtered sets have, up to one more than the exact limit, from the counts that sets store. Tries 200 sets first,
 * which usually exceed the limit already.
 */
export const cardsInSets = (cards: Resource, request: ListRequest, args: Arguments): string => {
  const where = allOf(conditionsOnSets(cards, request, args))
  const sum = (sets: number) =>
    `(select least(coalesce(sum(live_cards), 0), ${countedMost + 1}) from (select s.live_cards from sets s where ${where} limit ${sets}) chosen)`
  return `(case when ${sum(200)} > ${countedMost} then ${countedMost + 1} else ${sum(countedMost + 1)} end)`
}
