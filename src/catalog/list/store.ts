import type { Database, Sql } from '../../../db/client.ts'
import { everything, type ListName, lists } from '../model/counts.ts'
import type { FilterValue, Fragment, Page, Resource } from '../model/resource.ts'
import { rowsAsText, splitRows, visibleText } from '../show/rows.ts'

/** A list of /v1 as it is asked for. */
export type ListRequest = {
  level: number
  filters: Record<string, FilterValue>
  page: number
  perPage: number
  /** Further parameters that only one resource takes. */
  options: Record<string, string | undefined>
}

/** A page of a resource's plain list with its exact total, in the resource's order. */
export const listRows = async (db: Database, resource: Resource, request: ListRequest): Promise<Page> => {
  const { sql } = db
  const where = conditions(sql, resource, request)
  const found = withParts(sql, resource, request, where)
  const total = totalOf(sql, resource, request, where)
  const order = resource.order.map((column) => ({ column, descending: false }))
  return pageOf(db, { resource, where, found, total, order, level: request.level }, request)
}

/** The conditions of a list by parts of names, with what finds these along an index; nothing where none is asked for. */
export const withParts = (
  sql: Sql,
  resource: Resource,
  request: ListRequest,
  where: Fragment,
): Fragment | undefined => {
  const parts = Object.entries(request.filters).filter(([, { like }]) => like)
  if (parts.length === 0) return undefined
  return parts.reduce((all, [name, { value }]) => {
    const filter = resource.filters[name]
    return filter?.finds ? sql`${all} and ${filter.finds(sql, value)}` : all
  }, where)
}

/** The conditions of a list, and-ed. */
export const conditions = (sql: Sql, resource: Resource, request: ListRequest): Fragment =>
  Object.entries(request.filters).reduce(
    (all, [name, value]) => {
      const filter = resource.filters[name]
      return filter ? sql`${all} and ${filter.where(sql, value)}` : all
    },
    sql`${sql.unsafe(visibleText(resource, request.level))}`,
  )

/** The total as a scalar: from a tally where one holds it, else counted along an index. */
const totalOf = (sql: Sql, resource: Resource, request: ListRequest, where: Fragment): Fragment => {
  const filters = Object.entries(request.filters)
  const tally = (list: ListName, id: string) => tallied(sql, list, id, request.level >= 2 ? 'published' : 'live')
  if (filters.length === 0) return tally(resource.tally, everything)
  const [only] = filters
  const place = filters.length === 1 && only ? resource.filters[only[0]]?.tally?.(only[1].value) : undefined
  if (place) return tally(place.list, place.id)
  return sql`(select count(*) from ${sql.unsafe(resource.table)} where ${where})`
}

/** A maintained count as a scalar; 0 where there is no row. */
export const tallied = (
  sql: Sql,
  list: ListName,
  id: string,
  column: 'live' | 'published' | 'live_roots' | 'published_roots',
): Fragment =>
  sql`coalesce((select ${sql.unsafe(column)} from tallies where list = ${sql.unsafe(String(lists[list]))} and id = ${id}::uuid), 0)`

export type Order = { column: string; descending: boolean }[]
type Listing = {
  resource: Resource
  where: Fragment
  total: Fragment
  order: Order
  level: number
  /** For parts of names: the conditions as they find the matches in no order. */
  found?: Fragment
}

/**
 * Reads a page by an index in order: ids first, from the nearer end, then the rows by primary key. The first page and
 * its total are one statement; a later page asks for the total before, to know which end is nearer.
 */
export const pageOf = async (
  db: Database,
  listing: Listing,
  { page, perPage }: { page: number; perPage: number },
): Promise<Page> => {
  const { sql } = db
  const { resource, where, order, level } = listing
  const offset = (page - 1) * perPage
  const few = listing.found && (await pageOfFew(sql, listing, listing.found, { offset, perPage }))
  if (few) return few
  if (offset === 0) {
    return readCounted(
      sql,
      listing.total,
      sql`
        select ${sql.unsafe(resource.columns(level))} from ${sql.unsafe(resource.table)} where ${where}
        order by ${sql.unsafe(orderText(order))} limit ${sql.unsafe(String(perPage))}`,
    )
  }
  const [counted] = await sql<{ total: string }[]>`select ${listing.total} as total`
  const total = Number(counted?.total ?? 0)
  const size = Math.min(perPage, total - offset)
  if (size <= 0) return { total, rows: [] }
  const fromEnd = offset * 2 > total
  const ids = fromEnd
    ? idsOf(sql, resource, where, reversed(order), size, total - offset - size)
    : idsOf(sql, resource, where, order, size, offset)
  return { total, rows: await readRows(sql, rowsOf(sql, resource, ids, order, level)) }
}

/** As many matches of parts of names are sorted; more are counted in the table, and a page of them is read along the order's index. */
const fewMost = 10_000

/** A page of the matches and their total, found in one pass and then sorted; nothing where they are many. */
const pageOfFew = async (
  sql: Sql,
  { resource, order, level }: Listing,
  found: Fragment,
  { offset, perPage }: { offset: number; perPage: number },
): Promise<Page | undefined> => {
  const sortedBy = order.map(({ column }) => `t.${column.split(' ')[0]}`).join(', ')
  const matches = sql`
    with matches as materialized (
      select ${sql.unsafe(sortedBy)} from ${sql.unsafe(resource.table)}
      where ${found} limit ${sql.unsafe(String(fewMost + 1))}
    ), counted as (select count(*) as matched from matches)`
  const ids = sql`
    select t.id from matches t where (select matched from counted) <= ${sql.unsafe(String(fewMost))}
    order by ${sql.unsafe(orderText(order))} limit ${sql.unsafe(String(perPage))} offset ${offset}::bigint`
  const page = await readCounted(
    sql,
    sql`(select matched from counted)`,
    rowsOf(sql, resource, ids, order, level),
    matches,
  )
  return page.total > fewMost ? undefined : page
}

/** Reads a total and the rows beside it. */
export const readCounted = async (
  sql: Sql,
  total: Fragment,
  rows: Fragment,
  prelude: Fragment = sql``,
): Promise<Page> => {
  const [page] = await sql<{ total: string; rows: string | null }[]>`
    ${prelude}
    select ${total} as total, (select ${sql.unsafe(rowsAsText)} from (${rows}) r) as rows`
  return { total: Number(page?.total ?? 0), rows: splitRows(page?.rows) }
}

const reversed = (order: Order): Order => order.map(({ column, descending }) => ({ column, descending: !descending }))

const orderText = (order: Order) =>
  order.map(({ column, descending }) => `t.${column} ${descending ? 'desc' : 'asc'}`).join(', ')

const idsOf = (
  sql: Sql,
  resource: Resource,
  where: Fragment,
  order: Order,
  size: number,
  offset: number,
): Fragment => sql`
  select t.id from ${sql.unsafe(resource.table)} where ${where}
  order by ${sql.unsafe(orderText(order))} limit ${sql.unsafe(String(size))} offset ${offset}::bigint`

const rowsOf = (sql: Sql, resource: Resource, ids: Fragment, order: Order, level: number): Fragment => sql`
  select ${sql.unsafe(resource.columns(level))}
  from (${ids}) page_ids join ${sql.unsafe(resource.table)} on t.id = page_ids.id
  order by ${sql.unsafe(orderText(order))}`

/** The texts of the rows of a statement that selects a resource's columns. */
export const readRows = async (sql: Sql, rows: Fragment): Promise<string[]> => {
  const [page] = await sql<{ rows: string | null }[]>`select ${sql.unsafe(rowsAsText)} as rows from (${rows}) r`
  return splitRows(page?.rows)
}
