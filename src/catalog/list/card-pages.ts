import type { Database, Sql } from '../../../db/client.ts'
import type { FilterValue, Fragment, Page, Resource } from '../model/resource.ts'
import { wholeCatalogPage } from './card-blocks.ts'
import { firstOfSet } from './set-checklists.ts'
import { type ListRequest, readCounted, readRows, tallied } from './store.ts'

/** Where the ids of a list of cards come from: an index in checklist order, and the list's total. */
export type CardSource = {
  from: Fragment
  where: Fragment
  id: string
  /** The columns of the index in checklist order; texts compare byte by byte. */
  order: string[]
  total: Fragment
}

/** A page of cards in checklist order with its exact total. Each list is read along the index of its narrowest filter. */
export const listCards = async (db: Database, cards: Resource, request: ListRequest): Promise<Page> => {
  const [only, ...more] = Object.keys(request.filters)
  if (only === 'set_id' && more.length === 0 && request.page === 1) return firstOfSet(db, cards, request)
  const source = sourceOf(db.sql, request)
  return source ? pageFrom(db, cards, source, request) : wholeCatalogPage(db, cards, request)
}

const sourceOf = (sql: Sql, { filters, level }: ListRequest): CardSource | undefined => {
  const { name, set_id: set, player_id: player, team_id: team } = filters
  if (name) return byName(sql, name, filters, level)
  if (player) return byBearer(sql, 'player', player, filters, level)
  if (team) return byBearer(sql, 'team', team, filters, level)
  if (set) return bySet(sql, set, level)
  return undefined
}

const visibleSet = (sql: Sql, level: number) => sql.unsafe(`s.audience >= ${level}`)

const byName = (sql: Sql, name: FilterValue, filters: ListRequest['filters'], level: number): CardSource => {
  const from = sql`cards c join sets s on s.id = c.set_id`
  const { set_id: set, player_id: player, team_id: team } = filters
  const where = sql`md5(c.name)::uuid = md5(${name.value})::uuid and c.name = ${name.value} and c.deleted_at is null
    and ${visibleSet(sql, level)}
    ${set ? sql`and c.set_id = ${set.value}::uuid` : sql``}
    ${player ? sql`and ${bears(sql, 'player', player.value, 'c.id')}` : sql``}
    ${team ? sql`and ${bears(sql, 'team', team.value, 'c.id')}` : sql``}
    ${bearsOthers(sql, filters, 'c.id')}`
  return counted(sql, { from, where, id: 'c.id', order: ['c.set_no', 'c.number_key', 'c.id'] })
}

const byBearer = (
  sql: Sql,
  kind: 'player' | 'team',
  bearer: FilterValue,
  filters: ListRequest['filters'],
  level: number,
): CardSource => {
  const { set_id: set, team_id: team } = filters
  const alsoTeam = kind === 'player' && team
  const source = {
    from: sql`oncard o join sets s on s.no = o.set_no`,
    where: sql`${sql.unsafe(`o.${kind}_id`)} = ${bearer.value}::uuid and ${sql.unsafe(`o.lists_${kind}`)}
      and ${visibleSet(sql, level)}
      ${set ? sql`and o.set_no = (select no from sets where id = ${set.value}::uuid)` : sql``}
      ${alsoTeam ? sql`and ${bears(sql, 'team', team.value, 'o.card_id')}` : sql``}
      ${bearsOthers(sql, filters, 'o.card_id')}`,
    id: 'o.card_id',
    order: ['o.set_no', 'o.number_key', 'o.card_id'],
  }
  if (set || alsoTeam || filters.other_player_id || filters.other_team_id) return counted(sql, source)
  return { ...source, total: tallied(sql, 'cards', bearer.value, level >= 2 ? 'published' : 'live') }
}

const bears = (sql: Sql, kind: 'player' | 'team', id: string, card: string) => sql`
  exists (
    select from oncard b where b.card_id = ${sql.unsafe(card)}
      and ${sql.unsafe(`b.${kind}_id`)} = ${id}::uuid and ${sql.unsafe(`b.lists_${kind}`)}
  )`

/** The cards of one player or team, filtered by another: both are on the card. */
const bearsOthers = (
  sql: Sql,
  { other_player_id: player, other_team_id: team }: ListRequest['filters'],
  card: string,
) =>
  sql`${player ? sql`and ${bears(sql, 'player', player.value, card)}` : sql``}
    ${team ? sql`and ${bears(sql, 'team', team.value, card)}` : sql``}`

const bySet = (sql: Sql, set: FilterValue, level: number): CardSource => ({
  from: sql`cards t`,
  where: sql`t.set_id = ${set.value}::uuid and t.deleted_at is null
    and exists (select from sets s where s.id = ${set.value}::uuid and ${visibleSet(sql, level)})`,
  id: 't.id',
  order: ['t.number_key', 't.id'],
  total: sql`coalesce((select s.live_cards from sets s where s.id = ${set.value}::uuid and ${visibleSet(sql, level)}), 0)`,
})

const counted = (sql: Sql, source: Omit<CardSource, 'total'>): CardSource => ({
  ...source,
  total: sql`(select count(*) from ${source.from} where ${source.where})`,
})

const pageFrom = async (
  db: Database,
  cards: Resource,
  source: CardSource,
  { page, perPage, level }: ListRequest,
): Promise<Page> => {
  const { sql } = db
  const offset = (page - 1) * perPage
  if (offset === 0)
    return readCounted(sql, source.total, cardRows(sql, cards, idsFrom(sql, source, perPage, 0, 'asc'), level))
  const [row] = await sql<{ total: string }[]>`select ${source.total} as total`
  const total = Number(row?.total ?? 0)
  const size = Math.min(perPage, total - offset)
  if (size <= 0) return { total, rows: [] }
  const fromEnd = offset * 2 > total
  const ids = idsFrom(sql, source, size, fromEnd ? total - offset - size : offset, fromEnd ? 'desc' : 'asc')
  return { total, rows: await readRows(sql, cardRows(sql, cards, ids, level)) }
}

const idsFrom = (sql: Sql, source: CardSource, size: number, offset: number, direction: 'asc' | 'desc'): Fragment => {
  return sql`
    select ${sql.unsafe(source.id)} as id from ${source.from} where ${source.where}
    ${pageOfOrder(sql, source, size, direction)} offset ${offset}::bigint`
}

const pageOfOrder = (sql: Sql, source: CardSource, size: number, direction: 'asc' | 'desc'): Fragment => {
  const order = source.order.map((column) => `${column}${column.endsWith('key') ? ' collate "C"' : ''} ${direction}`)
  return sql`order by ${sql.unsafe(order.join(', '))} limit ${sql.unsafe(String(size))}`
}

/** The rows of a page of card ids, in checklist order. */
export const cardRows = (sql: Sql, cards: Resource, ids: Fragment, level: number): Fragment => sql`
  select ${sql.unsafe(cards.columns(level))}
  from (${ids}) page_ids join ${sql.unsafe(cards.table)} on t.id = page_ids.id
  order by t.set_no, t.number_key collate "C", t.id`
