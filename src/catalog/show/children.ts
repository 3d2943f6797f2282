import type { Queryable } from '../../../db/client.ts'
import { sizes } from '../../limits.ts'
import { countedAt, lists } from '../model/counts.ts'
import type { Include, Related } from '../model/resource.ts'
import { referenceTable } from '../model/set-references.ts'

/** The most identifiers in a to-many relationship (decisions.md §3). */
const identifiersInOne = sizes.identifiers.most

/** Which records each parent has in a relationship that has data only when included, by the id of the parent. */
export const findListed = (
  db: Queryable,
  { types, listedBy, listedWith }: Include,
  ids: string[],
  level: number,
): Promise<Map<string, Related>> => {
  if (types[0] === 'cards') return findChildCards(db, ids, level)
  if (types[0] === 'identifiers') return findIdentifiers(db, listedWith?.object_type ?? '', ids, level)
  const [, column = 'parent_id'] = referenceTable.find(([name]) => name === listedBy) ?? []
  return findSets(db, column, ids, level)
}

/** Finds the sets that each parent has, in the order of their names; `column` is the reference to the parent. */
const findSets = async (db: Queryable, column: string, ids: string[], level: number): Promise<Map<string, Related>> => {
  const { sql } = db
  const rows = await sql<{ parent: string; id: string }[]>`
    select p.id as parent, x.id
    from unnest(${ids}::uuid[]) as p (id)
    cross join lateral (
      select s.id, s.name_key from sets s
      where s.${sql.unsafe(column)} = p.id and ${sql.unsafe(`s.audience >= ${level}`)}
      order by s.name_key collate "C", s.id limit ${sql.unsafe(String(identifiersInOne + 1))}
    ) x
    order by x.name_key collate "C", x.id`
  return cut(
    groupByParent(rows, 'sets'),
    (long) => sql<Total[]>`
      select id, ${sql.unsafe(countedAt(level))} as total from tallies
      where list = ${lists.sets} and id = any(${long}::uuid[])`,
  )
}

/** Finds the cards of parallels that were made from each card, in checklist order. */
const findChildCards = async (db: Queryable, ids: string[], level: number): Promise<Map<string, Related>> => {
  const { sql } = db
  const rows = await sql<{ parent: string; id: string }[]>`
    select p.id as parent, x.id
    from unnest(${ids}::uuid[]) as p (id)
    cross join lateral (
      select c.id, c.set_no, c.number_key from cards c join sets s on s.id = c.set_id
      where c.parent_id = p.id and c.deleted_at is null and ${sql.unsafe(`s.audience >= ${level}`)}
      order by c.set_no, c.number_key collate "C", c.id limit ${sql.unsafe(String(identifiersInOne + 1))}
    ) x
    order by x.set_no, x.number_key collate "C", x.id`
  return cut(
    groupByParent(rows, 'cards'),
    (long) => sql<Total[]>`
      select c.parent_id as id, count(*) as total from cards c join sets s on s.id = c.set_id
      where c.parent_id = any(${long}::uuid[]) and c.deleted_at is null and ${sql.unsafe(`s.audience >= ${level}`)}
      group by c.parent_id`,
  )
}

/** Finds the identifiers of each record of a type, in the order of their creation. */
const findIdentifiers = async (
  { sql }: Queryable,
  type: string,
  ids: string[],
  level: number,
): Promise<Map<string, Related>> => {
  const rows = await sql<{ parent: string; id: string }[]>`
    select p.id as parent, x.id
    from unnest(${ids}::uuid[]) as p (id)
    cross join lateral (
      select i.id, i.created_at from identifiers i
      where i.object_id = p.id and i.object_type = ${type} and ${sql.unsafe(`i.audience >= ${level}`)}
      order by i.created_at, i.id limit ${sql.unsafe(String(identifiersInOne + 1))}
    ) x
    order by x.created_at, x.id`
  return cut(
    groupByParent(rows, 'identifiers'),
    (long) => sql<Total[]>`
      select id, ${sql.unsafe(countedAt(level))} as total from tallies
      where list = ${lists.identifiers} and id = any(${long}::uuid[])`,
  )
}

const groupByParent = (rows: { parent: string; id: string }[], type: string) => {
  const found = new Map<string, Related & { data: { type: string; id: string }[] }>()
  for (const { parent, id } of rows) {
    const related = found.get(parent) ?? { data: [] }
    related.data.push({ type, id })
    found.set(parent, related)
  }
  return found
}

type Total = { id: string; total: string }

/** Cuts what is too long for a relationship, and adds its total, which is counted only then. */
const cut = async (
  found: ReturnType<typeof groupByParent>,
  count: (ids: string[]) => Promise<Total[]>,
): Promise<Map<string, Related>> => {
  const long = [...found].filter(([, related]) => related.data.length > identifiersInOne).map(([id]) => id)
  if (long.length === 0) return found
  for (const { id, total } of await count(long)) {
    const related = found.get(id)
    if (related) found.set(id, { data: related.data.slice(0, identifiersInOne), total: Number(total) })
  }
  return found
}
