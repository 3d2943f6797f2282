import { firstFew } from '../../../lib/first-few.ts'
import type { Resolved } from '../match/resolve.ts'
import type { KnownSet } from '../name-cache/known-sets.ts'
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

/**
 * The codes of cards with their numbers of cards, those with the most first. Cards are looked up one by one behind `offset 0`, since the
 * planner expected many more than there were, and read what hangs on all cards of the catalog.
 */
const code = `(
  select coalesce(json_agg(json_build_object('id', id, 'value', value, 'count', count)), '[]'::json) from (
    select v.id, v.attribute as value, h.count from (
      select m.attribute_id as id, count(*)::int as count from counted h
      cross join lateral (select attribute_id from card_attributes where card_id = h.id offset 0) m group by 1
    ) h join attributes v on v.id = h.id order by h.count desc, v.attribute collate "C", v.id limit ${shownMost}
  ) v
)`

/**
 * Players with at least as many cards as the last one shown. Most cards were found through their only player. `lists_player` means the
 * same as the condition on the position, but isn't in the index.
 */
const player = `(
  with h as materialized (
    select id, sum(count)::int as count from (
      select only_player as id, count(*) as count from counted where only_player is not null group by 1
      union all
      select o.player_id, count(*) from counted h cross join lateral (
        select o.player_id from oncard o
        where o.card_id = h.id and o.player_id is not null and (o.position = 0 or not exists (
          select from oncard f where f.card_id = h.id and f.position < o.position and f.player_id = o.player_id
        )) offset 0
      ) o where h.only_player is null group by 1
    ) h group by 1
  ) select json_build_array(json_agg(id), json_agg(count)) from h
  where count >= coalesce((select count from h order by count desc offset ${shownMost - 1} limit 1), 0)
)`

const sets =
  '(select json_build_array(json_agg(set_no), json_agg(n)) from (select set_no, count(*) as n from counted group by 1) s)'

/** The facets that `facets=` accepts. Each counts the matching cards by one of their values. */
export const facetNames = ['genre', 'year', 'brand', 'kind', 'code', 'set', 'player'] as const
export type FacetName = (typeof facetNames)[number]
export type Facets = Partial<Record<FacetName, FacetValue[]>>

/** Numbers of cards as two lists of the same length, or none. */
type Counts<Id> = [ids: Id[] | null, cards: number[] | null]

/** What is counted for facets: sets by number, and the facets about cards. */
export type Counted = { sets?: Counts<number>; code?: FacetValue[]; player?: Counts<string> }

/** A select of what is counted for some facets, as one JSON object. */
export const selectCounted = (names: FacetName[]): string => {
  const parts = { sets, ...(names.includes('code') ? { code } : {}), ...(names.includes('player') ? { player } : {}) }
  return `json_build_object(${Object.entries(parts).flatMap(([name, select]) => [`'${name}'`, select])})`
}

/** The values of some facets, those with the most cards first. */
export const facetsOf = (names: FacetName[], counted: Counted, { sets, people }: Resolved): Facets => {
  const named = (counts: Iterable<[string, number]>, nameOf: (id: string) => string | undefined) => {
    const values = [...counts].flatMap(([id, count]): FacetValue[] => {
      const value = nameOf(id)
      return value === undefined ? [] : [{ id, value, count }]
    })
    return firstFew(values, shownMost, mostFirst)
  }
  const bySet = pairsOf(counted.sets)
  const countBy = (name: keyof typeof ofSets) => {
    const counts = new Map<string, number>()
    for (const [no, cards] of bySet) {
      const set = sets.setOf(no)
      const id = set && ofSets[name](set)
      if (id) counts.set(id, (counts.get(id) ?? 0) + cards)
    }
    return named(counts, (id) => (name === 'kind' ? id : sets.get(id)?.name))
  }
  const valuesOf = (name: FacetName) => {
    if (name === 'code') return counted.code ?? []
    if (name === 'player') return named(pairsOf(counted.player), (id) => people.get(id)?.name)
    return countBy(name)
  }
  return Object.fromEntries(names.map((name) => [name, valuesOf(name)]))
}

const pairsOf = <Id>([ids, cards]: Counts<Id> = [null, null]): [Id, number][] =>
  (ids ?? []).map((id, at) => [id, cards?.[at] ?? 0])

const mostFirst = (a: FacetValue, b: FacetValue) =>
  b.count - a.count || compareValues(a.value, b.value) || compareValues(a.id, b.id)
