import type { Arguments } from '../../list/statement.ts'
import { countedAt, lists } from '../../model/counts.ts'
import { type KnownPeople, type KnownPerson, type PersonType, personTypes } from '../known/known-people.ts'
import type { KnownName } from '../known/known-sets.ts'
import type { NameQuery } from '../name-query.ts'
import type { Fit } from './pattern.ts'

export type NameType = PersonType | KnownName['type']

/** A lookup among the players or teams, or both. If it finds more than `most` of a type, only `shown` of them are listed. */
export type Lookup = { types: readonly PersonType[]; query: NameQuery; most: number; shown: number }

/** How many players or teams a lookup found, and those that are listed. */
export type Listed = { type: PersonType; count: number; some: KnownPerson[] }

/** A record with how well its name fits, and about how many cards it has. */
export type FoundName = { no: number; type: NameType; id: string; name: string; fit: Fit; cards: number }

/** Looks up players and teams, as a level sees them. */
export const lookUp = (people: KnownPeople, { types, query, most, shown }: Lookup, level: number): Listed[] => {
  const found = people.find(query, level)
  return personTypes
    .filter((type) => types.includes(type))
    .map((type) => {
      const { count, first } = found[type]
      return { type, count, some: first(count > most ? shown : most) }
    })
}

/** How many records of a list belong to the record `t`, as a level sees them, in SQL. */
export const tallied = (list: number, level: number) =>
  `coalesce((select ${countedAt(level)} from tallies where list = ${list} and id = t.id), 0)`

/** The number of cards of players and teams by id. */
export type Counts = Map<string, number>

/** A select of the numbers of cards of players and teams, as a JSON array in their order. */
export const selectCounts = (ids: string[], level: number, args: Arguments) =>
  `select json_agg(${tallied(lists.cards, level)} order by t.no) from unnest(${args.add(ids, 'uuid[]')}) with ordinality t (id, no)`

/** What `selectCounts` answered. */
export const countsOf = (ids: string[], counts: number[] | null): Counts =>
  new Map(ids.map((id, no) => [id, counts?.[no] ?? 0]))
