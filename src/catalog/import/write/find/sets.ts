import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { columnNames } from '../../../model/record-columns.ts'
import type { SetRecord, SetState } from '../../../write/record.ts'
import type { SetItem } from '../../read/item.ts'
import { alikeKey, otherPlurals, otherSpellings, partKey, partSpellings, pluralKey } from '../../read/names/alike.ts'
import { genreKey } from '../../read/names/genres.ts'
import { isPartName, splitName } from '../../read/names/release-name.ts'
import { isFirstOf, readSeason } from '../../read/names/season.ts'

/**
 * A stored set, and the names in the file that match it. A lower `tier` is a better match; those of `pluralTier` only differ in a plural, those of
 * `partTier` in the base set in front.
 * `said` has what imports say of facts that somebody changed.
 */
export type FoundSet = SetRecord & {
  year: string | null
  genre: string | null
  said: Partial<Record<Fact, string | null>> | null
  wanted: { name: string; tier: number }[]
}

const pluralTier = 6
const partTier = 7

const columns = columnNames('sets').map((name) => `s.${name}`)

/**
 * Finds the sets that items may be: by id, by name, by one that looks the same, and, if no set has that name, by an alias or a
 * corrected name. Deleted sets are
 * only found by id.
 */
export const findSets = async (db: Pick<Database, 'sql'>, items: SetItem[], ids: string[]): Promise<FoundSet[]> => {
  const names = [...new Set(items.flatMap((item) => (item.id ? [] : [item.name])))]
  const parts = new Set(items.flatMap((item) => (item.id || item.parentKey === null ? [] : [item.name])))
  const matches = await findNames(db, names, parts)
  const wanted = Map.groupBy(matches, ({ id }) => id)
  const rows = await db.sql.unsafe<Omit<FoundSet, 'wanted'>[]>(
    `select s.id, s.no, s.live_cards, s.audience, ${columns.join(', ')}, s.deleted_at is not null as deleted, s.year_key as year,
       (select g.name from genres g where g.id = s.genre_id) as genre,
       (select jsonb_object_agg(c.field, c.said) from curated_fields c where c.object_id = s.id and c.object_type = 'sets') as said
     from sets s where s.id = any($1::uuid[]) order by s.no`,
    [arrayOf([...new Set([...ids, ...wanted.keys()])])],
    { prepare: true },
  )
  return rows.map((row) => ({ ...row, wanted: wanted.get(row.id) ?? [] }))
}

/** The sets that a dry run would create and that the items name. */
export const pretendedSets = (items: SetItem[], pretended: Map<string, FoundSet[]>): FoundSet[] => {
  const named = items.filter(({ id }) => !id)
  const keys = named.flatMap((item) =>
    [...new Set([item.name, ...otherPlurals(item.name), ...partSpellings(item.name)].map(alikeKey))].map((key) => ({
      ...{ key, item },
    })),
  )
  const byName = Map.groupBy(keys, ({ key }) => key)
  return [...byName].flatMap(([key, some]) =>
    (pretended.get(key) ?? []).map((set) => ({
      ...set,
      wanted: some.map(({ item: { name } }) => ({ name, tier: tierOfName(name, set.name) })),
    })),
  )
}

const tierOfName = (name: string, stored: string) =>
  name === stored ? 1 : name.toLowerCase() === stored.toLowerCase() ? 2 : tierOfAlike(name, stored)

const tierOfAlike = (name: string, stored: string) =>
  alikeKey(stored) === alikeKey(name) ? 4 : pluralKey(stored) === pluralKey(name) ? pluralTier : partTier

type Match = { id: string; name: string; tier: number }

const findNames = async (
  { sql }: Pick<Database, 'sql'>,
  names: string[],
  parts: ReadonlySet<string>,
): Promise<Match[]> => {
  if (names.length === 0) return []
  const exact = await sql<Match[]>`
    select s.id, w.name, case when s.name = w.name then 1 else 2 end as tier
    from unnest(${arrayOfTexts(names)}::text[]) as w (name)
    join sets s on s.name_key collate "C" = lower(w.name) collate "C" and s.audience >= 1
    union all
    select s.id, w.name, case when c.said #>> '{}' = w.name then 3 else 5 end
    from unnest(${arrayOfTexts(names)}::text[]) as w (name)
    join curated_fields c on c.field = 'name' and name_fold(c.said #>> '{}') collate "C" = name_fold(w.name) collate "C"
      and c.object_type = 'sets'
    join sets s on s.id = c.object_id and s.audience >= 1`
  const alike = await findAlike({ sql }, names, parts)
  const named = new Set(exact.flatMap(({ name, tier }) => (tier < 3 ? name : [])))
  const open = names.filter((name) => !named.has(name))
  if (open.length === 0) return [...exact, ...alike]
  const other = await sql<Match[]>`
    with w as materialized (select name, name_fold(name) as fold from unnest(${arrayOfTexts(open)}::text[]) as w (name))
    select s.id, w.name, case when w.name = any(string_to_array(s.aliases, chr(10))) then 3 else 5 end as tier
    from w join sets s on alias_folds(s.aliases) @> array[w.fold] and s.aliases is not null and s.audience >= 1`
  return [...exact, ...alike, ...other]
}

/**
 * Sets whose names look the same as the wanted ones, but for case and a plural at the end, and for `parts` the base set in front. An index has those
 * with a dash as they are without.
 */
const findAlike = async (
  { sql }: Pick<Database, 'sql'>,
  names: string[],
  parts: ReadonlySet<string>,
): Promise<Match[]> => {
  const spelled = names.flatMap((name) =>
    [name, ...otherSpellings(name), ...(parts.has(name) ? partSpellings(name) : otherPlurals(name))].map(
      (spelling) => ({
        ...{ name, spelling },
      }),
    ),
  )
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
  return rows.flatMap(({ id, stored, name }) =>
    partKey(stored) === partKey(name) ? [{ id, name, tier: tierOfAlike(name, stored) }] : [],
  )
}

/** What tells sets with the same name apart. */
const facts = ['parent_id', 'year_id', 'genre_id', 'brand_id', 'manufacturer_id'] as const
type Fact = (typeof facts)[number]

/** Whether a fact is a maker, which one file has in a column and another only guesses from the release's name. */
const isMaker = (fact: Fact) => fact === 'brand_id' || fact === 'manufacturer_id'

/**
 * The set that a name means, several that it could mean, or none; `own` is the one of these that says no more than the item. `alike` may be it
 * but for a plural, and `parts` but for the base set in front of a parallel.
 */
type Meant = {
  set?: FoundSet
  candidates: FoundSet[]
  own?: FoundSet | undefined
  alike: FoundSet[]
  parts?: FoundSet[]
}

/**
 * Finds the set of an item without an id: one that agrees in everything, or else by name with its parent or year, if nothing else
 * that both specify differs. A bare name that several sets have could be any of them, and a bare Base Set is no other game's.
 */
export const meantSet = (item: SetItem, state: SetState, found: FoundSet[]): Meant => {
  const named = found.filter((set) => !set.deleted && tierOf(set, item) < pluralTier)
  const all = setsAgreeing(item, state, named)
  const best = Math.min(...all.map((set) => tierOf(set, item)))
  const fitting = all.filter((set) => tierOf(set, item) === best)
  const isBare = item.parentKey === null && item.year === null
  const own = fitting.find((set) => facts.every((fact) => set[fact] === state[fact]))
  const exact = isBare ? undefined : own
  const isThere = fitting.some((set) => isSibling(set, state))
  const same = exact ?? (isBare || isThere ? undefined : named.find((set) => wasOnce(set, state)))
  if (isBare && item.genre === null && isPartName(item.name) && fitting.some(isPlaced))
    return { candidates: own ? fitting : fitting.filter(isPlaced), own, alike: [] }
  if (same || fitting.length === 1) return { set: same ?? fitting[0], candidates: [], alike: [] }
  if (fitting.length > 1) return { candidates: fitting, own, alike: [] }
  const plurals = setsAgreeing(
    item,
    state,
    found.filter((set) => !set.deleted && isSibling(set, state) && tierOf(set, item) === pluralTier),
  )
  const [only, ...others] = plurals.filter(({ kind }) => kind === 'parallel' && item.setKind === 'parallel')
  if (only && others.length === 0) return { set: only, candidates: [], alike: [] }
  const parts = setsAgreeing(
    item,
    state,
    found.filter(
      (set) =>
        !set.deleted &&
        isSibling(set, state) &&
        tierOf(set, item) === partTier &&
        (set.kind === 'parallel' || item.columnKind === 'parallel'),
    ),
  )
  return { candidates: [], alike: plurals, parts }
}

/**
 * Where a parallel is that a file has below a release and the catalog below the release's set Base, or the other way round: their cards are the
 * same. Null if it's nowhere, or where the file has it.
 */
export const placeBeside = (item: SetItem, { parent_id }: SetState, found: FoundSet[], besides: string[]) => {
  const isBelow = (id: string | null) =>
    found.some(
      (set) => !set.deleted && set.kind === 'parallel' && set.parent_id === id && tierOf(set, item) <= pluralTier,
    )
  return isBelow(parent_id) ? null : (besides.find(isBelow) ?? null)
}

/** Whether somebody changed a set that imports know by all of these facts: renamed it, or moved it to another release. */
const wasOnce = (set: FoundSet, state: SetState) =>
  set.said !== null && facts.every((fact) => (set.said?.[fact] === undefined ? set : set.said)[fact] === state[fact])

/** The sets that agree with an item: in all that tells sets apart, or as imports said it of them, or else with the year in its name. */
const setsAgreeing = (item: SetItem, state: SetState, sets: FoundSet[]): FoundSet[] => {
  const agreeing = (is: typeof agrees) => sets.filter((set) => facts.every((fact) => is(set, state, fact, item)))
  for (const is of [agrees, agreedOnce, agreesInName]) {
    const some = agreeing(is)
    if (some.length > 0) return some
  }
  return []
}

/** Whether a set is below the parent that an item has. */
const isSibling = ({ parent_id }: FoundSet, state: SetState) => parent_id !== null && parent_id === state.parent_id

/** Whether a set says what release or game it belongs to. */
const isPlaced = ({ year_id, genre_id, parent_id }: FoundSet) => (year_id ?? genre_id ?? parent_id) !== null

const tierOf = ({ wanted }: FoundSet, { name }: SetItem) => wanted.find((one) => one.name === name)?.tier ?? 9

/**
 * Whether a stored set agrees with an item. If the item has a parent or a year, the set must have the same, except that below a
 * given parent, a set without a year agrees, too. Genre and makers agree if one of the two has none; below one parent, makers do.
 */
const agrees = (set: FoundSet, state: SetState, fact: Fact, item: SetItem) => {
  const [stored, said] = [set[fact], state[fact]]
  if (stored === said) return true
  if (fact === 'parent_id') return said === null && item.parentKey === null
  if (fact === 'genre_id' && set.genre !== null && item.genre !== null && genreKey(set.genre) === genreKey(item.genre))
    return true
  if (said === null || (isMaker(fact) && isSibling(set, state))) return true
  if (fact === 'year_id' && isSibling(set, state) && isPartOfYear(set, item)) return true
  return stored === null && (fact !== 'year_id' || state.parent_id !== null)
}

/** Whether one of a set and an item has the first year of the other's season. Below one release, they are the same year. */
const isPartOfYear = ({ year }: Pick<FoundSet, 'year'>, item: Pick<SetItem, 'year'>) =>
  isFirstYear(item.year, year) || isFirstYear(year, item.year)

/** Whether a year is the first of a season, however both are written. */
export const isFirstYear = (year: string | null, season: string | null): boolean =>
  year !== null && season !== null && isFirstOf(readSeason(year), readSeason(season))

/** A set's year once an item says another: a season goes before its first year. */
export const longerYear = (stored: string | null, said: string | null) =>
  isFirstYear(said, stored) ? stored : (said ?? stored)

/** The same, with what imports say of a set where somebody changed it: moved it to another release, say. */
const agreedOnce = (set: FoundSet, state: SetState, fact: Fact, item: SetItem) =>
  agrees(set, state, fact, item) ||
  (set.said?.[fact] !== undefined && agrees({ ...set, ...set.said }, state, fact, item))

/** The same, where a set without a year has the item's in its name: 1989 Upper Deck. */
const agreesInName = (set: FoundSet, state: SetState, fact: Fact, item: SetItem) =>
  agrees(set, state, fact, item) ||
  (fact === 'year_id' &&
    set.year_id === null &&
    item.year !== null &&
    splitName(item.name).year === readSeason(item.year))

/** Whether two new sets may be the same, so that the second has to be looked up after the first is created. */
export const mayBeOne = (one: SetState, other: SetState) =>
  (alikeKey(one.name) === alikeKey(other.name) ||
    (one.parent_id !== null && one.parent_id === other.parent_id && partKey(one.name) === partKey(other.name))) &&
  facts.every(
    (fact) =>
      one[fact] === other[fact] ||
      one[fact] === null ||
      other[fact] === null ||
      (isMaker(fact) && one.parent_id !== null && one.parent_id === other.parent_id),
  )
