import type { Condition } from '../../jsonapi/list-filters.ts'
import { cardCriteria } from '../model/card-criteria.ts'
import { commonCriteria } from '../model/criteria.ts'
import { argumentType, conditionText } from './conditions.ts'
import { keyName } from './keyset.ts'
import type { KeysetRequest, Source } from './page.ts'
import { type Arguments, allOf } from './statement.ts'
import { countedMost } from './totals.ts'

const ofSets = new Set(['set', 'genre', 'year', 'brand', 'manufacturer'])

/** Whether a filter is a condition on a card's set. */
export const isOfSet = ({ name }: Condition) => ofSets.has(name)

/** A filter of cards as a condition on the card `t` and its set `s`. */
export const cardCondition = (condition: Condition, args: Arguments): string => {
  const criterion = cardCriteria[condition.name] ?? commonCriteria[condition.name]
  return criterion ? conditionText(criterion, condition, args) : 'true'
}

/**
 * Cards in checklist order: walks the sets in the order of `no` and takes at most a page of each, so that a page costs the
 * same anywhere. Filters on sets choose which are walked, other filters which of their cards are taken.
 */
export const walkSets = ({ level, conditions }: KeysetRequest, args: Arguments): Source => {
  const listed = conditions.find((one) => isOfSet(one) && one.operator === 'eq' && one.values.length > 1)
  const setConditions = conditionsOnSets({ level, conditions: conditions.filter((one) => one !== listed) }, args)
  const each = listed && cardCriteria[listed.name]
  const table = each && listed && `unnest(${args.add(listed.values, `${argumentType(each)}[]`)}) v (value)`
  const ofSet = each ? [...setConditions, each.equals('v.value')] : setConditions
  const cardConditions = [
    't.set_id = s.id',
    't.deleted_at is null',
    ...conditions.filter((one) => !isOfSet(one)).map((condition) => cardCondition(condition, args)),
  ]
  return {
    expressions: ['s.no', 't.number_key collate "C"', 't.id'],
    each: table,
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

const conditionsOnSets = ({ level, conditions }: Pick<KeysetRequest, 'level' | 'conditions'>, args: Arguments) => [
  `s.audience >= ${level}`,
  's.live_cards > 0',
  ...conditions.filter(isOfSet).map((condition) => cardCondition(condition, args)),
]

/**
 * How many cards there are in the sets that filters choose, up to one more than are counted: sets know theirs. Some
 * hundred sets mostly hold more already.
 */
export const cardsInSets = (request: KeysetRequest, args: Arguments): string => {
  const where = allOf(conditionsOnSets(request, args))
  const sum = (sets: number) =>
    `(select least(coalesce(sum(live_cards), 0), ${countedMost + 1}) from (select s.live_cards from sets s where ${where} limit ${sets}) chosen)`
  return `(case when ${sum(200)} > ${countedMost} then ${countedMost + 1} else ${sum(countedMost + 1)} end)`
}
