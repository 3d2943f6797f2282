import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import type { EntityType } from '../../../write/record.ts'
import { otherSeasons } from '../../read/names/season.ts'
import type { Session, Standing } from '../session.ts'

/** The types that checklists refer to by name. */
export type NamedType = Exclude<EntityType, 'playerteams'>

/** Ids by name. If several records match a name equally well, it has several. */
export type Found = Map<string, string[]>

/** A record that an import knew by the wanted name, and that somebody has renamed since. */
export type Corrected = { id: string; wanted: string; name: string }

type Db = Pick<Database, 'sql'>
type Row = { wanted: string; id: string; tier: number; corrected?: string | null }

/**
 * Finds live records by name (decisions.md §14): by their own name, then by an alias, a merged name or a corrected name. Each is
 * matched exactly first, and then in folded form, as for duplicates. Own names and aliases that differ only in dashes come last. `folds`
 * collects the folded forms of names without an exact match.
 */
export const findRecords = async (
  db: Db,
  type: NamedType,
  names: string[],
  session: Session,
  folds: Folds,
  exactCodes: ReadonlySet<string>,
): Promise<{ found: Found; corrected: Corrected[] }> => {
  const found = await findExact(db, type, names, exactCodes)
  if (type === 'years') await addOtherSeasons(db, names, found)
  const corrected: Corrected[] = []
  const open = names.filter((name) => !found.has(name))
  if (open.length === 0) return { found, corrected }
  await foldNames(db, type, open, folds, exactCodes)
  const rows = await (type === 'attributes' ? findMergedCodes(db, open, session) : findOther(db, type, open, folds))
  const best = new Map<string, number>()
  for (const { wanted, tier } of rows) best.set(wanted, Math.min(tier, best.get(wanted) ?? tier))
  for (const { wanted, id, tier, corrected: name } of rows) {
    if (tier !== best.get(wanted)) continue
    found.set(wanted, [...new Set([...(found.get(wanted) ?? []), id])])
    if (name) corrected.push({ id, wanted, name })
  }
  return { found, corrected }
}

/** Adds years that are stored in another spelling: `2023/24`. */
const addOtherSeasons = async (db: Db, names: string[], found: Found) => {
  const spelled = names.flatMap((name) =>
    found.has(name) ? [] : otherSeasons(name).map((spelling) => ({ name, spelling })),
  )
  if (spelled.length === 0) return
  const others = await findExact(
    db,
    'years',
    spelled.map(({ spelling }) => spelling),
    new Set(),
  )
  for (const { name, spelling } of spelled) {
    const ids = others.get(spelling)
    if (ids && !found.has(name)) found.set(name, ids)
  }
}

/** Labels and codes are found exactly first, then regardless of case. Players and teams are found exactly. */
const isExact = (type: NamedType) => type === 'players' || type === 'teams'

/** Uses the database's lower case, as the index does. Ids grow with time, so the oldest record comes first. */
const findExact = async (
  { sql }: Db,
  type: NamedType,
  names: string[],
  exactCodes: ReadonlySet<string>,
): Promise<Found> => {
  const column = type === 'attributes' ? 'attribute' : 'name'
  const rows = await sql<{ id: string; name: string; wanted: string }[]>`
    select e.id, e.${sql(column)} as name, w.name as wanted
    from unnest(${arrayOfTexts(names)}::text[]) as w (name)
    join ${sql(type)} e on e.${sql(`${column}_key`)} collate "C" = lower(w.name) collate "C" and e.audience >= 1
    order by e.id`
  const found: Found = new Map()
  for (const { id, name, wanted } of rows) if (name === wanted) found.set(wanted, [...(found.get(wanted) ?? []), id])
  if (isExact(type)) return found
  const isOther = (wanted: string) => found.has(wanted) || (type === 'attributes' && exactCodes.has(wanted))
  for (const { id, wanted } of rows) if (!isOther(wanted)) found.set(wanted, [id])
  return found
}

/** There are only a few years and genres, so they have no column for it. */
const foldedOf = (type: NamedType) => (type === 'years' || type === 'genres' ? 'name_fold(e.name)' : 'e.folded')

const findOther = ({ sql }: Db, type: NamedType, names: string[], folds: Folds) => sql<Row[]>`
  with w as materialized (
    select name, fold
    from unnest(${arrayOfTexts(names)}::text[], ${arrayOfTexts(names.map((name) => folds.get(name) as string))}::text[])
      as w (name, fold)
  )
  select w.name as wanted, e.id, case when w.name = any(string_to_array(e.aliases, chr(10))) then 2 else 4 end as tier,
    null as corrected
  from w join ${sql(type)} e on alias_folds(e.aliases) @> array[w.fold] and e.aliases is not null and e.audience >= 1
  union all
  select w.name, e.id, case when c.said #>> '{}' = w.name then 2 else 4 end, e.name
  from w join curated_fields c on c.field = 'name' and name_fold(c.said #>> '{}') collate "C" = w.fold collate "C"
    and c.object_type = ${type}
  join ${sql(type)} e on e.id = c.object_id and e.audience >= 1
  union all
  select w.name, e.id, 3, null
  from w join ${sql(type)} e on ${sql.unsafe(foldedOf(type))} collate "C" = w.fold collate "C" and e.audience >= 1
  ${sql.unsafe(hasUndashed.has(type) ? undashed(type) : '')}
  order by 2`

/** The types whose names are also found with a dash where there is a space or nothing, or the other way round. */
const hasUndashed: ReadonlySet<NamedType> = new Set(['players', 'teams', 'brands', 'manufacturers', 'genres'])

/** Records whose names or aliases differ only in dashes: Ha-Seong Kim, Ha Seong Kim. Indexes have those with a dash. */
const undashed = (type: NamedType) => `
  union all
  select w.name, e.id, 5, null
  from w join ${type} e on ${foldedOf(type)} collate "C" = replace(w.fold, '-', '') collate "C"
    and w.fold like '%-%' and e.audience >= 1
  union all
  select w.name, e.id, 5, null
  from w join ${type} e on replace(${foldedOf(type)}, '-', '') collate "C" = replace(w.fold, '-', '') collate "C"
    and ${foldedOf(type)} like '%-%' and e.audience >= 1
  union all
  select w.name, e.id, 6, null
  from w join ${type} e on alias_folds(e.aliases) @> array[replace(w.fold, '-', '')] and e.aliases is not null
    and w.fold like '%-%' and e.audience >= 1
  union all
  select w.name, e.id, 6, null
  from w join ${type} e on alias_folds(replace(e.aliases, '-', '')) @> array[replace(w.fold, '-', '')]
    and e.aliases like '%-%' and e.audience >= 1`

/** The form in which spellings of a new name are one. */
export const foldOfNew = (type: NamedType, fold: string) =>
  hasUndashed.has(type) ? fold.replaceAll('-', '') || fold : fold

/** Folded forms by name. Codes are only folded in case, those of catalogs not at all. */
export type Folds = Map<string, string>

/** Adds the folded forms of names that it doesn't have. */
export const foldNames = async (
  { sql }: Db,
  type: NamedType,
  all: string[],
  folds: Folds,
  exactCodes: ReadonlySet<string>,
) => {
  const names = all.filter((name) => !folds.has(name))
  if (names.length === 0) return
  const rows =
    type === 'attributes'
      ? names.map((name) => ({ fold: exactCodes.has(name) ? name : name.toLowerCase() }))
      : await sql<{ fold: string }[]>`
          select name_fold(name) as fold
          from unnest(${arrayOfTexts(names)}::text[]) with ordinality as w (name, at) order by at`
  for (const [at, { fold }] of rows.entries()) folds.set(names[at] as string, fold)
}

/** Codes have no aliases, so a merged code is found through its redirect. */
const findMergedCodes = async ({ sql }: Db, names: string[], { hasMerges }: Session): Promise<Row[]> =>
  hasMerges
    ? await sql<Row[]>`
        select w.name as wanted, e.id, 2 as tier
        from unnest(${arrayOfTexts(names)}::text[]) as w (name)
        join attributes old on lower(old.attribute) = lower(w.name) and old.audience = 0
        join redirects r on r.id = old.id
        join attributes e on e.id = merged_into(old.id) and e.audience >= 1
        order by 2`
    : []

/** What tells a player or team apart from namesakes: how many cards it has, in which genres and years, and a player's teams. */
export type Candidate = { id: string; cards: number; genres: Set<string>; years: number[]; teams?: Set<string> }

/** Reads players or teams that share a name. */
export const readCandidates = async (
  { sql }: Db,
  type: 'players' | 'teams',
  ids: string[],
): Promise<Map<string, Candidate>> => {
  const [side, lists] = type === 'players' ? ['o.player_id', 'o.lists_player'] : ['o.team_id', 'o.lists_team']
  const rows = await sql.unsafe<{ id: string; genre_id: string | null; year: number | null; cards: number }[]>(
    `select ${side} as id, s.genre_id, substring(s.year_key from '[0-9]{4}')::int as year, count(*)::int as cards
     from oncard o join sets s on s.no = o.set_no and s.audience >= 1
     where ${side} = any($1::uuid[]) and ${lists} group by 1, 2, 3`,
    [arrayOf(ids)],
    { prepare: true },
  )
  const candidates = new Map(ids.map((id): [string, Candidate] => [id, { id, cards: 0, genres: new Set(), years: [] }]))
  for (const { id, genre_id, year, cards } of rows) {
    const one = candidates.get(id)
    if (!one) continue
    one.cards += cards
    if (genre_id) one.genres.add(genre_id)
    if (year) one.years.push(year)
  }
  return candidates
}

/** Adds the teams of players that share a name. */
export const addTeams = async ({ sql }: Db, candidates: Map<string, Candidate>) => {
  if (candidates.size === 0) return
  const rows = await sql<{ player: string; team: string }[]>`
    select player_id as player, team_id as team from player_teams
    where player_id = any(${arrayOf([...candidates.keys()])}::uuid[]) and audience >= 1`
  for (const { player, team } of rows) {
    const candidate = candidates.get(player)
    if (candidate) candidate.teams = (candidate.teams ?? new Set()).add(team)
  }
}

/**
 * Chooses among namesakes: those with cards in the set's genre first, then those with cards nearest to its year. If several remain,
 * takes the one with the most cards, then the oldest, and sets `isAmbiguous`.
 */
export const chooseAmong = (candidates: Candidate[], { genreId, year }: Standing) => {
  const inGenre = genreId ? candidates.filter(({ genres }) => genres.has(genreId)) : []
  const left = inGenre.length > 0 ? inGenre : candidates
  const far = ({ years }: Candidate) =>
    year === null ? 0 : years.reduce((least, one) => Math.min(least, Math.abs(one - year)), Number.POSITIVE_INFINITY)
  const nearest = Math.min(...left.map(far))
  const near = left.filter((one) => far(one) === nearest)
  const [first] = near.toSorted((a, b) => b.cards - a.cards || (a.id < b.id ? -1 : 1))
  return { id: (first as Candidate).id, isAmbiguous: near.length > 1, among: near.map(({ id }) => id) }
}
