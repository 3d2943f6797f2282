/** How many values of a facet are shown. */
const shownMost = 20

type Facet = { about: string; from: string }

const ofLabel = (table: string, column: string, shown = 'v.name') => ({
  about: table,
  from: `select v.id::text as id, ${shown} as value, sum(h.cards)::int as count from facet_sets h
    join sets s on s.no = h.set_no join ${table} v on v.id = s.${column} group by v.id`,
})

/** What `facets=` takes: each counts the cards that match by one of their values. */
export const facets = {
  genre: ofLabel('genres', 'genre_id'),
  year: ofLabel('years', 'year_id'),
  brand: ofLabel('brands', 'brand_id'),
  kind: {
    about: 'kinds of sets',
    from: 'select s.kind as id, s.kind as value, sum(h.cards)::int as count from facet_sets h join sets s on s.no = h.set_no group by s.kind',
  },
  code: {
    about: 'attributes',
    from: `select v.id::text as id, v.attribute as value, count(*)::int as count from card_hits h
      join card_attributes m on m.card_id = h.id join attributes v on v.id = m.attribute_id group by v.id`,
  },
  set: {
    about: 'sets',
    from: `select v.id::text as id, v.name as value, h.cards::int as count from facet_sets h join sets v on v.no = h.set_no`,
  },
  player: {
    about: 'players',
    from: `select v.id::text as id, v.name as value, count(*)::int as count from card_hits h
      join oncard o on o.card_id = h.id and o.lists_player join players v on v.id = o.player_id group by v.id`,
  },
} as const satisfies Record<string, Facet>

export type FacetName = keyof typeof facets
export const facetNames = Object.keys(facets) as FacetName[]

export type FacetValue = { id: string; value: string; count: number }

/** The table that several facets share: how many hits each set has. */
export const facetSets = 'facet_sets as materialized (select set_no, count(*) as cards from card_hits group by 1)'

/** A select of the values of some facets, most cards first, as one object. */
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
