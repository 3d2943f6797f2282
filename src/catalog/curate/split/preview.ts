import type { Database, Queryable } from '../../../../db/client.ts'
import { type ChosenCards, chosenWhere } from './chosen.ts'

/** A value to choose a player's cards by, and how many of them have it. */
type Choice = { id: string; name: string; cards: number }

/** A card of the player. `year` is the name of its set's year. */
type Listed = { id: string; name: string; set: { id: string; name: string }; year: string | null }

/** What a split would move, and the values that cards can be chosen by. */
type SplitPreview = {
  player: { id: string; name: string; disambiguation: string | null; cards_count: number }
  moves: number
  cards: Listed[]
  choices: { genres: Choice[]; years: Choice[]; sets: Choice[]; teams: Choice[] }
}

/** The most cards, and values of each kind, that are listed. */
export const listedMost = 500

/**
 * What a split would give to a new player, and the values that the old one's cards can be chosen by. Undefined if there is no
 * such player.
 */
export const previewSplit = async (
  db: Database,
  playerId: string,
  chosen: ChosenCards,
): Promise<SplitPreview | undefined> => {
  const { heavy } = db
  const [player] = await heavy.sql<SplitPreview['player'][]>`
    select p.id, p.name, p.disambiguation, (select count(distinct o.card_id) ${ofPlayer(heavy, playerId)})::int as cards_count
    from players p where p.id = ${playerId} and p.audience >= 1`
  if (!player) return undefined
  const [moves, cards, choices] = [
    await countChosen(heavy, playerId, chosen),
    await listChosen(heavy, playerId, chosen),
    await readChoices(heavy, playerId),
  ]
  return { player: { ...player }, moves, cards, choices }
}

const ofPlayer = ({ sql }: Queryable, playerId: string) => sql`
  from oncard o join cards c on c.id = o.card_id and c.deleted_at is null
  join sets s on s.no = o.set_no and s.audience >= 1
  where o.player_id = ${playerId}`

const countChosen = async (db: Queryable, playerId: string, chosen: ChosenCards) => {
  const [row] = await db.sql<{ count: number }[]>`
    select count(distinct o.card_id)::int as count ${ofPlayer(db, playerId)} and ${chosenWhere(db, chosen)}`
  return row?.count ?? 0
}

/** The first of the chosen cards, by year, set and number. */
const listChosen = async (db: Queryable, playerId: string, chosen: ChosenCards): Promise<Listed[]> => {
  const rows = await db.sql<{ id: string; name: string; set_id: string; set: string; year: string | null }[]>`
    select c.id, c.name, s.id as set_id, s.name as set, y.name as year
    from cards c join sets s on s.id = c.set_id left join years y on y.id = s.year_id
    where c.id in (select o.card_id ${ofPlayer(db, playerId)} and ${chosenWhere(db, chosen)})
    order by s.year_key nulls last, s.no, c.number_key, c.id limit ${listedMost}`
  return rows.map(({ id, name, set_id, set, year }) => ({ id, name, set: { id: set_id, name: set }, year }))
}

/**
 * Genres, years, sets and teams of all of the player's cards, and how many cards have each. The first of each kind, by name.
 */
const readChoices = async (db: Queryable, playerId: string): Promise<SplitPreview['choices']> => {
  const { sql } = db
  const rows = await sql<(Choice & { kind: keyof SplitPreview['choices'] })[]>`
    with own as (
      select o.card_id, o.team_id, s.id as set_id, s.genre_id, s.year_id ${ofPlayer(db, playerId)}
    ), counted as (
      select 'genres' as kind, genre_id as id, count(distinct card_id)::int as cards from own group by 2
      union all select 'years', year_id, count(distinct card_id)::int from own group by 2
      union all select 'sets', set_id, count(distinct card_id)::int from own group by 2
      union all select 'teams', team_id, count(distinct card_id)::int from own group by 2
    )
    select kind, n.id, n.name, cards from (
      select c.*, coalesce(g.name, y.name, s.name, t.name) as name,
        row_number() over (partition by c.kind order by coalesce(g.name, y.name, s.name, t.name), c.id) as place
      from counted c
      left join genres g on c.kind = 'genres' and g.id = c.id
      left join years y on c.kind = 'years' and y.id = c.id
      left join sets s on c.kind = 'sets' and s.id = c.id
      left join teams t on c.kind = 'teams' and t.id = c.id
      where c.id is not null
    ) n where place <= ${listedMost} order by kind, place`
  const of = (kind: string) =>
    rows.flatMap((row) => (row.kind === kind ? { id: row.id, name: row.name, cards: row.cards } : []))
  return { genres: of('genres'), years: of('years'), sets: of('sets'), teams: of('teams') }
}
