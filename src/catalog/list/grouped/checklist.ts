import type { Queryable } from '../../../../db/client.ts'
import { cards } from '../../model/resources/cards.ts'
import { readTexts, rowsAsText, splitRows } from '../../show/rows.ts'

/** A set in a checklist of several sets, and how many of its cards are listed. */
export type ChecklistSet = { id: string; no: number; cards: number }

/** Filters of a checklist: by team, code, part of a player's name, or having an image. */
export type Narrowing = { code?: string; team?: string; player?: string; hasImage?: boolean }

type ChecklistOrder = 'number' | 'player'

/** A range of a checklist: rows of cards, set after set. */
type Range = { from: number; size: number; order: ChecklistOrder; level: number }

type Narrowed = { conditions: string; values: string[] }

/** The conditions on the card `t`. `nos` is the parameter with the sets' numbers, and other values start at parameter `first`. */
const narrowedBy = ({ code, team, player, hasImage }: Narrowing, nos: string, first: number): Narrowed => {
  const values: string[] = []
  const given = (value: string) => `$${first - 1 + values.push(value)}::text`
  const conditions = [
    ...(code
      ? [
          `t.id in (select m.card_id from card_attributes m join attributes a on a.id = m.attribute_id
            where a.attribute_key collate "C" = lower(${given(code)}) and m.set_no = any(${nos}))`,
        ]
      : []),
    ...(team
      ? [
          `t.id in (select o.card_id from oncard o where o.team_id = ${given(team)}::uuid and o.lists_team and o.set_no = any(${nos}))`,
        ]
      : []),
    ...(player
      ? [
          `exists (select from oncard o join players p on p.id = o.player_id
            where o.card_id = t.id and position(name_fold(${given(player)}) in p.folded) > 0)`,
        ]
      : []),
    ...(hasImage ? ['t.image_ids is not null'] : []),
  ]
  return { conditions: ['t.deleted_at is null', ...conditions].join(' and '), values }
}

/** Whether any filter is set. */
export const isNarrow = (narrowing: Narrowing) => Object.values(narrowing).some(Boolean)

/** The sets that have matching cards, with how many, in their original order. Reads no cards if no filter is set. */
export const countInChecklist = async (
  { sql }: Queryable,
  sets: ChecklistSet[],
  narrowing: Narrowing,
): Promise<ChecklistSet[]> => {
  if (!isNarrow(narrowing)) return sets.filter((set) => set.cards > 0)
  const { conditions, values } = narrowedBy(narrowing, '$2::int[]', 3)
  const counted = await sql.unsafe<{ id: string; cards: number }[]>(
    `select t.set_id as id, count(*)::int as cards from cards t
    where t.set_id = any($1::uuid[]) and array_length($2::int[], 1) > 0 and ${conditions} group by t.set_id`,
    [sets.map(({ id }) => id), sets.map(({ no }) => no), ...values],
    { prepare: true },
  )
  const found = new Map(counted.map((one) => [one.id, one.cards]))
  return sets.flatMap((set) => (found.has(set.id) ? [{ ...set, cards: found.get(set.id) as number }] : []))
}

/** The texts of the rows of a range, by set. `sets` must come from `countInChecklist`. */
export const readChecklist = async (
  { sql }: Queryable,
  sets: ChecklistSet[],
  narrowing: Narrowing,
  { from, size, order, level }: Range,
): Promise<{ set: ChecklistSet; rows: string[] }[]> => {
  const parts = partsOf(sets, from, size)
  if (parts.length === 0) return []
  const { conditions, values } = narrowedBy(narrowing, '$4::int[]', 5)
  const read = await sql.unsafe<{ place: number; rows: string | null }[]>(
    `select part.place::int as place, (
      select ${rowsAsText} from (
        select ${cards.columns(level)} from cards t ${order === 'player' ? firstPlayer : ''}
        where t.set_id = part.id and array_length($4::int[], 1) > 0 and ${conditions}
        order by ${order === 'player' ? byPlayer : ''} t.number_key collate "C", t.id offset part.skip limit part.take
      ) r
    ) as rows
    from unnest($1::uuid[], $2::int[], $3::int[]) with ordinality part (id, skip, take, place)`,
    [
      parts.map(({ set }) => set.id),
      parts.map(({ skip }) => skip),
      parts.map(({ take }) => take),
      parts.map(({ set }) => set.no),
      ...values,
    ],
    { prepare: true },
  )
  const rowsAt = new Map(read.map(({ place, rows }) => [place, splitRows(rows)]))
  return parts.map(({ set }, index) => ({ set, rows: rowsAt.get(index + 1) ?? [] }))
}

const firstPlayer = `left join lateral (
  select lower(p.last_name) as last, lower(p.first_name) as first from oncard o join players p on p.id = o.player_id
  where o.card_id = t.id order by o.position limit 1
) w on true`
const byPlayer = 'w.last collate "C" nulls last, w.first collate "C" nulls first,'

/** Which cards of which sets are in a range. */
export const partsOf = <T extends { cards: number }>(sets: T[], from: number, size: number) => {
  let before = 0
  return sets.flatMap((set) => {
    const skip = Math.max(0, from - before)
    const take = Math.min(set.cards - skip, from + size - before - skip)
    before += set.cards
    return take > 0 && skip < set.cards ? [{ set, skip, take }] : []
  })
}

/** How many cards are searched for the values of a checklist's filters. */
const sampledMost = 5000

/** The codes and teams on the cards of some sets, or on the first 5,000 cards. */
export const findChoices = async ({ sql }: Queryable, ids: string[], level: number) => {
  const sample = sql`select t.id from unnest(${ids}::uuid[]) with ordinality part (id, place)
    join cards t on t.set_id = part.id and t.deleted_at is null order by part.place limit ${sampledMost}`
  const [codes, teams] = await Promise.all([
    sql<{ code: string; name: string }[]>`
      select a.attribute as code, a.name from (
        select distinct m.attribute_id from (${sample}) sample join card_attributes m on m.card_id = sample.id
      ) found join attributes a on a.id = found.attribute_id and a.audience >= 1
      order by a.attribute_key collate "C" limit 200`,
    sql<{ id: string; name: string }[]>`
      select e.id, e.name from (
        select distinct o.team_id from (${sample}) sample join oncard o on o.card_id = sample.id
        where o.team_id is not null
      ) found join teams e on e.id = found.team_id and e.audience >= ${level}
      order by lower(e.name) collate "C", e.id limit 500`,
  ])
  return { codes: [...codes], teams: [...teams] }
}

/** Some cards of sets that have an image, in the order of the sets, as texts of their rows. */
export const readPictured = (db: Queryable, ids: string[], level: number, most: number) =>
  readTexts(
    db,
    `select ${cards.columns(level)} from unnest($1::uuid[]) with ordinality part (id, place)
    join cards t on t.set_id = part.id and t.image_ids is not null and t.deleted_at is null
    order by part.place, t.number_key collate "C", t.id limit ${most}`,
    [ids],
  )
