import { arrayOf } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/client.ts'
import { sizes } from '../../limits.ts'
import { countedAt, lists } from '../model/counts.ts'
import { criterionOf, firstSort, sortsOf } from '../model/criteria.ts'
import type { Include, Related, Resource } from '../model/resource.ts'
import { storedTypeOf } from '../model/resources/shown-as.ts'
import { resourceInV2 } from '../model/v2.ts'
import { visibleText } from './rows.ts'

/** The most identifiers in a to-many relationship (decisions.md §3). */
const identifiersInOne = sizes.identifiers.most

/**
 * The records of a relationship that only has data when included, by the parent's id. They are those of the relationship's list, in its
 * order. A list that is too long is cut, and only then counted for its total.
 */
export const findListed = async (
  db: Queryable,
  { types: [type = ''], listedBy = '', listedWith = {} }: Include,
  ids: string[],
  level: number,
): Promise<Map<string, Related>> => {
  const resource = resourceInV2(storedTypeOf(type))
  const { column, tally } = criterionOf(resource, listedBy)
  const others = Object.entries(listedWith).map(([name, value]) => criterionOf(resource, name).equals(`'${value}'`))
  const where = [...others, visibleText(resource, level)].join(' and ')
  const rows = await db.sql.unsafe<{ parent: string; id: string }[]>(
    childrenOf(resource, `${column} = p.id and ${where}`),
    [arrayOf(ids)],
    { prepare: true },
  )
  const found = Map.groupBy(rows, ({ parent }) => parent)
  const long = [...found].filter(([, some]) => some.length > identifiersInOne).map(([parent]) => parent)
  const counted = tally
    ? `select id, ${countedAt(level)} as total from tallies where list = ${lists[resource.tally]} and id = any($1::uuid[])`
    : `select ${column} as id, count(*) as total from ${resource.table} where ${column} = any($1::uuid[]) and ${where} group by 1`
  const totals = long.length > 0 ? await readTotals(db, counted, long) : new Map<string, number>()
  return new Map(
    [...found].map(([parent, some]) => {
      const data = some.map(({ id }) => ({ type, id }))
      const total = totals.get(parent)
      return [parent, total === undefined ? { data } : { data: data.slice(0, identifiersInOne), total }]
    }),
  )
}

/** The first records of each parent `p` in the order of their list, and one more than fit. */
const childrenOf = (resource: Resource, where: string) => {
  const columns = (sortsOf(resource)[firstSort(resource)] ?? []).map(({ sql }) => sql)
  const keys = columns.map((_, index) => `k${index}`)
  return `
    select p.id as parent, x.id
    from unnest($1::uuid[]) as p (id)
    cross join lateral (
      select t.id, ${columns.map((sql, index) => `${sql} as ${keys[index]}`).join(', ')} from ${resource.table}
      where ${where} order by ${[...columns, 't.id'].join(', ')} limit ${identifiersInOne + 1}
    ) x
    order by ${[...keys, 'x.id'].join(', ')}`
}

const readTotals = async ({ sql }: Queryable, statement: string, ids: string[]) => {
  const rows = await sql.unsafe<{ id: string; total: string }[]>(statement, [arrayOf(ids)], { prepare: true })
  return new Map(rows.map(({ id, total }) => [id, Number(total)]))
}
