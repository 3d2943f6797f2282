import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { columnNames } from '../../../model/record-columns.ts'
import type { SetRecord, SetState } from '../../../write/record.ts'
import type { SetItem } from '../../read/item.ts'
import { alikeKey, otherSpellings } from '../../read/names/alike.ts'
import { isPartName, splitName } from '../../read/names/release-name.ts'
import { readSeason } from '../../read/names/season.ts'

/** A stored set, and the names in the file that match it. A lower `tier` is a better match. */
export type FoundSet = SetRecord & { year: string | null; wanted: { name: string; tier: number }[] }

const columns = columnNames('sets').map((name) => `s.${name}`)

/**
 * Finds the sets that items may be: by id, by name, by one that looks the same, and, if no set has that name, by an alias or a
 * corrected name. Deleted sets are
 * only found by id.
 */
export const findSets = async (db: Pick<Database, 'sql'>, items: SetItem[], ids: string[]): Promise<FoundSet[]> => {
  const names = [...new Set(items.flatMap((item) => (item.id ? [] : [item.name])))]
  const matches = await findNames(db, names)
  const wanted = Map.groupBy(matches, ({ id }) => id)
  const rows = await db.sql.unsafe<(SetRecord & { year: string | null })[]>(
    `select s.id, s.no, s.live_cards, s.audience, ${columns.join(', ')}, s.deleted_at is not null as deleted, s.year_key as year
     from sets s where s.id = any($1::uuid[]) order by s.no`,
    [arrayOf([...new Set([...ids, ...wanted.keys()])])],
    { prepare: true },
  )
  return rows.map((row) => ({ ...row, wanted: wanted.get(row.id) ?? [] }))
}

/** The sets that a dry run would create and that the items name. */
export const pretendedSets = (items: SetItem[], pretended: Map<string, FoundSet[]>): FoundSet[] => {
  const named = items.filter(({ id }) => !id)
  const byName = Map.groupBy(named, ({ name }) => alikeKey(name))
  return [...byName].flatMap(([key, some]) =>
    (pretended.get(key) ?? []).map((set) => ({
      ...set,
      wanted: some.map(({ name }) => ({ name, tier: tierOfName(name, set.name) })),
    })),
  )
}

const tierOfName = (name: string, stored: string) =>
  name === stored ? 1 : name.toLowerCase() === stored.toLowerCase() ? 2 : 4

type Match = { id: string; name: string; tier: number }

const findNames = async ({ sql }: Pick<Database, 'sql'>, names: string[]): Promise<Match[]> => {
  if (names.length === 0) return []
  const exact = await sql<Match[]>`
    select s.id, w.name, case when s.name = w.name then 1 else 2 end as tier
    from unnest(${arrayOfTexts(names)}::text[]) as w (name)
    join sets s on s.name_key collate "C" = lower(w.name) collate "C" and s.audience >= 1`
  const alike = await findAlike({ sql }, names)
  const named = new Set(exact.map(({ name }) => name))
  const open = names.filter((name) => !named.has(name))
  if (open.length === 0) return [...exact, ...alike]
  const other = await sql<Match[]>`
    with w as materialized (select name, name_fold(name) as fold from unnest(${arrayOfTexts(open)}::text[]) as w (name))
    select s.id, w.name, case when w.name = any(string_to_array(s.aliases, chr(10))) then 3 else 5 end as tier
    from w join sets s on alias_folds(s.aliases) @> array[w.fold] and s.aliases is not null and s.audience >= 1
    union all
    select s.id, w.name, case when c.said #>> '{}' = w.name then 3 else 5 end
    from w join curated_fields c on c.field = 'name' and name_fold(c.said #>> '{}') collate "C" = w.fold collate "C"
      and c.object_type = 'sets'
    join sets s on s.id = c.object_id and s.audience >= 1`
  return [...exact, ...alike, ...other]
}

/** Sets whose names look the same as the wanted ones, but for case. An index has those with a dash as they are without. */
const findAlike = async ({ sql }: Pick<Database, 'sql'>, names: string[]): Promise<Match[]> => {
  const spelled = names.flatMap((name) => [name, ...otherSpellings(name)].map((spelling) => ({ name, spelling })))
  const rows = await sql<{ id: string; stored: string; name: string }[]>`
    with w as materialized (
      select name, replace(name_fold(spelling), '-', '') as fold
      from unnest(${arrayOfTexts(spelled.map(({ name }) => name))}::text[],
        ${arrayOfTexts(spelled.map(({ spelling }) => spelling))}::text[]) as w (name, spelling)
    )
    select s.id, s.name as stored, w.name
    from w join sets s on s.folded collate "C" = w.fold collate "C" and s.audience >= 1 and s.name_key <> lower(w.name)
    union
    select s.id, s.name, w.name
    from w join sets s on replace(s.folded, '-', '') collate "C" = w.fold collate "C" and s.folded like '%-%'
      and s.audience >= 1 and s.name_key <> lower(w.name)`
  return rows.flatMap(({ id, stored, name }) => (alikeKey(stored) === alikeKey(name) ? [{ id, name, tier: 4 }] : []))
}

/** What tells sets with the same name apart. */
const facts = ['parent_id', 'year_id', 'genre_id', 'brand_id', 'manufacturer_id'] as const
type Fact = (typeof facts)[number]

/** The set that a name means, several that it could mean, or none. */
type Meant = { set?: FoundSet; candidates: FoundSet[] }

/**
 * Finds the set of an item without an id: one that agrees in everything, or else by name with its parent or year, if nothing else
 * that both specify differs. A bare name that several sets have could be any of them, and a bare Base Set is no other game's.
 */
export const meantSet = (item: SetItem, state: SetState, found: FoundSet[]): Meant => {
  const named = found.filter(({ deleted, wanted }) => !deleted && wanted.some(({ name }) => name === item.name))
  const sure = named.filter((set) => facts.every((fact) => agrees(set, state, fact, item)))
  const all =
    sure.length > 0 ? sure : named.filter((set) => facts.every((fact) => agreesInName(set, state, fact, item)))
  const best = Math.min(...all.map((set) => tierOf(set, item)))
  const fitting = all.filter((set) => tierOf(set, item) === best)
  const isBare = item.parentKey === null && item.year === null
  const same = isBare ? undefined : fitting.find((set) => facts.every((fact) => set[fact] === state[fact]))
  if (isBare && item.genre === null && isPartName(item.name) && fitting.some(isPlaced)) return { candidates: fitting }
  if (same || fitting.length < 2) return { set: same ?? fitting[0], candidates: [] }
  return { candidates: fitting }
}

/** Whether a set says what release or game it belongs to. */
const isPlaced = ({ year_id, genre_id, parent_id }: FoundSet) => (year_id ?? genre_id ?? parent_id) !== null

const tierOf = ({ wanted }: FoundSet, { name }: SetItem) => wanted.find((one) => one.name === name)?.tier ?? 9

/**
 * Whether a stored set agrees with an item. If the item has a parent or a year, the set must have the same, except that below a
 * given parent, a set without a year agrees, too. Genre and makers agree if one of the two has none.
 */
const agrees = (set: FoundSet, state: SetState, fact: Fact, item: SetItem) => {
  const [stored, said] = [set[fact], state[fact]]
  if (stored === said) return true
  if (fact === 'parent_id') return said === null && item.parentKey === null
  if (said === null) return true
  return stored === null && (fact !== 'year_id' || state.parent_id !== null)
}

/** The same, where a set without a year has the item's in its name: 1989 Upper Deck. */
const agreesInName = (set: FoundSet, state: SetState, fact: Fact, item: SetItem) =>
  agrees(set, state, fact, item) ||
  (fact === 'year_id' &&
    set.year_id === null &&
    item.year !== null &&
    splitName(item.name).year === readSeason(item.year))

/** Whether two new sets may be the same, so that the second has to be looked up after the first is created. */
export const mayBeOne = (one: SetState, other: SetState) =>
  alikeKey(one.name) === alikeKey(other.name) &&
  facts.every((fact) => one[fact] === other[fact] || one[fact] === null || other[fact] === null)
