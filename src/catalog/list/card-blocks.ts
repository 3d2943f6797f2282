import type { Database, Sql } from '../../../db/client.ts'
import type { Page, Resource } from '../model/resource.ts'
import { cardRows } from './card-pages.ts'
import { type ListRequest, readRows } from './store.ts'

/** Where a page of the whole catalog begins: a set, and how many of its cards come before. */
type Start = { no: number; skip: number; live_cards: number }

/**
 * A page of all visible cards: descends from blocks of 4,096 sets to blocks of 64, to the set, to the place in it, and
 * reads on over the sets that follow. It costs the same at any page, but for places deep inside one very large set.
 */
export const wholeCatalogPage = async (
  db: Database,
  cards: Resource,
  { page, perPage, level }: ListRequest,
): Promise<Page> => {
  const { sql } = db
  const offset = (page - 1) * perPage
  const [found] = await locate(sql, offset, level)
  const total = Number(found?.total ?? 0)
  if (!found || found.no === null) return { total, rows: [] }
  const start = { no: found.no, skip: Number(found.skip), live_cards: found.live_cards }
  const size = Math.min(perPage, total - offset)
  return { total, rows: await readRows(sql, cardRows(sql, cards, idsFrom(sql, start, size, level), level)) }
}

const locate = (sql: Sql, offset: number, level: number) => {
  const cards = sql.unsafe(level >= 2 ? 'published' : 'live')
  return sql<{ total: string; no: number | null; skip: string; live_cards: number }[]>`
    with top as (
      select block, ${cards} as cards, sum(${cards}) over (order by block) - ${cards} as before
      from card_blocks where level = 2
    ), large as (
      select block, before from top where ${offset}::bigint >= before and ${offset}::bigint < before + cards
    ), middle as (
      select b.block, b.${cards} as cards, large.before + sum(b.${cards}) over (order by b.block) - b.${cards} as before
      from card_blocks b, large
      where b.level = 1 and b.block >= large.block * 64 and b.block < large.block * 64 + 64
    ), small as (
      select block, before from middle where ${offset}::bigint >= before and ${offset}::bigint < before + cards
    ), near as (
      select s.no, s.live_cards, small.before + sum(s.live_cards) over (order by s.no) - s.live_cards as before
      from sets s, small
      where s.no >= small.block * 64 and s.no < small.block * 64 + 64 and ${sql.unsafe(`s.audience >= ${level}`)}
    )
    select total.total, start.no, start.skip, start.live_cards
    from (select coalesce(sum(cards), 0) as total from top) total
    left join (
      select no, ${offset}::bigint - before as skip, live_cards from near
      where ${offset}::bigint >= before and ${offset}::bigint < before + live_cards
    ) start on true`
}

/** Reads the first set from its nearer end: a place deep inside it is far from one end only. */
const idsFrom = (sql: Sql, start: Start, size: number, level: number) => {
  const here = Math.min(size, start.live_cards - start.skip)
  const fromEnd = start.skip * 2 > start.live_cards
  const skip = fromEnd ? start.live_cards - start.skip - here : start.skip
  const direction = fromEnd ? 'desc' : 'asc'
  const first = sql`
    select c.id, c.set_no, c.number_key from cards c
    where c.set_id = (select id from sets where no = ${start.no}) and c.deleted_at is null
    order by ${sql.unsafe(`c.number_key collate "C" ${direction}, c.id ${direction}`)}
    limit ${sql.unsafe(String(here))} offset ${skip}::bigint`
  if (here === size) return sql`select id from (${first}) only_set`
  const rest = String(size - here)
  return sql`
    select id from (
      select * from (${first}) first_set
      union all
      select * from (
        select c.id, c.set_no, c.number_key
        from (
          select id, no from sets
          where no > ${start.no} and live_cards > 0 and ${sql.unsafe(`audience >= ${level}`)}
          order by no limit ${sql.unsafe(rest)}
        ) s
        cross join lateral (
          select c.id, c.set_no, c.number_key from cards c
          where c.set_id = s.id and c.deleted_at is null
          order by c.number_key collate "C", c.id limit ${sql.unsafe(rest)}
        ) c
        order by c.set_no, c.number_key collate "C", c.id limit ${sql.unsafe(rest)}
      ) next_sets
    ) both_parts`
}
