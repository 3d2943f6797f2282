import type { Queryable } from '../../../../db/client.ts'
import { countedAt, lists } from '../../model/counts.ts'
import { cards } from '../../model/resources/cards.ts'
import { readTexts, rowsAsText, splitRows } from '../../show/rows.ts'
import { partsOf } from './checklist.ts'

/** The player or team whose cards are listed. */
type Subject = { kind: 'player' | 'team'; id: string }

/** A year and how many cards it has. Null for sets without a year. */
type YearOfCards = { year: string | null; cards: number }

/** A set with cards of the subject. Without its own year, it has that of the sets above it. */
type SetOfSubject = { no: number; year: string | null; cards: number }

/** The most cards of a subject that are sorted by year. Beyond that, only those of the first sets are. */
const mostByYear = 20_000

/** The first cards of a subject in checklist order, along the index of the subject. */
const itsCards = (kind: Subject['kind'], level: number) => `(
  select o.card_id, o.set_no, o.number_key from oncard o join sets s on s.no = o.set_no and s.audience >= ${level}
  where o.${kind}_id = $1 and o.lists_${kind} order by o.set_no, o.number_key collate "C", o.card_id limit ${mostByYear}
)`

/** The sets with cards of a subject, oldest year first, and the subject's total number of cards. */
export const findSetsOf = async ({ sql }: Queryable, { kind, id }: Subject, level: number) => {
  const [sets, [tally]] = await Promise.all([
    sql.unsafe<SetOfSubject[]>(
      `select s.no, y.name as year, own.cards from (
        select c.set_no, count(*)::int as cards from ${itsCards(kind, level)} c group by c.set_no
      ) own join sets s on s.no = own.set_no
      left join sets above on above.id = s.parent_id left join sets top on top.id = above.parent_id
      left join years y on y.id = coalesce(s.year_id, above.year_id, top.year_id) and y.audience >= ${level}
      order by coalesce(s.year_key, above.year_key, top.year_key) collate "C" nulls last, s.release_date nulls last, s.no`,
      [id],
      { prepare: true },
    ),
    sql<{ total: number }[]>`
      select ${sql.unsafe(countedAt(level))}::int as total from tallies where list = ${lists.cards} and id = ${id}`,
  ])
  return { sets: [...sets], total: tally?.total ?? 0 }
}

/** How many cards each year has, in the order of the sets. */
export const yearsOf = (sets: SetOfSubject[]): YearOfCards[] =>
  [...Map.groupBy(sets, ({ year }) => year)].map(([year, own]) => ({
    year,
    cards: own.reduce((sum, set) => sum + set.cards, 0),
  }))

/** The rows of a range of a subject's cards, set after set in the order of `sets`, grouped by year. */
export const readByYear = async (
  { sql }: Queryable,
  { kind, id }: Subject,
  sets: SetOfSubject[],
  { from, size, level }: { from: number; size: number; level: number },
): Promise<{ year: string | null; rows: string[] }[]> => {
  const parts = partsOf(sets, from, size)
  if (parts.length === 0) return []
  const read = await sql.unsafe<{ place: number; rows: string | null }[]>(
    `select part.place::int as place, (
      select ${rowsAsText} from (
        select ${cards.columns(level)} from oncard o join cards t on t.id = o.card_id
        where o.${kind}_id = $1 and o.lists_${kind} and o.set_no = part.no
        order by o.number_key collate "C", o.card_id offset part.skip limit part.take
      ) r
    ) as rows
    from unnest($2::int[], $3::int[], $4::int[]) with ordinality part (no, skip, take, place)`,
    [id, parts.map(({ set }) => set.no), parts.map(({ skip }) => skip), parts.map(({ take }) => take)],
    { prepare: true },
  )
  const rowsAt = new Map(read.map(({ place, rows }) => [place, splitRows(rows)]))
  const years = Map.groupBy(
    parts.map(({ set }, index) => ({ year: set.year, rows: rowsAt.get(index + 1) ?? [] })),
    ({ year }) => year,
  )
  return [...years].map(([year, own]) => ({ year, rows: own.flatMap(({ rows }) => rows) }))
}

/** The rookie cards of a subject, oldest year first, as texts of their rows. */
export const readRookies = (db: Queryable, { kind, id }: Subject, level: number, most: number) =>
  readTexts(
    db,
    `select ${cards.columns(level)} from ${itsCards(kind, level)} c
    join card_attributes m on m.card_id = c.card_id
    join attributes a on a.id = m.attribute_id and a.attribute_key collate "C" = 'rc'
    join cards t on t.id = c.card_id join sets s on s.no = c.set_no
    order by s.year_key collate "C" nulls last, s.no, c.number_key collate "C", t.id limit ${most}`,
    [id],
  )
