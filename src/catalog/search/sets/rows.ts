import { type KnownName, labelTypes, namesOf } from './known-sets.ts'

/** A set as statements return it. */
export type SetRow = [
  ...[id: string, name: string, key: string, aliases: string | null, audience: number, no: number, kind: string],
  ...[parent: string | null, brand: string | null, manufacturer: string | null, genre: string | null],
  ...[year: string | null, cards: number, newest: number],
]

/** The same of a label. */
export type LabelRow = [
  type: (typeof labelTypes)[number],
  ...[id: string, name: string, key: string, aliases: string | null, audience: number],
]

/** The columns of the set `s` as one JSON value. */
export const setColumns = `json_build_array(s.id, s.name, s.name_key, s.aliases, s.audience, s.no, s.kind, s.parent_id, s.brand_id,
  s.manufacturer_id, s.genre_id, s.year_id, s.live_cards, (extract(epoch from s.created_at) * 1000)::float8)`

/** A row as a set. */
export const setOfRow = ([id, name, key, aliases, audience, no, kind, parent, ...rest]: SetRow): KnownName => {
  const [brand_id, manufacturer_id, genre_id, year_id, cards, newest] = rest
  const names = { names: namesOf(name, aliases), hasAliases: aliases !== null }
  return {
    ...{ type: 'sets', id, name, key, ...names, audience, no, kind, parent },
    ...{ brand_id, manufacturer_id, genre_id, year_id, cards, newest },
  }
}

/** A row as a label. */
export const labelOfRow = ([type, id, name, key, aliases, audience]: LabelRow): KnownName => ({
  ...{ type, id, name, key, audience, names: namesOf(name, aliases), hasAliases: aliases !== null },
})

/** A select of the visible labels that meet a condition. */
export const labelsWhere = (condition: string) =>
  labelTypes
    .map(
      (type) => `select json_build_array('${type}', t.id, t.name, t.name_key, t.aliases, t.audience) as one
      from ${type} t where t.audience > 0 and ${condition}`,
    )
    .join(' union all ')
