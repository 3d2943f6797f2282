import { namesOf } from '../words.ts'
import type { KnownPerson, PersonType } from './known-people.ts'
import { type KnownLabel, type KnownSet, type LabelType, labelTypes } from './known-sets.ts'

/** A set as statements return it. */
export type SetRow = [
  ...[id: string, name: string, aliases: string | null, audience: number, no: number, kind: string],
  ...[parent: string | null, brand: string | null, manufacturer: string | null, genre: string | null],
  ...[year: string | null, cards: number, newest: number],
]

/** The same of a label. */
export type LabelRow = [type: LabelType, id: string, name: string, aliases: string | null, audience: number]

/** The columns of the set `s` as one JSON value. */
export const setColumns = `json_build_array(s.id, s.name, s.aliases, s.audience, s.no, s.kind, s.parent_id, s.brand_id,
  s.manufacturer_id, s.genre_id, s.year_id, s.live_cards, (extract(epoch from s.created_at) * 1000)::float8)`

/** A row as a set. */
export const setOfRow = ([id, name, aliases, audience, no, kind, parent, ...rest]: SetRow): KnownSet => {
  const [brand_id, manufacturer_id, genre_id, year_id, cards, newest] = rest
  const [names, hasAliases] = [namesOf(name, aliases), aliases !== null]
  const labels = { brand_id, manufacturer_id, genre_id, year_id }
  return { type: 'sets', id, name, names, hasAliases, audience, no, kind, parent, cards, newest, ...labels }
}

/** A row as a label. */
export const labelOfRow = ([type, id, name, aliases, audience]: LabelRow): KnownLabel => {
  return { type, id, name, names: namesOf(name, aliases), hasAliases: aliases !== null, audience }
}

/** A select of the visible labels that meet a condition. */
export const labelsWhere = (condition: string) =>
  labelTypes
    .map(
      (type) => `select json_build_array('${type}', t.id, t.name, t.aliases, t.audience) as one
      from ${type} t where t.audience > 0 and ${condition}`,
    )
    .join(' union all ')

/** A player or team as statements return it. The `key` is only there if it may not be the name in lower case as we write it. */
export type PersonRow = [
  ...[type: PersonType, id: string, name: string],
  ...[key: string | null, aliases: string | null, audience: number],
]

/** The columns of a player or team `t` as one JSON value. */
export const personColumns = (type: PersonType) =>
  `json_build_array('${type}', t.id, t.name, case when t.name ~ '[^ -~]' then t.name_key end, t.aliases, t.audience)`

/** A row as a player or team. */
export const personOfRow = ([type, id, name, key, aliases, audience]: PersonRow): KnownPerson => {
  return { type, id, name, key: key ?? name.toLowerCase(), aliases, audience }
}
