import type { Database, Sql } from '../../../db/client.ts'
import { everything } from '../model/counts.ts'
import type { Fragment, Page, Resource } from '../model/resource.ts'
import { conditions, type ListRequest, pageOf, tallied, withParts } from './store.ts'

const orders: Record<string, string> = {
  name: 'name_key collate "C"',
  year: 'year_key collate "C"',
  created_at: 'created_at',
  updated_at: 'updated_at',
}

/**
 * A page of sets (interface.md, Sets): root sets or all, in the order asked for. `level` is already 2 where the request
 * did not ask for drafts by its header.
 */
export const listSets = async (db: Database, sets: Resource, request: ListRequest): Promise<Page> => {
  const { sql } = db
  const { filters, options, level } = request
  const scope = filters.parent_id ? 'all' : (options.scope ?? (filters.name ? 'all' : 'root'))
  const roots = scope === 'root'
  const where = sql`${conditions(sql, sets, request)} ${roots ? sql`and t.parent_id is null` : sql``}`
  const descending = options.sort === 'desc'
  const order = [orders[options.order_by ?? 'name'] as string, 'id'].map((column) => ({ column, descending }))
  const found = withParts(sql, sets, request, where)
  const total = totalOf(sql, sets, request, roots) ?? sql`(select count(*) from sets t where ${where})`
  const page = await pageOf(db, { resource: sets, where, found, total, order, level }, request)
  return { ...page, meta: { scope } }
}

/** The total from a tally: of everything, or of the one reference that is filtered by; drafts are what is not published. */
const totalOf = (sql: Sql, sets: Resource, { filters, level }: ListRequest, roots: boolean): Fragment | undefined => {
  const { status, ...others } = filters
  const [other, ...more] = Object.entries(others)
  const tally = other ? sets.filters[other[0]]?.tally?.(other[1].value) : { list: 'sets' as const, id: everything }
  if (!tally || more.length > 0) return undefined
  const live = tallied(sql, tally.list, tally.id, roots ? 'live_roots' : 'live')
  const published = tallied(sql, tally.list, tally.id, roots ? 'published_roots' : 'published')
  if (status?.value === 'draft') return level >= 2 ? sql`0::bigint` : sql`(${live} - ${published})`
  return level >= 2 || status?.value === 'published' ? published : live
}
