import type { Condition } from '../../jsonapi/list-filters.ts'
import { cardCriteria, serialLimit } from '../model/card-criteria.ts'
import { numberKey } from '../model/card-number.ts'
import { cardCondition } from './card-walk.ts'
import { argumentType } from './conditions.ts'
import { conditionsOf, keyName } from './keyset.ts'
import type { KeysetRequest, Source } from './page.ts'
import { type Arguments, allOf } from './statement.ts'

/** An index that has the cards with one value of a filter in checklist order. */
type Stream = {
  /** The rows that the index is of, and their sets `s`; `cards` is joined as `t` where it is not one of them. */
  from: string
  needsCards?: string
  where: (value: string) => string[]
  expressions: string[]
  repeats?: true
}

const cards = {
  from: 'cards t join sets s on s.no = t.set_no',
  expressions: ['t.set_no', 't.number_key collate "C"', 't.id'],
}
const live = 't.deleted_at is null'

const bearer = (kind: 'player' | 'team'): Stream => ({
  from: 'oncard o join sets s on s.no = o.set_no',
  needsCards: 'join cards t on t.id = o.card_id',
  where: (value) => [`o.${kind}_id = ${value}`, `o.lists_${kind}`],
  expressions: ['o.set_no', 'o.number_key collate "C"', 'o.card_id'],
  repeats: true,
})

/** The id of the attribute with a code. */
export const attributeId = (code: string) => `(
  select a.id from attributes a
  where a.attribute_key collate "C" = lower(${code}) and a.attribute = ${code} and a.audience >= 1
)`

const streams: Record<string, Stream> = {
  player: bearer('player'),
  team: bearer('team'),
  parent: { ...cards, where: (value) => [`t.parent_id = ${value}`, live] },
  name: { ...cards, where: (value) => [`md5(t.name)::uuid = md5(${value})::uuid`, `t.name = ${value}`, live] },
  attribute: {
    from: 'card_attributes m join cards t on t.id = m.card_id join sets s on s.no = m.set_no',
    where: (value) => [`m.attribute_id = ${attributeId(value)}`, live],
    expressions: ['m.set_no', 'm.number_key collate "C"', 'm.card_id'],
    repeats: true,
  },
  serial_limit: { ...cards, where: (value) => [`${serialLimit} = ${value}`, live] },
  number: { ...cards, where: (value) => [`t.number = ${value}`, live] },
}

/** Whether an index has the cards of a filter in checklist order. */
export const isStreamed = ({ name, operator, values }: Condition) =>
  (operator === 'eq' && Object.hasOwn(streams, name)) ||
  (name === 'number' && operator === 'null' && values[0] === 'true')

/** Cards in checklist order along the index of one filter; the others are conditions on what it gives. */
export const streamOf = (condition: Condition, { level, conditions }: KeysetRequest, args: Arguments): Source => {
  const stream = streams[condition.name] as Stream
  const others = conditions.filter((one) => one !== condition)
  const { each, where } = valuesOf(condition, stream, args)
  const from = others.length > 0 && stream.needsCards ? `${stream.from} ${stream.needsCards}` : stream.from
  const matching = [...where, `s.audience >= ${level}`, ...others.map((one) => cardCondition(one, args))]
  const id = stream.expressions.at(-1) as string
  return {
    expressions: stream.expressions,
    each,
    repeats: Boolean(each && stream.repeats),
    id,
    select: (range, bound, order, limit) => `
      select ${stream.expressions.map((sql, index) => `${sql} as ${keyName(index)}`).join(', ')}, ${id} as id
      from ${from} where ${allOf([...matching, ...conditionsOf(range), ...bound])}
      order by ${order} limit ${limit}`,
    matches: `from ${each ? `${each} cross join ` : ''}${from} where ${allOf(matching)}`,
  }
}

/** One value as a condition, several as a table. A number is found by its natural-sort key, which numbers that look alike share. */
const valuesOf = ({ name, operator, values }: Condition, stream: Stream, args: Arguments) => {
  if (operator === 'null')
    return {
      each: undefined,
      where: [`t.number_key collate "C" = ${args.add(numberKey(null), 'text')}`, 't.number is null', live],
    }
  const criterion = cardCriteria[name] as (typeof cardCriteria)[string]
  const type = argumentType(criterion)
  const keys = name === 'number' ? values.map(numberKey) : undefined
  if (values.length === 1) {
    const found = keys ? [`t.number_key collate "C" = ${args.add(keys[0], 'text')}`] : []
    return { each: undefined, where: [...found, ...stream.where(args.add(values[0], type))] }
  }
  const lists = [args.add(values, `${type}[]`), ...(keys ? [args.add(keys, 'text[]')] : [])]
  return {
    each: `unnest(${lists.join(', ')}) v (value${keys ? ', key' : ''})`,
    where: [...(keys ? ['t.number_key collate "C" = v.key'] : []), ...stream.where('v.value')],
  }
}
