import type { Database, Sql } from '../../../db/client.ts'
import { countedAt } from '../model/counts.ts'
import type { Arguments } from './statement.ts'

/** Where a page of the whole catalog starts: a set, and how many of its cards to skip. */
type Start = { no: number; skip: number; live_cards: number }

/**
 * A statement for the ids of a page of all visible cards. It descends from blocks of 4,096 sets to blocks of 64, to the set, to the place
 * in it, and continues with the sets that follow. Every page costs the same, except deep inside a very large set.
 */
export const idsInBlocks = async ({ sql }: Database, offset: number, size: number, level: number, args: Arguments) => {
  const [start] = await locate(sql, offset, level)
  return start ? idsFrom(start, size, level, args) : 'select null::uuid as id where false'
}

const locate = (sql: Sql, offset: number, level: number) => {
  const cards = sql.unsafe(countedAt(level))
  return sql<Start[]>`
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
    select no, (${offset}::bigint - before)::int as skip, live_cards from near
    where ${offset}::bigint >= before and ${offset}::bigint < before + live_cards`
}

/** Reads the first set from its nearer end. */
const idsFrom = (start: Start, size: number, level: number, args: Arguments) => {
  const here = Math.min(size, start.live_cards - start.skip)
  const fromEnd = start.skip * 2 > start.live_cards
  const skip = fromEnd ? start.live_cards - start.skip - here : start.skip
  const direction = fromEnd ? 'desc' : 'asc'
  const no = args.add(start.no, 'int')
  const first = `
    select c.id, c.set_no, c.number_key from cards c
    where c.set_id = (select id from sets where no = ${no}) and c.deleted_at is null
    order by c.number_key collate "C" ${direction}, c.id ${direction}
    limit ${here} offset ${args.add(skip, 'bigint')}`
  if (here === size) return `select id from (${first}) only_set`
  const rest = size - here
  return `
    select id from (
      select * from (${first}) first_set
      union all
      select * from (
        select c.id, c.set_no, c.number_key
        from (
          select id, no from sets where no > ${no} and live_cards > 0 and audience >= ${level} order by no limit ${rest}
        ) s
        cross join lateral (
          select c.id, c.set_no, c.number_key from cards c
          where c.set_id = s.id and c.deleted_at is null
          order by c.number_key collate "C", c.id limit ${rest}
        ) c
        order by c.set_no, c.number_key collate "C", c.id limit ${rest}
      ) next_sets
    ) both_parts`
}
