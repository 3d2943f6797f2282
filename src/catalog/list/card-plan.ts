import type { Database } from '../../../db/client.ts'
import type { Condition } from '../../jsonapi/list-filters.ts'
import { lists } from '../model/counts.ts'
import type { Resource } from '../model/resource.ts'
import { attributeId, isStreamed, streamOf } from './card-streams.ts'
import { cardCondition, cardsInSets, isOfSet, walkSets } from './card-walk.ts'
import { conditionsOf, keyName } from './keyset.ts'
import type { KeysetRequest, ListPlan, Source } from './page.ts'
import { isServed, sourceOf } from './source.ts'
import { type Arguments, allOf, newArguments } from './statement.ts'
import { boundedCount, countedMost, maintainedTotal } from './totals.ts'

/**
 * How a list of cards is read (decisions.md §9). In checklist order: along the index of the set, player or team that it
 * names (the one with the fewest cards), of another filter, or set by set. In another order: by its index, or by sorting
 * the cards of the set, player or team that it names.
 */
export const planCards = async (db: Database, cards: Resource, request: KeysetRequest): Promise<ListPlan> => {
  const { conditions, keys } = request
  const named = await fewest(db, conditions.filter(isNamed))
  const inChecklist = keys[0]?.sort === 'checklist' && keys.length === 3
  const streamed = named ?? conditions.find(isStreamed)
  const few = inChecklist && !streamed ? await findFew(db, conditions.find(isMeasured)) : undefined
  const source = (args: Arguments): Source => {
    if (few) return sortCards(few, request, args)
    if (!inChecklist) return named ? sortCards(named, request, args) : sourceOf(cards, request, args)
    if (streamed && isStreamed(streamed)) return streamOf(streamed, request, args)
    return conditions.some(isById) && !named ? sourceOf(cards, request, args) : walkSets(request, args)
  }
  return {
    isSteady: isServed(request) && (conditions.length === 0 || (inChecklist && conditions.every(isIndexed))),
    source,
    total: (args) => totalOf(cards, request, args),
    count: conditions.every(isOfSet) ? (args) => cardsInSets(request, args) : undefined,
  }
}

const isById = ({ name, operator }: Condition) => name === 'id' && operator === 'eq'

const isIndexed = (condition: Condition) => isStreamed(condition) || isOfSet(condition) || isById(condition)

/** Whether a filter names sets, players or teams, whose cards are all that a list can cost. */
const isNamed = ({ name, operator }: Condition) =>
  operator === 'eq' && (name === 'set' || name === 'player' || name === 'team')

/** Which of several such filters leaves the fewest cards. */
const fewest = async ({ sql }: Database, named: Condition[]): Promise<Condition | undefined> => {
  if (named.length < 2) return named[0]
  const sizes = await Promise.all(
    named.map(async ({ name, values }) => {
      const [row] =
        name === 'set'
          ? await sql<{ cards: string }[]>`select sum(live_cards) as cards from sets where id = any(${values}::uuid[])`
          : await sql<{ cards: string }[]>`
              select sum(live) as cards from tallies where list = ${lists.cards} and id = any(${values}::uuid[])`
      return Number(row?.cards ?? 0)
    }),
  )
  return named[sizes.indexOf(Math.min(...sizes))]
}

/** Whether a filter by a measure has an index of its own, in the order of the measure. */
const isMeasured = ({ name, operator }: Condition) =>
  ['created_at', 'updated_at', 'serial_limit'].includes(name) && ['gt', 'gte', 'lt', 'lte'].includes(operator)

/** The filter, where so few cards match that they can be sorted; more are found soon enough in checklist order. */
const findFew = async (db: Database, measured: Condition | undefined): Promise<Condition | undefined> => {
  if (!measured) return undefined
  const args = newArguments()
  const matches = `from (${cardsOf(measured, args)}) c`
  const [row] = await db.sql.unsafe<{ cards: string }[]>(
    `select ${boundedCount({ matches, id: 'c.id' })} as cards`,
    args.values as never[],
    { prepare: true },
  )
  return Number(row?.cards) <= countedMost ? measured : undefined
}

/** The live cards that one filter finds, along its index. */
const cardsOf = (condition: Condition, args: Arguments): string => {
  const ids = () => `any(${args.add(condition.values, 'uuid[]')})`
  if (condition.name === 'set') return `select c.id from cards c where c.set_id = ${ids()} and c.deleted_at is null`
  if (condition.name === 'player')
    return `select o.card_id as id from oncard o where o.player_id = ${ids()} and o.lists_player`
  if (condition.name === 'team')
    return `select o.card_id as id from oncard o where o.team_id = ${ids()} and o.lists_team`
  return `select t.id from cards t where ${cardCondition(condition, args)} and t.deleted_at is null`
}

/** All cards that one filter finds, sorted; the others are conditions on them. */
const sortCards = (named: Condition, { level, keys, conditions }: KeysetRequest, args: Arguments): Source => {
  const ids = cardsOf(named, args)
  const from = `named n join cards t on t.id = n.id join sets s on s.id = t.set_id`
  const matching = [
    `s.audience >= ${level}`,
    ...conditions.filter((one) => one !== named).map((one) => cardCondition(one, args)),
  ]
  return {
    select: (range, bound, order, limit) => `
      with named as materialized (select distinct c.id from (${ids}) c)
      select ${keys.map(({ sql }, index) => `${sql} as ${keyName(index)}`).join(', ')}, t.id
      from ${from} where ${allOf([...matching, ...conditionsOf(range), ...bound])}
      order by ${order} limit ${limit}`,
    matches: `from (select distinct c.id from (${ids}) c) n ${from.slice('named n '.length)} where ${allOf(matching)}`,
  }
}

/** The total from the counts that blocks of sets, sets and tallies keep. */
const totalOf = (cards: Resource, { level, conditions }: KeysetRequest, args: Arguments): string | undefined => {
  const [only, ...more] = conditions
  const column = level >= 2 ? 'published' : 'live'
  if (!only) return `(select coalesce(sum(${column}), 0) from card_blocks where level = 2)`
  if (more.length > 0) return undefined
  if (only.name === 'set' && only.operator === 'eq')
    return `(select coalesce(sum(live_cards), 0) from sets where id = any(${args.add(only.values, 'uuid[]')}) and audience >= ${level})`
  if (only.name !== 'attribute' || only.operator !== 'eq' || only.values.length > 1)
    return maintainedTotal(cards, level, conditions, args)
  return `coalesce((
    select ${column} from tallies where list = ${lists.cards} and id = ${attributeId(args.add(only.values[0], 'text'))}
  ), 0)`
}
