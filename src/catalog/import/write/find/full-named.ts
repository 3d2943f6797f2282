import { arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { alikeKey, partSpellings } from '../../read/names/alike.ts'
import { genres } from '../../read/names/genres.ts'
import { splitName } from '../../read/names/release-name.ts'
import { seasonsBeside } from '../../read/names/season.ts'
import type { Known } from '../lookup-cache.ts'
import { behindDash, type FullName, type LikeNamed, likeNamed, partsOf } from './full-names.ts'

type Stored = FullName & { id: string; wanted: string }

/**
 * Finds live sets that are sets of a file under another name, or may be: by the file's. They are also known by what imports called them, and in a
 * dry run by the year and sport that it would give them.
 */
export const findFullNamed = async (
  { sql }: Pick<Database, 'sql'>,
  asked: FullName[],
  pretended: Known['pretendedChanges'],
): Promise<Map<FullName, LikeNamed[]>> => {
  const looks = asked.flatMap((one, at) => looksFor(one).map((look) => ({ at: String(at), ...look })))
  if (looks.length === 0) return new Map()
  const texts = (key: 'at' | 'full' | 'season' | 'head' | 'rest' | 'tails') =>
    arrayOfTexts(looks.map((look) => look[key]))
  const rows = await sql<Stored[]>`
    with l as materialized (
      select at, season, replace(name_fold(full_name), '-', '') as full, name_fold(head) as head, name_fold(rest) as rest, tails
      from unnest(${texts('at')}::text[], ${texts('full')}::text[], ${texts('season')}::text[], ${texts('head')}::text[],
        ${texts('rest')}::text[], ${texts('tails')}::text[]) as l (at, full_name, season, head, rest, tails)
    ),
    w as materialized (
      select at, season, l.full, head || rest as said, replace(head || rest, '-', '') as fold from l
      union
      select at, season, l.full, null, replace(head || tail || rest, '-', '')
      from l cross join lateral unnest(string_to_array(tails, ',')) as t (tail)
    ),
    named as (
      select w.at, w.season, w.full, s.id, s.name from w
      join sets s on s.folded collate "C" = w.fold collate "C" and s.audience >= 1
      union
      select w.at, w.season, w.full, s.id, s.name from w
      join sets s on replace(s.folded, '-', '') collate "C" = w.fold collate "C" and s.folded like '%-%' and s.audience >= 1
      union
      select w.at, w.season, w.full, s.id, c.said #>> '{}' from w
      join curated_fields c on c.field = 'name' and name_fold(c.said #>> '{}') collate "C" = w.said collate "C"
        and c.object_type = 'sets'
      join sets s on s.id = c.object_id and s.audience >= 1
    )
    select distinct n.at as wanted, s.id, n.name, p.name as above, y.name as year, m.name as manufacturer, b.name as brand,
      g.name as genre
    from named n join sets s on s.id = n.id
    cross join lateral (
      select s.parent_id as id
      union
      select (c.said #>> '{}')::uuid from curated_fields c
      where c.object_id = s.id and c.object_type = 'sets' and c.field = 'parent_id'
    ) a
    left join lateral (
      select p.name from sets p where p.id = a.id
      union
      select c.said #>> '{}' from curated_fields c where c.object_id = a.id and c.object_type = 'sets' and c.field = 'name'
    ) p on true
    left join years y on y.id = s.year_id left join manufacturers m on m.id = s.manufacturer_id
    left join brands b on b.id = s.brand_id left join genres g on g.id = s.genre_id
    where p.name is null or n.season in (left(p.name, 4), left(y.name, 4))
      or n.full in (replace(name_fold(p.name || n.name), '-', ''), replace(name_fold(y.name || p.name || n.name), '-', ''))`
  const byAsked = Map.groupBy(rows, ({ wanted }) => Number(wanted))
  return new Map(
    asked.map((one, at) => [
      one,
      likeNamed(
        one,
        (byAsked.get(at) ?? []).map((row) => {
          const { year = row.year, genre = row.genre } = pretended.get(row.id) ?? {}
          return { name: { ...row, year, genre }, id: row.id }
        }),
      ),
    ]),
  )
}

/** Names to look for: `head` and `rest`, also with each of the sports in `tails` between them. */
type Look = { full: string; season: string; head: string; rest: string; tails: string }

/** What a set may be called whose year, makers, sport or parent aren't in its name, or are. */
const looksFor = (one: FullName): Look[] => {
  const { above, name } = one
  const full = above === null ? name : `${above} ${name}`
  const { year, genre, releases, products } = partsOf(one)
  const said = genre === null ? sports : [genre.replaceAll(' ', '')]
  const words = full.split(' ')
  const ends = above === null ? words.slice(1, 12).map((_, at) => words.slice(at + 1).join(' ')) : [name]
  const last = splitName(full).genre
  const bare = last ? ends.map((end) => end.slice(0, -last.length).trim()) : []
  const seasons = ['', ...seasonsBeside(year)]
  const without = products.flatMap((product) => [0, 1, 2, 3].map((count) => product.split(' ').slice(count).join(' ')))
  const other = splitName(full).year ? words.slice(1).join(' ') : `${one.year ?? ''} ${full}`.trim()
  const look = (head: string, rest = '', tails: readonly string[] = []) => ({ head, rest, tails: tails.join(',') })
  const looks = [
    ...[name, full, other, ...ends, ...bare].map((text) => look(text)),
    ...partsIn(one).map((text) => look(text)),
    ...(year === null ? [] : seasons.flatMap((season) => without.map((each) => look(`${season} ${each}`, '', said)))),
    ...(above === null || year === null
      ? []
      : seasons.flatMap((season) => releases.map((release) => look(`${season} ${release}`, name, said)))),
  ]
  const once = new Map(looks.filter(({ head }) => head.trim() !== '').map((each) => [JSON.stringify(each), each]))
  return [...once.values()].map((each) => ({ ...each, full, season: year?.slice(0, 4) ?? '' }))
}

/** What the part of a release may be called otherwise, behind the release or alone as the other file does it. */
const partsIn = ({ above, name }: FullName) =>
  above === null
    ? behindDash(name).flatMap(({ part }) => [part, ...partSpellings(part)])
    : partSpellings(name).map((part) => `${above} ${part}`)

/** The sports as they are folded. */
const sports = genres.map((genre) => alikeKey(genre).replaceAll(' ', ''))
