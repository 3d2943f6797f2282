import type { Database } from '../../../db/client.ts'
import type { Condition } from '../../jsonapi/list-filters.ts'
import { Audience } from '../../lib/audience.ts'
import type { AccessPath, Resource } from '../model/resource.ts'
import { conditionText } from './conditions.ts'
import type { ListRequest } from './request.ts'
import { type Match, ownRows, rowsAlong, rowsSorted, type Source, sortedBy } from './source.ts'
import { type Arguments, newArguments, readRow } from './statement.ts'
import { boundedCount, countedMost, maintainedTotal, sizeOf } from './totals.ts'
import { cardsInSets, cardsOfSet, isOfSet, walkSets } from './walk.ts'

/**
 * How to read a list. A bounded plan costs no more than its page, for any values: an index serves all of its
 * filters in its order. `total` is from maintained counts, and undefined where matches have to be counted.
 */
export type ListPlan = {
  isBounded: boolean
  source: (args: Arguments) => Source
  /** The same rows for numbered pages, if another index skips over them. */
  numbered?: (args: Arguments) => Source
  total: (args: Arguments) => string | undefined
  /** How many match, up to one more than the exact limit, if there is a cheaper way than counting them. */
  count?: (args: Arguments) => string
}

/**
 * Chooses the access path of a list: the one that serves most of its filters in the requested order. The other filters are
 * conditions on its rows.
 */
export const planList = async (db: Database, resource: Resource, request: ListRequest): Promise<ListPlan> => {
  const matches = resource.paths.flatMap((path) => matchOf(path, request))
  const best = mostServing(matches.filter(({ path }) => path.order === undefined || isInOrder(path, request)))[0]
  const servesAll = best?.served.length === request.conditions.length && request.conditions.filter(isList).length < 2
  const common = {
    isBounded: servesAll,
    total: (args: Arguments) => maintainedTotal(resource, request, args),
    numbered: undefined,
  }
  if (resource.type !== 'cards') return { ...common, source: (args) => ownRows(resource, request, args) }
  const chosen = servesAll ? best : await smallest(db, resource, mostServing(matches.filter(isNamed)))
  return {
    ...common,
    source: await sourceOfCards(db, resource, request, chosen ?? best),
    numbered:
      best?.path.index === 'cards_checklist' && servesAll && !best.served.some(isList)
        ? (args) => cardsOfSet(request, best.served, args)
        : undefined,
    count: request.conditions.every(isOfSet) ? (args) => cardsInSets(resource, request, args) : undefined,
  }
}

const isList = ({ operator, values }: Condition) => operator === 'eq' && values.length > 1

/** A path with the filters that it serves, if the request has all of them. */
const matchOf = (path: AccessPath, { conditions }: ListRequest): Match[] => {
  const served = path.serves.flatMap((name, index) => conditions.find((one) => isServed(one, name, path, index)) ?? [])
  return served.length === path.serves.length ? [{ path, served }] : []
}

/** A path of cards serves several values only of its first filter, which it reads value by value. */
const isServed = ({ name, operator, values }: Condition, serves: string, { rows }: AccessPath, index: number) => {
  if (operator === 'eq') return name === serves && (!rows || index === 0 || values.length === 1)
  if (operator !== 'null' || values[0] !== 'true') return false
  return serves === `${name}[null]` || (serves === name && (!rows || rows.whereNone !== undefined))
}

/** Whether a path has the order: by one sort key, then by id. */
const isInOrder = ({ order }: AccessPath, { keys }: ListRequest) =>
  keys[0]?.sort === order && keys.every(({ sort }) => sort === order || sort === 'id')

const mostServing = (matches: Match[]): Match[] => {
  const most = Math.max(...matches.map(({ served }) => served.length))
  return matches.filter(({ served }) => served.length === most)
}

/** Filters that name sets, players or teams: a list costs at most their cards, and their number is known. */
const naming = new Set(['set', 'player', 'team'])

const isNamed = ({ served: [first] }: Match) => first?.operator === 'eq' && naming.has(first.name)

/** The path that leaves the fewest cards. */
const smallest = async (db: Database, cards: Resource, matches: Match[]): Promise<Match | undefined> => {
  if (matches.length < 2) return matches[0]
  const args = newArguments()
  const sizes = matches.map(({ served: [first] }) => sizeOf(cards, first as Condition, Audience.draft, args) ?? '0')
  const statement = `select array[${sizes.map((size) => `(${size})::bigint`).join(', ')}]::text[] as sizes`
  const row = await readRow<{ sizes: string[] }>(db, statement, args)
  const numbers = (row?.sizes ?? []).map(Number)
  return matches[numbers.indexOf(Math.min(...numbers))]
}

/**
 * Cards in checklist order come from the path's index, or set by set; if the only filter is a measure and few match, these are
 * sorted. In another order they come from its index, or are the sorted cards of the named set, player or team.
 */
const sourceOfCards = async (
  db: Database,
  cards: Resource,
  request: ListRequest,
  chosen: Match | undefined,
): Promise<ListPlan['source']> => {
  const inChecklist = isInOrder({ index: '', serves: [], order: 'checklist' }, request)
  if (inChecklist && chosen?.path.rows) return (args) => rowsAlong(cards, chosen, request, args)
  if (!inChecklist && chosen && isNamed(chosen)) return (args) => sortedCards(cards, chosen, request, args)
  if (!inChecklist || chosen?.path.index === 'cards_pkey') return (args) => ownRows(cards, request, args)
  const few = chosen && isNamed(chosen) ? undefined : await findFew(db, cards, request.conditions.find(isMeasured))
  return (args) =>
    few ? sortedBy(cards, cardsOf(cards, few, args), [few], request, args) : walkSets(cards, request, args)
}

const sortedCards = (cards: Resource, match: Match, request: ListRequest, args: Arguments): Source =>
  match.path.rows
    ? rowsSorted(cards, match, request, args)
    : sortedBy(cards, cardsOf(cards, match.served[0] as Condition, args), match.served, request, args)

/** The live cards that one filter finds. */
const cardsOf = (cards: Resource, condition: Condition, args: Arguments) =>
  condition.name === 'set'
    ? `select c.id from cards c where c.set_id = any(${args.add(condition.values, 'uuid[]')}) and c.deleted_at is null`
    : `select t.id from cards t where ${conditionText(cards, condition, args)} and t.deleted_at is null`

/** Whether a filter by a measure has an index of its own, in the order of the measure. */
const isMeasured = ({ name, operator }: Condition) =>
  ['created_at', 'updated_at', 'serial_limit'].includes(name) && ['gt', 'gte', 'lt', 'lte'].includes(operator)

/** The filter, if few enough cards match to sort them; otherwise checklist order finds a page soon enough. */
const findFew = async (db: Database, cards: Resource, measured: Condition | undefined) => {
  if (!measured) return undefined
  const args = newArguments()
  const matches = `from (${cardsOf(cards, measured, args)}) c`
  const row = await readRow<{ cards: string }>(db, `select ${boundedCount({ matches, id: 'c.id' })} as cards`, args)
  return Number(row?.cards) <= countedMost ? measured : undefined
}
