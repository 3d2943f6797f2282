import type { Queryable } from '../../../db/client.ts'
import { mostLevels, setsBelow } from '../model/sets-below.ts'

/** A set by its id and name. */
type NamedSet = { id: string; name: string }

/** The most sets of a tree that are shown. */
const mostSets = 2000

/** For each of these sets, the path from the root down to it. A hidden set cuts off the path above it. */
export const findSetPaths = async (
  { sql }: Queryable,
  ids: string[],
  level: number,
): Promise<Map<string, NamedSet[]>> => {
  const rows = ids.length === 0 ? [] : await sql.unsafe<PathRow[]>(pathStatement(level), [ids], { prepare: true })
  const paths = new Map<string, NamedSet[]>()
  for (const { of, id, name } of rows) paths.set(of, [...(paths.get(of) ?? []), { id, name }])
  return paths
}

type PathRow = { of: string; id: string; name: string }

const pathStatement = (level: number) => `
  with recursive up as (
    select id as of, id, parent_id, name, 0 as height from sets where id = any($1::uuid[]) and audience >= ${level}
    union all
    select u.of, s.id, s.parent_id, s.name, u.height + 1
    from up u join sets s on s.id = u.parent_id and s.audience >= ${level} where u.height < ${mostLevels}
  )
  select of, id, name from up order by of, height desc`

/** A set below another. `printRun` is the serial number of its cards, if the first and the last have the same one. */
export type SetBelow = NamedSet & {
  no: number
  parent: string
  kind: 'base' | 'parallel' | 'insert' | 'autograph' | 'variation'
  status: 'draft' | 'published'
  cards: number
  printRun: string | null
}

/** The sets below one, at most 2,000, by name. This includes visible sets below hidden ones. */
export const findSetsBelow = async ({ sql }: Queryable, id: string, level: number): Promise<SetBelow[]> => [
  ...(await sql.unsafe<SetBelow[]>(belowStatement(level), [id], { prepare: true })),
]

const serialAt = (direction: 'asc' | 'desc') => `(
  select c.serial_number from cards c where c.set_id = s.id and c.deleted_at is null
  order by c.number_key collate "C" ${direction}, c.id ${direction} limit 1)`

const belowStatement = (level: number) => `${setsBelow('= $1::uuid')}
  select s.id, s.name, s.no, s.parent_id as parent, s.kind, s.status, s.live_cards as cards,
    case when ${serialAt('asc')} = ${serialAt('desc')} then ${serialAt('asc')} end as "printRun"
  from down d join sets s on s.id = d.id
  where s.audience >= ${level} order by s.name_key collate "C", s.id limit ${mostSets}`

/** How many sets of a kind are below a set, and how many cards these have. */
type BelowCounts = { root: string; kind: SetBelow['kind']; sets: number; cards: number }

/** Counts the sets and cards below each of these sets, as a level sees them. */
export const countBelow = async ({ sql }: Queryable, ids: string[], level: number): Promise<BelowCounts[]> =>
  ids.length === 0
    ? []
    : [
        ...(await sql.unsafe<BelowCounts[]>(
          `${setsBelow('= any($1::uuid[])')}
          select d.root, s.kind, count(*)::int as sets, sum(s.live_cards)::int as cards
          from down d join sets s on s.id = d.id where s.audience >= ${level} group by d.root, s.kind`,
          [ids],
          { prepare: true },
        )),
      ]
