import { arrayOf } from '../../../../db/arrays.ts'
import type { Database, Queryable, Transaction } from '../../../../db/client.ts'
import { invalidParameter } from '../../../jsonapi/errors.ts'
import { attachableTo, attachments } from '../../model/attached.ts'
import { resourceOf } from '../../model/index.ts'
import { tableOf } from '../../model/tables.ts'
import { joinAliases } from './entities.ts'
import { audiencesOf } from './live.ts'
import type { MergedType, MergeOrder, Merging } from './record.ts'
import { setMerger } from './sets.ts'

/** A record in a merge, and its aliases. */
type Side = { id: string; name: string; aliases: string[]; cards_count: number }

/** What a merge would do, counted without locking or writing anything. 400 if it would be refused. */
export const previewMerge = async (db: Database, { objectType: type, fromIds, intoId: into }: MergeOrder) => {
  const merging = { type, from: fromIds, into }
  await requireMergeable(db.heavy, merging)
  const sides = await readSides(db.heavy, merging)
  const target = sides.get(into)
  if (!target) throw invalidParameter('into_id', 'This record was just deleted.')
  const from = fromIds.flatMap((id) => sides.get(id) ?? [])
  const [moved, attached] = await Promise.all([countMoved(db.heavy, merging), countAttachedTo(db.heavy, merging)])
  const merged = from.map(({ name, aliases }) => ({ name, aliases: aliases.join('\n') }))
  const hasAliases = type !== 'cards' && type !== 'attributes'
  const all = hasAliases ? (joinAliases(target.name, target.aliases.join('\n'), merged)?.split('\n') ?? []) : []
  return {
    ...{ into: target, from },
    // What would refer to the target instead.
    moves: { cards: moved.cards, sets: moved.sets, player_teams: moved.player_teams, attached },
    // Cards of merged sets and player-teams that would be merged, and cards that name several of the people.
    becomes_one: { cards: moved.cards_joined, player_teams: moved.pairs_joined, entries: moved.entries_joined },
    // Names that would become aliases of the target.
    aliases: all.filter((alias) => !target.aliases.includes(alias)),
  }
}

const requireMergeable = async (db: Transaction, merging: Merging) => {
  const { type, from, into } = merging
  const live = await audiencesOf(db, type, [...from, into])
  const { noun } = resourceOf(type)
  if (!live.has(into)) throw invalidParameter('into_id', `There is no such ${noun}.`)
  if (from.includes(into)) throw invalidParameter('from_ids', 'A record cannot be merged with itself.')
  const unknown = from.find((id) => !live.has(id))
  if (unknown) throw invalidParameter('from_ids', `There is no such ${noun}: ${unknown}.`)
  const [fault] = type === 'sets' ? ((await setMerger.faults?.(db, merging)) ?? []) : []
  if (fault) throw invalidParameter('from_ids', fault.detail)
}

const readSides = async ({ sql }: Queryable, { type, from, into }: Merging) => {
  const [name, aliases] =
    type === 'attributes' ? ['attribute', 'null'] : type === 'cards' ? ['name', 'null'] : ['name', 'aliases']
  const rows = await sql.unsafe<{ id: string; name: string; aliases: string | null; cards: number }[]>(
    `select r.id, r.${name} as name, ${aliases} as aliases, (${cardsOf[type]})::int as cards
     from ${type} r where r.id = any($1::text::uuid[])`,
    [arrayOf([...from, into])],
    { prepare: true },
  )
  const side = ({ id, name, aliases, cards }: (typeof rows)[number]): Side => ({
    ...{ id, name, cards_count: cards },
    aliases: aliases?.split('\n') ?? [],
  })
  return new Map(rows.map((row) => [row.id, side(row)]))
}

const named = (column: string) =>
  `select count(distinct o.card_id) from oncard o join cards c on c.id = o.card_id and c.deleted_at is null
   where o.${column} = r.id`
const inSets = (column: string) =>
  `select coalesce(sum(s.live_cards), 0) from sets s where s.${column} = r.id and s.audience >= 1`

/** How many live cards each record has. */
const cardsOf: Record<MergedType, string> = {
  ...{ players: named('player_id'), teams: named('team_id') },
  ...{ brands: inSets('brand_id'), manufacturers: inSets('manufacturer_id') },
  ...{ genres: inSets('genre_id'), years: inSets('year_id') },
  attributes: `select count(*) from card_attributes m join cards c on c.id = m.card_id and c.deleted_at is null
    where m.attribute_id = r.id`,
  sets: 'select r.live_cards',
  cards: 'select 1',
}

const countMoved = async ({ sql }: Queryable, { type, from, into }: Merging) => {
  const none = { cards: 0, sets: 0, player_teams: 0, cards_joined: 0, pairs_joined: 0, entries_joined: 0 }
  const [row] = await sql.unsafe<Partial<typeof none>[]>(moved[type], [arrayOf(from), into], { prepare: true })
  return { ...none, ...row }
}

/** Cards that name the people, and their player-teams that have the same player or team on the other side. */
const people = (side: string, other: string) => `
  with named as (
    select o.card_id, bool_or(o.${side} = any($1::text::uuid[])) as moves, count(distinct o.${side}) as people
    from oncard o join cards c on c.id = o.card_id and c.deleted_at is null
    where o.${side} = any($1::text::uuid[] || $2::uuid) group by o.card_id
  ), pairs as (
    select count(*) filter (where ${side} <> $2::uuid) as moving, count(*) as all_of_it
    from player_teams where ${side} = any($1::text::uuid[] || $2::uuid) and deleted_at is null and not is_yielded
    group by ${other}
  )
  select (select count(*) filter (where moves) from named)::int as cards,
    (select count(*) filter (where people > 1) from named)::int as entries_joined,
    (select coalesce(sum(moving), 0) from pairs)::int as player_teams,
    (select coalesce(sum(all_of_it - 1), 0) from pairs)::int as pairs_joined`

const label = (column: string) => `
  select count(*)::int as sets, coalesce(sum(live_cards), 0)::int as cards
  from sets where ${column} = any($1::text::uuid[]) and $2::uuid is not null and audience >= 1`

const same = 'number, oncard_ids, title, attribute_ids, serial_number'

/** If several sets have equal cards, as many remain as the set with most of them has. */
const sets = `
  select (select count(*) from cards where set_id = any($1::text::uuid[]) and deleted_at is null)::int as cards,
    (select count(*) from sets where parent_id = any($1::text::uuid[]) and audience >= 1)::int as sets,
    (select coalesce(sum(many - most), 0) from (
      select sum(n) as many, max(n) as most from (
        select ${same}, count(*) as n from cards
        where set_id = any($1::text::uuid[] || $2::uuid) and deleted_at is null group by set_id, ${same}
      ) a group by ${same}
    ) b)::int as cards_joined`

const moved: Record<MergedType, string> = {
  ...{ players: people('player_id', 'team_id'), teams: people('team_id', 'player_id') },
  ...{ brands: label('brand_id'), manufacturers: label('manufacturer_id') },
  ...{ genres: label('genre_id'), years: label('year_id') },
  attributes: `select count(distinct m.card_id)::int as cards
    from card_attributes m join cards c on c.id = m.card_id and c.deleted_at is null
    where m.attribute_id = any($1::text::uuid[]) and $2::uuid is not null`,
  sets,
  cards: `select count(*)::int as cards from cards
    where parent_id = any($1::text::uuid[]) and id <> $2::uuid and deleted_at is null`,
}

/** Images, sources, attribute values and identifiers of the merged records. */
const countAttachedTo = async ({ sql }: Queryable, { type, from }: Merging): Promise<number> => {
  const each = attachableTo(type).map(([attached, says]) => {
    const ofType = says ? ` and object_type = '${says}'` : ''
    return `(select count(*) from ${tableOf(attached)}
      where ${attachments[attached].owner} = any($1::text::uuid[])${ofType} and deleted_at is null)`
  })
  if (each.length === 0) return 0
  const [row] = await sql.unsafe<{ count: number }[]>(`select (${each.join(' + ')})::int as count`, [arrayOf(from)], {
    prepare: true,
  })
  return row?.count ?? 0
}
