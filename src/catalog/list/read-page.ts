/*
 * Pages by number read ids first, from the nearer end, then the rows; a first page and its total are one statement.
 * Pages by cursor (`list/read-list.ts`) read the same sources from a given place. A search for part of a name in `/v1`
 * looks up the matches first. Up to 10,000 are sorted. If there are more, a page is read along the index that has the
 * order.
 */

import type { Database } from '../../../db/client.ts'
import type { Resource } from '../model/resource.ts'
import { type Page, rowsAsText, splitRows, visibleText } from '../show/rows.ts'
import { idsInBlocks } from './card-blocks.ts'
import { conditionText } from './conditions.ts'
import { type Key, keyName, orderText, reversed } from './keyset.ts'
import { type ListPlan, planList } from './plan.ts'
import type { NumberedRequest } from './request.ts'
import { firstOfSet } from './set-checklists.ts'
import { ownRows, type Source } from './source.ts'
import { type Arguments, allOf, newArguments, readRow } from './statement.ts'
import { countedMost, exactCount } from './totals.ts'

/**
 * Reads a numbered page of a list with its exact total: ids first, from the nearer end, then the rows by primary key. A first page
 * and its total are one statement. A later page reads the total first, to know which end is nearer.
 */
export const readPage = async (db: Database, resource: Resource, request: NumberedRequest): Promise<Page> => {
  if (isChecklist(resource, request)) return firstOfSet(db, resource, request)
  const plan = await planList(db, resource, request)
  const lane = plan.isBounded ? db : db.heavy
  const asksForParts = request.conditions.some(({ operator }) => operator === 'like')
  if (!asksForParts) return pageOf(lane, resource, request, plan)
  const walk = (args: Arguments) => ownRows(resource, request, args, true)
  return (await pageOfFew(lane, resource, request)) ?? pageOf(lane, resource, request, { ...plan, source: walk })
}

/**
 * Reads a numbered page of deleted records (`deletedOf`) with its exact total. No tally counts them, and only their own order has an
 * index, so it is read in the lane for long reads.
 */
export const readDeletedPage = (db: Database, resource: Resource, request: NumberedRequest): Promise<Page> => {
  const { conditions, keys, level, page, perPage } = request
  const args = newArguments()
  const filters = conditions.map((condition) => conditionText(resource, condition, level, args))
  const matches = `from ${resource.table} where ${allOf([visibleText(resource, level), ...filters])}`
  const order = orderText(keys, (index) => keys[index]?.sql as string)
  const ids = `select t.id ${matches} order by ${order} limit ${perPage} offset ${args.add((page - 1) * perPage, 'bigint')}`
  return readBoth(db.heavy, `(select count(*) ${matches})`, rowsOf(resource, request, ids), args)
}

/** Whether a request is for the first page of a set's checklist, the most frequent list. */
const isChecklist = ({ type }: Resource, { conditions: [only, ...more], page }: NumberedRequest) =>
  type === 'cards' && only?.name === 'set' && more.length === 0 && page === 1

type Read = (db: Database, resource: Resource, request: NumberedRequest, plan: ListPlan) => Promise<Page>

const pageOf: Read = async (db, resource, request, plan) => {
  const { page, perPage } = request
  const offset = (page - 1) * perPage
  const args = newArguments()
  if (offset === 0) {
    const source = plan.source(args)
    const rows =
      resource.type === 'cards'
        ? rowsOf(resource, request, idsAt(source, request.keys, perPage))
        : `select ${resource.columns(request.level)} ${inOrder(source, request.keys, perPage)}`
    return readBoth(db, plan.total(args) ?? exactCount(source), rows, args)
  }
  const { total } = await readBoth(db, plan.total(args) ?? exactCount(plan.source(args)), undefined, args)
  const size = Math.min(perPage, total - offset)
  if (size <= 0) return { total, rows: [] }
  const inEnd = newArguments()
  const ids = await idsFromNearerEnd(db, resource, request, plan.source, { offset, size, total }, inEnd)
  const { rows } = await readBoth(db, '0', rowsOf(resource, request, ids), inEnd)
  return { total, rows }
}

type Place = { offset: number; size: number; total: number }

/** The list of all cards uses the counts of blocks of sets. Other lists skip the rows before the page, or those after it. */
const idsFromNearerEnd = async (
  db: Database,
  resource: Resource,
  { conditions, keys, level }: NumberedRequest,
  sourceOf: ListPlan['source'],
  { offset, size, total }: Place,
  args: Arguments,
): Promise<string> => {
  if (resource.type === 'cards' && conditions.length === 0) return idsInBlocks(db, offset, size, level, args)
  const fromEnd = offset * 2 > total
  const source = sourceOf(args)
  const passed = args.add(fromEnd ? total - offset - size : offset, 'bigint')
  return idsAt(source, fromEnd ? reversed(keys) : keys, size, passed)
}

/** A select of the ids of a page in the order of a source, after `passed` ones. */
const idsAt = (source: Source, keys: Key[], size: number, passed?: string): string => {
  if (!source.walks) return `select ${source.id} as id ${inOrder(source, keys, size, passed)}`
  const ids = source.select([], [], orderText(keys, keyName), passed ? `(${size} + ${passed})` : size)
  return passed ? `${ids} offset ${passed}` : ids
}

/** The matches in the order of a source. The limit is a literal so that the database's planner sees it. */
const inOrder = ({ expressions, matches }: Source, keys: Key[], size: number, passed?: string): string => {
  const order = orderText(keys, (index) => expressions[index] as string)
  return `${matches} order by ${order} limit ${size}${passed ? ` offset ${passed}` : ''}`
}

const rowsOf = (resource: Resource, { keys, level }: NumberedRequest, ids: string): string => `
  select ${resource.columns(level)} from (${ids}) page_ids join ${resource.table} on t.id = page_ids.id
  order by ${orderText(keys, (index) => keys[index]?.sql as string)}`

/** Reads a total and the rows with one statement. */
const readBoth = async (
  db: Database,
  total: string,
  rows: string | undefined,
  args: Arguments,
  prelude = '',
): Promise<Page> => {
  const texts = rows ? `(select ${rowsAsText} from (${rows}) r)` : 'null'
  const statement = `${prelude} select ${total} as total, ${texts} as rows`
  const page = await readRow<{ total: string; rows: string | null }>(db, statement, args)
  return { total: Number(page?.total ?? 0), rows: splitRows(page?.rows) }
}

/** A page of a filter by parts of names: one pass over their index, then a sort. Undefined if too many match. */
const pageOfFew = async (db: Database, resource: Resource, request: NumberedRequest): Promise<Page | undefined> => {
  const { keys, page, perPage } = request
  const args = newArguments()
  const { expressions, id, matches } = ownRows(resource, request, args)
  const columns = [...expressions.map((sql, index) => `${sql} as ${keyName(index)}`), `${id} as id`]
  const found = `
    with matches as materialized (select ${columns.join(', ')} ${matches} limit ${countedMost + 1}),
    counted as (select count(*) as matched from matches)`
  const ids = `
    select m.id from matches m where (select matched from counted) <= ${countedMost}
    order by ${orderText(keys, (index) => `m.${keyName(index)}`)}
    limit ${perPage} offset ${args.add((page - 1) * perPage, 'bigint')}`
  const few = await readBoth(db, '(select matched from counted)', rowsOf(resource, request, ids), args, found)
  return few.total > countedMost ? undefined : few
}
