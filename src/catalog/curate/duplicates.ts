import { arrayOf } from '../../../db/arrays.ts'
import type { Database, Queryable, Transaction } from '../../../db/client.ts'
import { type Act, writeAudit } from '../../audit/write.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { everything, lists } from '../model/counts.ts'
import { type ComparedType, collisions, comparedTypes, groupings, groupingsOfAll } from './comparisons.ts'

/** What a group is: records that may be the same, or one player who may be several people. */
export const groupKinds = ['duplicates', 'collisions'] as const
export type GroupKind = (typeof groupKinds)[number]

/** One record of a group. Genres and years are the names of those that its cards are in. */
type GroupedRecord = { id: string; name: string; cards_count: number; genres: string[]; years: string[] }

/**
 * Records for a curator to look at together. `reason` says how much the names differ at most (`equal`, `case`, `spelling`,
 * `encoding`), that names of players nearly are the same (`similar`), that cards of a set share number and people (`number`), or
 * why a player may be several people (`genres`, `years`).
 */
export type Group = { id: string; objectType: ComparedType; reason: string; records: GroupedRecord[] }

type Found = { type: ComparedType; ids: string[]; reason: string | null; total: string }

/**
 * A page of groups (decisions.md §13), and how many there are. Dismissed groups aren't among them. Without a type, those
 * of all types, in a large catalog without similar players and equal cards.
 */
export const readGroups = async (
  db: Database,
  { type, kind }: { type?: ComparedType; kind: GroupKind },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ groups: Group[]; total: number }> => {
  const { sql } = db.heavy
  const each = kind === 'collisions' ? [collisions] : type ? groupings[type] : groupingsOfAll(await readSize(sql))
  const shown = notDismissed(each.map((one) => `(${one})`).join(' union all '))
  const found = await sql.unsafe<Found[]>(
    `with shown as (${shown}) select type, ids, reason, (select count(*) from shown) as total from shown
    order by array_position($1::text[], type), key collate "C", ids limit $2 offset $3`,
    [[...comparedTypes], limit, offset],
  )
  const total = found[0] ? Number(found[0].total) : offset === 0 ? 0 : await countAll(sql, shown)
  const records = await readRecords(db.heavy, found)
  return { groups: found.map((one) => groupOf(one, records)), total }
}

const readSize = async (sql: Queryable['sql']) => {
  const rows = await sql<{ list: number; live: string }[]>`
    select list, live from tallies where id = ${everything} and list in (${lists.players}, ${lists.cards})`
  const liveIn = (list: number) => Number(rows.find((row) => row.list === list)?.live ?? 0)
  return { players: liveIn(lists.players), cards: liveIn(lists.cards) }
}

/**
 * The groups that nobody dismissed. That two records are different doesn't say that one of them is a single person. Few records
 * are in a dismissal, so only their groups are compared with dismissals.
 */
const notDismissed = (groups: string) => `
  select g.* from (${groups}) g
  where not (g.ids[1] in (select unnest(ids) from duplicate_dismissals)
    and exists (select from duplicate_dismissals d where d.object_type = g.type and d.ids @> g.ids
      and (cardinality(g.ids) > 1 or cardinality(d.ids) = 1)))`

const countAll = async (sql: Queryable['sql'], shown: string) => {
  const [row] = await sql.unsafe<{ total: string }[]>(`select count(*) as total from (${shown}) s`)
  return Number(row?.total ?? 0)
}

/** Names, card counts, genres and years, so that a curator can tell the records apart. One statement per type. */
const readRecords = async (db: Queryable, found: Found[]) => {
  const records = new Map<string, GroupedRecord>()
  for (const type of comparedTypes) {
    const ids = found.filter((one) => one.type === type).flatMap((one) => one.ids)
    if (ids.length === 0) continue
    const rows = await db.sql.unsafe<GroupedRecord[]>(
      `select r.id, r.name, coalesce(${cardsOf[type]}, 0)::int as cards_count, n.genres, n.years
      from ${type} r cross join lateral (
        select coalesce(array_agg(distinct g.name) filter (where g.name is not null), '{}') as genres,
          coalesce(array_agg(distinct y.name) filter (where y.name is not null), '{}') as years
        from sets s left join genres g on g.id = s.genre_id left join years y on y.id = s.year_id
        where s.audience >= 1 and ${setsOf[type]}
      ) n where r.id = any($1::uuid[])`,
      [ids],
    )
    for (const row of rows) records.set(row.id, row)
  }
  return records
}

const onCards = `(select live from tallies where list = ${lists.cards} and id = r.id)`
const inSets = (column: string) => `(select sum(live_cards) from sets where ${column} = r.id and audience >= 1)`

const cardsOf: Record<ComparedType, string> = {
  players: onCards,
  teams: onCards,
  brands: inSets('brand_id'),
  manufacturers: inSets('manufacturer_id'),
  sets: 'r.live_cards',
  cards: '1',
}

const setsOf: Record<ComparedType, string> = {
  players: 's.no in (select set_no from oncard where player_id = r.id and lists_player)',
  teams: 's.no in (select set_no from oncard where team_id = r.id and lists_team)',
  brands: 's.brand_id = r.id',
  manufacturers: 's.manufacturer_id = r.id',
  sets: 's.id = r.id',
  cards: 's.id = r.set_id',
}

const groupOf = ({ type, ids, reason }: Found, known: Map<string, GroupedRecord>): Group => {
  const records = ids.flatMap((id) => known.get(id) ?? [])
  return {
    id: idOf(type, ids),
    objectType: type,
    reason: reason ?? differenceOf(records.map(({ name }) => name)),
    records,
  }
}

/** A group's id is made from its records, so the same group always has the same id. */
const idOf = (type: string, ids: string[]) => {
  const hash = new Bun.CryptoHasher('md5').update([type, ...ids].join(' ')).digest('hex')
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')
}

/** How much names differ that are the same when folded. */
const differenceOf = (names: string[]): string => {
  const isOne = (form: (name: string) => string) => new Set(names.map(form)).size === 1
  if (isOne((name) => name)) return 'equal'
  if (isOne((name) => name.toLowerCase())) return 'case'
  return names.some((name) =>
    /[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u2122\uf180-\uf19f]/.test(name),
  )
    ? 'encoding'
    : 'spelling'
}

/** Marks records as different: a group of only these isn't shown again. 422 if an id isn't a live record of the type. */
export const dismiss = async (
  tx: Transaction,
  { objectType, ids }: { objectType: ComparedType; ids: string[] },
  by: Act,
): Promise<{ id: string; ids: string[] }> => {
  const known = await tx.sql<{ id: string }[]>`
    select id from ${tx.sql(objectType)} where id = any(${ids}::uuid[]) and deleted_at is null`
  const live = new Set(known.map((row) => row.id))
  const faults = ids.flatMap((id, index) =>
    live.has(id) ? [] : [{ pointer: `/ids/${index}`, detail: `There is no such record among the ${objectType}.` }],
  )
  if (faults.length > 0) throw validationFailed(faults)
  const named = [...new Set(ids)]
  const id = await insertDismissal(tx, { objectType, ids: named }, by)
  await writeAudit(tx, by, { eventType: 'duplicates.dismissed', auditableType: objectType, data: { ids: named } })
  return { id, ids: named }
}

/** Stores that records are different, and returns the dismissal's id. */
export const insertDismissal = async (
  { sql }: Transaction,
  { objectType, ids }: { objectType: ComparedType; ids: string[] },
  { agent, now }: Act,
): Promise<string> => {
  const id = Bun.randomUUIDv7()
  await sql`
    insert into duplicate_dismissals (id, object_type, ids, agent_id, created_at)
    values (${id}, ${objectType}, ${arrayOf(ids)}::text::uuid[], ${agent}, ${now.toISOString()})`
  return id
}

/** Withdraws a dismissal, so that its group is shown again. False if there is none. */
export const withdrawDismissal = async (tx: Transaction, id: string, by: Act): Promise<boolean> => {
  const [gone] = await tx.sql<{ type: string; ids: string[] }[]>`
    delete from duplicate_dismissals where id = ${id} returning object_type as type, ids`
  if (!gone) return false
  const data = { ids: gone.ids }
  await writeAudit(tx, by, { eventType: 'duplicates.dismissal_withdrawn', auditableType: gone.type, data })
  return true
}
