/** The most values of a facet in an answer. */
const shownMost = 20

type Facet = { about: string; from: string }

const ofLabel = (table: string, column: string) => ({
  about: table,
  from: `select v.id::text as id, v.name as value, h.count from (
      select ${column} as id, sum(cards)::int as count from facet_sets group by 1
    ) h join ${table} v on v.id = h.id`,
})

/** The facets that `facets=` accepts. Each counts the matching cards by one of their values. */
const facets = {
  genre: ofLabel('genres', 'genre_id'),
  year: ofLabel('years', 'year_id'),
  brand: ofLabel('brands', 'brand_id'),
  kind: {
    about: 'kinds of sets',
    from: 'select kind as id, kind as value, sum(cards)::int as count from facet_sets group by kind',
  },
  code: {
    about: 'attributes',
    from: `select v.id::text as id, v.attribute as value, h.count from (
        select m.attribute_id as id, count(*)::int as count from counted h
        join card_attributes m on m.card_id = h.id group by 1
      ) h join attributes v on v.id = h.id`,
  },
  set: {
    about: 'sets',
    from: 'select id::text, name as value, cards::int as count from facet_sets',
  },
  player: {
    about: 'players',
    // Names are only read for players with at least as many cards as the last one shown. `lists_player` means the same as the
    // condition on the position, but isn't in the index.
    from: `with h as materialized (
        select o.player_id as id, count(*)::int as count from counted h
        join oncard o on o.card_id = h.id and o.player_id is not null and (o.position = 0 or not exists (
          select from oncard f where f.card_id = h.id and f.position < o.position and f.player_id = o.player_id
        )) group by 1
      ) select v.id::text as id, v.name as value, h.count from h
      cross join lateral (select p.id, p.name from players p where p.id = h.id offset 0) v
      where h.count >= coalesce((select count from h order by count desc offset ${shownMost - 1} limit 1), 0)`,
  },
} as const satisfies Record<string, Facet>

export type FacetName = keyof typeof facets
export const facetNames = Object.keys(facets) as FacetName[]

export type FacetValue = { id: string; value: string; count: number }

/** A table that several facets share: each set's number of hits, and the values they are counted by. */
export const facetSets = `facet_sets as materialized (
  select s.id, s.name, s.kind, s.genre_id, s.year_id, s.brand_id, h.cards
  from (select set_no, count(*) as cards from counted group by 1) h join sets s on s.no = h.set_no
)`

/** A select of the values of some facets as one JSON object, those with the most cards first. */
export const selectFacets = (names: FacetName[]): string =>
  `json_build_object(${names
    .map(
      (
        name,
      ) => `'${name}', coalesce((select json_agg(json_build_object('id', id, 'value', value, 'count', count)) from (
        select * from (${facets[name].from}) f order by count desc, value, id limit ${shownMost}
      ) v), '[]'::json)`,
    )
    .join(', ')})`
