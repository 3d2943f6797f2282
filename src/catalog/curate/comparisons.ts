/** The types whose records are compared. Groups of several types come in this order. */
export const comparedTypes = ['players', 'teams', 'brands', 'manufacturers', 'sets', 'cards'] as const
export type ComparedType = (typeof comparedTypes)[number]

/** If a player's cards are more years apart than this, they may belong to two people. */
const yearsOfOnePerson = 35

/** A type's live records by their folded names, which are indexed. */
const equalWhenFolded = (type: ComparedType) =>
  `select '${type}' as type, min(folded) as key, array_agg(id order by id) as ids, null as reason
  from ${type} where audience >= 1 group by folded collate "C" having count(*) > 1`

/** Sets are compared within the same genre, year and parent. */
const equalSets = `select 'sets' as type, min(folded) as key, array_agg(id order by id) as ids, null as reason
  from sets where audience >= 1 group by folded collate "C", genre_id, year_id, parent_id having count(*) > 1`

/** Shorter names are too often one letter apart, and longer ones aren't names of people. */
const lettersOfSimilar = { least: 6, most: 60 }

/**
 * Pairs of players who share a set or a team, and whose folded names are one letter apart: it's another one, too much or
 * elsewhere. Such names are the same without one letter each, so each name is looked up without each of its letters, and whole, by
 * a hash. That is a dozen rows for each player, some seconds for 100,000 of them. Players without cards and teams share none.
 * A suffix tells two people apart, such as a father and his son.
 */
const similarPlayers = `select 'players' as type, a.folded as key, array[a.id, b.id] as ids, 'similar' as reason
  from (
    with letters as materialized (
      select p.id, hashtextextended(p.folded, 0) as whole,
        hashtextextended(overlay(p.folded placing '' from n for 1), 0) as key
      from players p cross join generate_series(1, length(p.folded) + 1) n
      where p.audience >= 1 and length(p.folded) between ${lettersOfSimilar.least} and ${lettersOfSimilar.most} and (
        exists (select from oncard o where o.player_id = p.id and o.lists_player)
        or exists (select from player_teams o where o.player_id = p.id and o.audience >= 1)
      )
    )
    select distinct a.id, b.id as other from letters a join letters b on b.key = a.key and b.id > a.id and b.whole <> a.whole
  ) near join players a on a.id = near.id join players b on b.id = near.other
  where substring(a.folded from '(jr|sr|iii|ii|iv)$') is not distinct from substring(b.folded from '(jr|sr|iii|ii|iv)$')
    and (
      exists (
        select from oncard o where o.player_id = a.id and o.lists_player and exists (
          select from oncard s where s.player_id = b.id and s.set_no = o.set_no and s.lists_player
        )
      ) or exists (
        select from player_teams o where o.player_id = a.id and o.audience >= 1 and exists (
          select from player_teams s where s.player_id = b.id and s.team_id = o.team_id and s.audience >= 1
        )
      )
    )`

/**
 * Live cards of one set with the same number and people. The numbers are compared in the index of checklists; only cards whose
 * number occurs again are read. Cards without people are the same if they have one title.
 */
const equalCards = `select 'cards' as type, min(name) as key, array_agg(id order by id) as ids, 'number' as reason
  from (
    select c.id, c.set_id, c.number_key, c.name, coalesce((
      select string_agg(distinct coalesce(o.player_id, o.team_id)::text, ' ') from oncard o where o.card_id = c.id
    ), name_fold(c.title)) as shows
    from (
      select set_id, number_key from cards where deleted_at is null
      group by set_id, number_key collate "C", number_key having count(*) > 1
    ) again join cards c on c.set_id = again.set_id and c.number_key collate "C" = again.number_key collate "C"
    join sets s on s.id = c.set_id
    where c.deleted_at is null and s.audience >= 1 and c.number is not null
  ) shown
  where shows is not null
  group by set_id, number_key collate "C", shows having count(*) > 1`

/**
 * Players whose cards are in several genres, or too many years apart. A year counts by its first four digits. All cards are
 * scanned once, by numbers. Names are read only for the players that are found.
 */
export const collisions = `select 'players' as type, p.name_key as key, array[p.id] as ids, f.reason
  from (
    select o.player_id, case when min(s.genre) < max(s.genre) then 'genres' else 'years' end as reason
    from oncard o join (
      select no, substring(year_key from '^[0-9]{4}')::int as year,
        case when genre_id is not null then dense_rank() over (order by genre_id) end as genre
      from sets where audience >= 1
    ) s on s.no = o.set_no
    where o.lists_player
    group by o.player_id
    having min(s.genre) < max(s.genre) or max(s.year) - min(s.year) > ${yearsOfOnePerson}
  ) f join players p on p.id = f.player_id`

/** What makes groups of each type if it is asked for. */
export const groupings: Record<ComparedType, string[]> = {
  players: [equalWhenFolded('players'), similarPlayers],
  teams: [equalWhenFolded('teams')],
  brands: [equalWhenFolded('brands')],
  manufacturers: [equalWhenFolded('manufacturers')],
  sets: [equalSets],
  cards: [equalCards],
}

/** In larger catalogs, similar players and equal cards are compared only if their type is asked for: that takes seconds. */
const quicklyCompared = { players: 20_000, cards: 200_000 }

/** What makes groups of all types, in a catalog of so many players and cards. */
export const groupingsOfAll = (size: { players: number; cards: number }): string[] =>
  comparedTypes.flatMap((type) => {
    if (type === 'players' && size.players > quicklyCompared.players) return [equalWhenFolded(type)]
    return type === 'cards' && size.cards > quicklyCompared.cards ? [] : groupings[type]
  })
