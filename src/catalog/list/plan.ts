/*
 * A resource declares once what its lists can be filtered by (`criteria`; the filters of `/v1` are names for them),
 * how they can be sorted (`sorts`), and its access paths: an index, the filters it serves, and the order it has. The
 * plan picks the path that serves most of a request's filters in its order. If no path serves all of them, the named
 * set, player or team with the fewest cards comes first, and the other filters are conditions on its rows. A list that
 * one path serves completely is bounded: one prepared statement. The rest uses `db.heavy`, the lane for long reads,
 * and has a deadline in `/v2`. Cards without a filter, or with filters on sets, are walked set by set
 * (`list/walk.ts`).
 */

import type { Database } from '../../../db/client.ts'
import type { Condition } from '../../jsonapi/list-filters.ts'
import { Audience } from '../../lib/audience.ts'
import type { AccessPath, Resource } from '../model/resource.ts'
import { conditionText } from './conditions.ts'
import type { ListRequest } from './request.ts'
import { type Match, ownRows, rowsAlong, rowsSorted, type Source, sortedBy } from './source.ts'
import { type Arguments, newArguments, readRow } from './statement.ts'
import { boundedCount, countedMost, maintainedTotal, sizeOf } from './totals.ts'
import { cardsInSets, isOfSet, walkSets } from './walk.ts'

/**
 * How to read a list. A bounded plan never costs more than its page, since one index serves all its filters in its order. `total` comes
 * from maintained counts, and is undefined if matches have to be counted.
 */
export type ListPlan = {
  isBounded: boolean
  source: (args: Arguments) => Source
  total: (args: Arguments) => string | undefined
  /** A cheaper way to count the matches, up to one more than the exact limit, if there is one. */
  count?: (args: Arguments) => string
}

/** Chooses the access path that serves most of a list's filters in the requested order. The other filters are conditions on its rows. */
export const planList = async (db: Database, resource: Resource, request: ListRequest): Promise<ListPlan> => {
  const matches = resource.paths.flatMap((path) => matchOf(path, request))
  const best = mostServing(matches.filter(({ path }) => path.order === undefined || isInOrder(path, request)))[0]
  const servesAll = best?.served.length === request.conditions.length && request.conditions.filter(isList).length < 2
  const common = {
    isBounded: servesAll,
    total: (args: Arguments) => maintainedTotal(resource, request, args),
  }
  if (resource.type !== 'cards') return { ...common, source: (args) => ownRows(resource, request, args) }
  const chosen = servesAll ? best : await smallest(db, resource, mostServing(matches.filter(isNamed)))
  return {
    ...common,
    source: await sourceOfCards(db, resource, request, chosen ?? best),
    count: request.conditions.every(isOfSet) ? (args) => cardsInSets(resource, request, args) : undefined,
  }
}

const isList = ({ operator, values }: Condition) => operator === 'eq' && values.length > 1

/** A path and the filters it serves, if the request has all of them. */
const matchOf = (path: AccessPath, { conditions }: ListRequest): Match[] => {
  const served = path.serves.flatMap((name, index) => conditions.find((one) => isServed(one, name, path, index)) ?? [])
  return served.length === path.serves.length ? [{ path, served }] : []
}

/** A path of cards serves a list of values only for its first filter, and reads it value by value. */
const isServed = ({ name, operator, values }: Condition, serves: string, { rows }: AccessPath, index: number) => {
  if (operator === 'eq') return name === serves && (!rows || index === 0 || values.length === 1)
  if (operator !== 'null' || values[0] !== 'true') return false
  return serves === `${name}[null]` || (serves === name && (!rows || rows.whereNone !== undefined))
}

/** Whether a path has the requested order: by one sort key, then by id. */
const isInOrder = ({ order }: AccessPath, { keys }: ListRequest) =>
  keys[0]?.sort === order && keys.every(({ sort }) => sort === order || sort === 'id')

const mostServing = (matches: Match[]): Match[] => {
  const most = Math.max(...matches.map(({ served }) => served.length))
  return matches.filter(({ served }) => served.length === most)
}

/** Filters that name sets, players or teams. A list with one costs at most their cards, and the number of these is known. */
const naming = new Set(['set', 'player', 'team'])

const isNamed = ({ served: [first] }: Match) => first?.operator === 'eq' && naming.has(first.name)

/** The match with the fewest cards. */
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
 * Cards in checklist order come from the path's index, or set by set. If a filter compares a measure and few cards match, these are
 * sorted instead. Cards in another order come from that order's index, or are the sorted cards of the named set, player or team.
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

/** A select of the live cards that a filter finds. */
const cardsOf = (cards: Resource, condition: Condition, args: Arguments) =>
  condition.name === 'set'
    ? `select c.id from cards c where c.set_id = any(${args.add(condition.values, 'uuid[]')}) and c.deleted_at is null`
    : `select t.id from cards t where ${conditionText(cards, condition, Audience.draft, args)} and t.deleted_at is null`

/** Whether a filter compares a measure that has its own index. */
const isMeasured = ({ name, operator }: Condition) =>
  ['created_at', 'updated_at', 'serial_limit'].includes(name) && ['gt', 'gte', 'lt', 'lte'].includes(operator)

/** Returns the filter if few enough cards match to sort them. If more match, walking the checklists soon fills a page. */
const findFew = async (db: Database, cards: Resource, measured: Condition | undefined) => {
  if (!measured) return undefined
  const args = newArguments()
  const matches = `from (${cardsOf(cards, measured, args)}) c`
  const row = await readRow<{ cards: string }>(db, `select ${boundedCount({ matches, id: 'c.id' })} as cards`, args)
  return Number(row?.cards) <= countedMost ? measured : undefined
}
