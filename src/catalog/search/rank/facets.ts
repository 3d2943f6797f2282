import { firstFew } from '../../../lib/first-few.ts'
import type { KnownSet, KnownSets } from '../known/known-sets.ts'
import type { SeenSets } from '../sets/seen-sets.ts'
import { compareValues } from './order.ts'

/** The most values of a facet in an answer. */
const shownMost = 20

export type FacetValue = { id: string; value: string; count: number }

/** The facets about the sets of cards: what a set is counted by. Except for kinds, that is a record. */
const ofSets = {
  genre: ({ genre_id }) => genre_id,
  year: ({ year_id }) => year_id,
  brand: ({ brand_id }) => brand_id,
  kind: ({ kind }) => kind,
  set: ({ id }) => id,
} satisfies Record<string, (set: KnownSet) => string | null>

/** The facets about cards, as selects of their values. */
const ofCards = {
  code: `select v.id::text as id, v.attribute as value, h.count from (
      select m.attribute_id as id, count(*)::int as count from counted h
      join card_attributes m on m.card_id = h.id group by 1
    ) h join attributes v on v.id = h.id`,
  // Names are only read for players with at least as many cards as the last one shown. `lists_player` means the same as the
  // condition on the position, but isn't in the index.
  player: `with h as materialized (
      select o.player_id as id, count(*)::int as count from counted h
      join oncard o on o.card_id = h.id and o.player_id is not null and (o.position = 0 or not exists (
        select from oncard f where f.card_id = h.id and f.position < o.position and f.player_id = o.player_id
      )) group by 1
    ) select v.id::text as id, v.name as value, h.count from h
    cross join lateral (select p.id, p.name from players p where p.id = h.id offset 0) v
    where h.count >= coalesce((select count from h order by count desc offset ${shownMost - 1} limit 1), 0)`,
}

/** The facets that `facets=` accepts. Each counts the matching cards by one of their values. */
export const facetNames = ['genre', 'year', 'brand', 'kind', 'code', 'set', 'player'] as const
export type FacetName = (typeof facetNames)[number]
export type Facets = Partial<Record<FacetName, FacetValue[]>>

const isOfCards = (name: FacetName): name is keyof typeof ofCards => name in ofCards

/** What is counted for facets: sets by number with their matching cards, and the values of the facets about cards. */
export type Counted = { sets: [nos: number[] | null, cards: number[] | null] } & {
  [Name in keyof typeof ofCards]?: FacetValue[]
}

/** A select of what is counted for some facets, as one JSON object. */
export const selectCounted = (names: FacetName[]): string => {
  const values = names.filter(isOfCards).map(
    (name) => `'${name}', coalesce((select json_agg(json_build_object('id', id, 'value', value, 'count', count)) from (
      select * from (${ofCards[name]}) f order by count desc, value collate "C", id limit ${shownMost}
    ) v), '[]'::json)`,
  )
  const sets =
    "'sets', (select json_build_array(json_agg(set_no), json_agg(n)) from (select set_no, count(*) as n from counted group by 1) s)"
  return `json_build_object(${[sets, ...values].join(', ')})`
}

/** The values of some facets, those with the most cards first. */
export const facetsOf = (
  names: FacetName[],
  counted: Counted | undefined,
  known: KnownSets,
  sets: SeenSets,
): Facets => {
  const [nos, cards] = counted?.sets ?? []
  const countBy = (name: keyof typeof ofSets) => {
    const counts = new Map<string, number>()
    for (const [at, no] of nos?.entries() ?? []) {
      const set = sets.setOf(no)
      const id = set && ofSets[name](set)
      if (id) counts.set(id, (counts.get(id) ?? 0) + (cards?.[at] ?? 0))
    }
    const values = [...counts].flatMap(([id, count]): FacetValue[] => {
      const value = name === 'kind' ? id : known.get(id)?.name
      return value === undefined ? [] : [{ id, value, count }]
    })
    return firstFew(values, shownMost, mostFirst)
  }
  return Object.fromEntries(names.map((name) => [name, isOfCards(name) ? (counted?.[name] ?? []) : countBy(name)]))
}

const mostFirst = (a: FacetValue, b: FacetValue) =>
  b.count - a.count || compareValues(a.value, b.value) || compareValues(a.id, b.id)
