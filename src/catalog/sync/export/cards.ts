import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable } from '../../../../db/client.ts'
import { beyond, firstId } from '../by-id.ts'
import { type CardRow, cardColumns, cardLines } from './card-lines.ts'
import type { Line } from './records.ts'

const cardsInOne = 1000
/** Cards more than this many levels below a card without a parent are written last, in any order. */
const deepest = 16

/**
 * All cards, including deleted ones: first those without a parent, then those made from them, and so on. Each round goes set by set in
 * checklist order, and ends with deleted cards.
 */
export async function* exportCards(db: Queryable): AsyncGenerator<Line[]> {
  let deeper = (await hasChildren(db)) ? 1 : 0
  for (let depth = 0; depth <= deeper; depth++)
    for await (const cards of allCards(db, depth > 0)) {
      const depths = await depthsOf(db, cards)
      deeper = Math.max(deeper, ...depths)
      const atDepth = cards.filter((_, index) => depths[index] === depth)
      yield await cardLines(db, atDepth)
    }
}

const hasChildren = async ({ sql }: Queryable) => {
  const rows = await sql`select 1 from cards where parent_id is not null limit 1`
  return rows.length > 0
}

/** How many levels each card is below one without a parent. */
const depthsOf = async ({ sql }: Queryable, cards: CardRow[]) => {
  const far = cards.filter((card) => card.grandparent_id)
  const found = new Map<string, number>()
  if (far.length > 0) {
    const rows = await sql<{ id: string; depth: number }[]>`
      with recursive line (id, parent_id, depth) as (
        select id, parent_id, 1 from cards where id = any(${arrayOf(far.map((card) => card.id))}::uuid[])
        union all
        select line.id, p.parent_id, line.depth + 1 from line join cards p on p.id = line.parent_id
        where p.parent_id is not null and line.depth < ${deepest}::int
      )
      select id, max(depth) as depth from line group by id`
    for (const row of rows) found.set(row.id, row.depth)
  }
  return cards.map((card) => (card.parent_id ? (found.get(card.id) ?? 1) : 0))
}

async function* allCards(db: Queryable, withParent: boolean): AsyncGenerator<CardRow[]> {
  for await (const group of setGroups(db))
    if (group.length === 1) yield* cardsOfSet(db, group[0] as string, withParent)
    else yield await cardsOfSets(db, group, withParent)
  yield* deletedCards(db, withParent)
}

/** Sets in order of creation, in groups whose cards fit into one page. */
async function* setGroups({ sql }: Queryable): AsyncGenerator<string[]> {
  let group: string[] = []
  let cards = 0
  for (let last = 0; ; ) {
    const sets = await sql<{ id: string; no: number; live_cards: number }[]>`
      select id, no, live_cards from sets where no > ${last} order by no limit 1000`
    for (const set of sets) {
      last = set.no
      if (set.live_cards === 0) continue
      if (group.length > 0 && cards + set.live_cards > cardsInOne) {
        yield group
        group = []
        cards = 0
      }
      group.push(set.id)
      cards += set.live_cards
    }
    if (sets.length === 0) break
  }
  if (group.length > 0) yield group
}

const from = `cards c join sets s on s.id = c.set_id left join cards p on p.id = c.parent_id`
const parentIs = (withParent: boolean) => `c.parent_id is ${withParent ? 'not ' : ''}null`

const cardsOfSets = ({ sql }: Queryable, ids: string[], withParent: boolean) =>
  sql.unsafe<CardRow[]>(
    `select ${cardColumns} from ${from}
     where c.set_id = any($1::uuid[]) and c.deleted_at is null and ${parentIs(withParent)}
     order by s.no, c.number_key collate "C", c.id`,
    [arrayOf(ids)],
    { prepare: true },
  )

async function* cardsOfSet({ sql }: Queryable, setId: string, withParent: boolean): AsyncGenerator<CardRow[]> {
  for (let last: [string, string] = ['', firstId]; ; ) {
    const cards = await sql.unsafe<CardRow[]>(
      `select ${cardColumns} from ${from}
       where c.set_id = $1 and c.deleted_at is null and (c.number_key collate "C", c.id) > ($2 collate "C", $3::uuid)
         and ${parentIs(withParent)}
       order by c.number_key collate "C", c.id limit ${cardsInOne}`,
      [setId, ...last],
      { prepare: true },
    )
    const end = cards.at(-1)
    if (!end) return
    yield cards
    last = [end.number_key, end.id]
  }
}

const cardsInOneLook = 5000

/** No index has the deleted cards, so this scans all cards, few enough at a time that others only wait briefly. */
async function* deletedCards({ sql }: Queryable, withParent: boolean): AsyncGenerator<CardRow[]> {
  for (let last: string | undefined; ; ) {
    const [where, args] = beyond('id', last)
    const [look] = await sql.unsafe<{ end: string | null; ids: string[] | null }[]>(
      `select (array_agg(id order by id desc))[1] as end,
        array_agg(id) filter (where deleted_at is not null) as ids
       from (select id, deleted_at from cards where ${where} order by id limit ${cardsInOneLook}) c`,
      args,
    )
    if (!look?.end) return
    last = look.end
    if (look.ids)
      yield await sql.unsafe<CardRow[]>(
        `select ${cardColumns} from ${from} where c.id = any($1::uuid[]) and ${parentIs(withParent)} order by c.id`,
        [arrayOf(look.ids)],
        { prepare: true },
      )
  }
}
