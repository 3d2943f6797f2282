import { namesOf } from '../../../lib/words.ts'
import { lists } from '../../model/counts.ts'
import type { KnownCode } from './known-codes.ts'
import type { CardCounts, KnownPerson, PersonType } from './known-people.ts'
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
  const names = namesOf(name, aliases)
  const hasAliases = aliases !== null
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
      (type) => `select t.id, json_build_array('${type}', t.id, t.name, t.aliases, t.audience) as one
      from ${type} t where t.audience > 0 and ${condition}`,
    )
    .join(' union all ')

/** The numbers of cards `k` of the row `t`, looked up one by one. The planner would join a few thousand rows with all numbers there are. */
const countsOfT = `left join lateral (
    select k.live, k.published from tallies k where k.list = ${lists.cards} and k.id = t.id offset 0
  ) k on true`

/** A player or team as statements return it. The `key` is only there if it may not be the name in lower case as we write it. */
export type PersonRow = [
  ...[type: PersonType, id: string, name: string],
  ...[key: string | null, aliases: string | null, audience: number, live: number, published: number],
]

/** A select of the visible players or teams `t` from a table as JSON values, with their numbers of cards. */
export const selectPeople = (type: PersonType, from: string) =>
  `select t.id, json_build_array('${type}', t.id, t.name, case when t.name ~ '[^ -~]' then t.name_key end, t.aliases, t.audience,
    coalesce(k.live, 0), coalesce(k.published, 0)) as one
  from ${from} t ${countsOfT} where t.audience > 0`

/** A row as a player or team. */
export const personOfRow = (row: PersonRow): KnownPerson => {
  const [type, id, name, key, aliases, audience, live, published] = row
  return { type, id, name, key: key ?? name.toLowerCase(), aliases, audience, live, published }
}

/** A code as statements return it. */
export type CodeRow = [id: string, code: string, name: string, audience: number, live: number, published: number]

/** A select of the visible codes that meet a condition, as JSON values. */
export const codesWhere = (condition: string) =>
  `select json_build_array(t.id, t.attribute_key, t.name, t.audience, coalesce(k.live, 0), coalesce(k.published, 0)) as one
  from attributes t ${countsOfT} where t.audience > 0 and ${condition}`

/** A row as a code. */
export const codeOfRow = ([id, code, name, audience, live, published]: CodeRow): KnownCode => {
  return { id, code, name, audience, live, published }
}

/** How many cards of a player, team or code there are: all, and those that are published. */
export type CountRow = [id: string, live: number, published: number]

/** A select of the numbers of cards of players, teams and codes, as JSON values. Those who never had any have none. */
export const selectCounts = (ids: string) =>
  `select json_build_array(k.id, k.live, k.published) as one from tallies k where k.list = ${lists.cards} and k.id = any(${ids})`

/** Rows as numbers of cards, for everybody who was asked for. */
export const countsOfRows = (ids: string[], rows: CountRow[] | null) => {
  const none: CardCounts = { live: 0, published: 0 }
  const counts = new Map(ids.map((id) => [id, none]))
  for (const [id, live, published] of rows ?? []) counts.set(id, { live, published })
  return counts
}
