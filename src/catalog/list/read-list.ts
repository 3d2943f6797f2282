import type { Database, Transaction } from '../../../db/client.ts'
import { withDeadline } from '../../../db/deadline.ts'
import { hasCode } from '../../../db/faults.ts'
import { timedOut } from '../../jsonapi/overload.ts'
import type { Resource } from '../model/resource.ts'
import { parseRow } from '../show/render.ts'
import { splitRows } from '../show/rows.ts'
import { keepCount, keepGuess, recallCount } from './counted.ts'
import { cutPage, idsOfPage, type RowsOfPage, rowsOfPage } from './page.ts'
import { type ListPlan, planList } from './plan.ts'
import type { CursorRequest, PlacedRow } from './request.ts'
import { type Arguments, newArguments, readRow } from './statement.ts'
import { boundedCount, countedMost } from './totals.ts'

/** A page of a list with its total, which is an estimate above the exact limit. */
type ListPage = RowsOfPage & { total: number; isGuess: boolean }

/** How long reading a page without an index in its order may take, and how long counting its matches may take. */
const deadlines = { pageMilliseconds: 5000, countMilliseconds: 1000 }

/**
 * Reads a page of a resource's list. With a bounded plan, it is one prepared statement. Anything else has a deadline (decisions.md §9)
 * and is planned for its actual values. Throws 503 if it takes too long.
 */
export const readList = async (db: Database, resource: Resource, request: CursorRequest): Promise<ListPage> => {
  const plan = await planList(db, resource, request)
  const found = plan.isBounded
    ? readBounded(db, resource, request, plan)
    : readPlanned(db.heavy, resource, request, plan)
  const { rows, matched, isExact } = await found
  const page = cutPage(
    request,
    splitRows(rows).map((text) => parseRow(text) as PlacedRow),
  )
  if (isExact || matched <= countedMost) return { ...page, total: matched, isGuess: false }
  const guess = await keepGuess(db, resource, request, () => guessTotal(db.heavy, plan))
  return { ...page, total: Math.max(matched, guess), isGuess: true }
}

type Found = { rows: string | null; matched: number; isExact: boolean }
type Read = (db: Database, resource: Resource, request: CursorRequest, plan: ListPlan) => Promise<Found>

const readBounded: Read = async (db, resource, request, plan) => {
  const remembered = recallCount(db, resource, request)
  const args = newArguments()
  const source = plan.source(args)
  const rows = rowsOfPage(resource, request, idsOfPage(request, source, args))
  const maintained = plan.total(args)
  const total =
    maintained ??
    (remembered === undefined ? (plan.count?.(args) ?? boundedCount(source)) : args.add(remembered, 'bigint'))
  const statement = `select ${total} as matched, (${rows}) as rows`
  const found = await readRow<{ matched: string; rows: string | null }>(db, statement, args)
  const matched = Number(found?.matched ?? 0)
  if (maintained === undefined) keepCount(db, resource, request, matched)
  return { rows: found?.rows ?? null, matched, isExact: maintained !== undefined }
}

const readPlanned: Read = async (db, resource, request, plan) => {
  const [page] = await runPlanned<{ rows: string | null }>(db, deadlines.pageMilliseconds, (args) => {
    const source = plan.source(args)
    return `select (${rowsOfPage(resource, request, idsOfPage(request, source, args))}) as rows`
  }).catch(tooSlow)
  const isExact = plan.total(newArguments()) !== undefined
  const remembered = recallCount(db, resource, request)
  if (remembered !== undefined && !isExact) return { rows: page?.rows ?? null, matched: remembered, isExact }
  const [count] = await runPlanned<{ matched: string }>(
    db,
    deadlines.countMilliseconds,
    (args) => `select ${plan.total(args) ?? plan.count?.(args) ?? boundedCount(plan.source(args))} as matched`,
  ).catch(uncounted)
  const matched = Number(count?.matched ?? 0)
  if (!isExact) keepCount(db, resource, request, matched)
  return { rows: page?.rows ?? null, matched, isExact }
}

const runPlanned = <T extends object>(db: Database, milliseconds: number, statement: (args: Arguments) => string) => {
  const work = async ({ sql }: Transaction) => {
    await sql`set local plan_cache_mode = 'force_custom_plan'`
    const args = newArguments()
    const text = statement(args)
    return [...(await sql.unsafe<T[]>(text, args.values as never[]))]
  }
  return withDeadline(db, milliseconds, work, { waitsInTurn: true })
}

/** A count that takes too long is treated as more than the exact limit. */
const uncounted = (error: unknown) => {
  if (!hasCode(error, '57014')) throw error
  return [{ matched: String(countedMost + 1) }]
}

const tooSlow = (error: unknown): never => {
  if (!hasCode(error, '57014')) throw error
  throw timedOut('These filters take too long in this order. Add a filter for a set, a player or a team.')
}

/** How many rows match, as the database's planner estimates from its statistics. */
const guessTotal = async (db: Database, { source }: ListPlan): Promise<number> => {
  const [row] = await runPlanned<{ 'QUERY PLAN': unknown }>(db, deadlines.countMilliseconds, (args) => {
    return `explain (format json) select 1 ${source(args).matches}`
  })
  const plans = row?.['QUERY PLAN']
  const [plan] = (typeof plans === 'string' ? JSON.parse(plans) : plans) as { Plan?: { 'Plan Rows'?: number } }[]
  return plan?.Plan?.['Plan Rows'] ?? 0
}
