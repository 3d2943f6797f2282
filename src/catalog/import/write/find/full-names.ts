import { arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import type { SetItem } from '../../read/item.ts'
import { alikeKey } from '../../read/names/alike.ts'
import { genres } from '../../read/names/genres.ts'
import { splitName } from '../../read/names/release-name.ts'
import { readSeason } from '../../read/names/season.ts'

/** A set by all that names it: its name behind its parents', its year, makers and genre. */
export type FullName = Pick<SetItem, 'name' | 'year' | 'manufacturer' | 'brand' | 'genre'> & { above: string | null }

/**
 * Whether two sets are one whose year, makers or parent stand in the name of one and in columns of the other: Autographs below
 * 2024 Topps Chrome Baseball, and 2024 Topps Chrome Baseball Autographs; Prizm Basketball of 2023-24 by Panini, and 2023-24 Panini
 * Prizm Basketball. `maybe`: all but the genre, which one of them doesn't say.
 */
const areOneSet = (one: FullName, other: FullName): boolean | 'maybe' => {
  if (one.above !== null || other.above !== null)
    return one.above === null || other.above === null ? areOneBelow(one, other) : false
  const [a, b] = [partsOf(one), partsOf(other)]
  const areLike =
    a.year !== null &&
    a.year === b.year &&
    (a.maker === null || b.maker === null || a.maker.startsWith(b.maker) || b.maker.startsWith(a.maker)) &&
    a.products.some((product) => b.products.includes(product))
  if (!areLike || a.genre === b.genre) return areLike
  return a.genre === null || b.genre === null ? 'maybe' : false
}

/** The same for a set below a parent and one whose name begins with the parent's. */
const areOneBelow = (one: FullName, other: FullName): boolean | 'maybe' => {
  const [years, keys] = [
    [one, other].map((each) => splitName(each.above ?? each.name).year ?? (each.year && readSeason(each.year))),
    [one, other].map(fullKeys),
  ]
  if (!keys[0]?.some((key) => keys[1]?.includes(key))) return false
  if (years[0] === years[1]) return true
  return years.includes(null) ? 'maybe' : false
}

/** A set's name behind its parent's, also with its year in front. */
const fullKeys = ({ above, name, year }: FullName) => {
  const full = above === null ? name : `${above} ${name}`
  return year && !splitName(full).year ? [full, `${year} ${full}`].map(alikeKey) : [alikeKey(full)]
}

const partsOf = ({ name, year, manufacturer, brand, genre }: FullName) => {
  const said = splitName(name)
  const product = alikeKey(said.product)
  const makers = [brand, manufacturer].flatMap((maker) => (maker ? alikeKey(maker) : []))
  const products = [product]
  for (const maker of makers)
    products.push(...products.flatMap((text) => (`${text} `.startsWith(`${maker} `) ? [] : `${maker} ${text}`)))
  return {
    year: said.year ?? (year && readSeason(year)),
    genre: alikeOrNull(said.genre ?? genre),
    maker: alikeOrNull(manufacturer ?? brand),
    products,
  }
}

const alikeOrNull = (text: string | null) => text && alikeKey(text)

/** Sets that one with a full name is, and those that it may be. */
export type FullNamed = { sure: string[]; maybe: string[] }

const among = (one: FullName, others: { name: FullName; id: string }[]): FullNamed => {
  const is = (wanted: true | 'maybe') => [
    ...new Set(others.flatMap(({ name, id }) => (areOneSet(one, name) === wanted ? id : []))),
  ]
  return { sure: is(true), maybe: is('maybe') }
}

/** Sets by their full names: `find` gives those that another name means. */
export const beginFullNames = () => {
  const byKey = new Map<string, { name: FullName; id: string }[]>()
  return {
    add: (name: FullName, id: string) => {
      for (const key of keysOf(name)) byKey.set(key, [...(byKey.get(key) ?? []), { name, id }])
    },
    find: (one: FullName): FullNamed =>
      among(
        one,
        keysOf(one).flatMap((key) => byKey.get(key) ?? []),
      ),
  }
}
export type FullNames = ReturnType<typeof beginFullNames>

/** Keys of which two names of one set have one in common. */
const keysOf = (one: FullName): string[] => {
  const { year, products } = partsOf(one)
  return [...fullKeys(one), ...(one.above === null && year ? products.map((product) => `${year}\0${product}`) : [])]
}

type Stored = FullName & { id: string; wanted: string }

/** Finds live sets that are sets of a file under another name (`areOneSet`): by the file's. */
export const findFullNamed = async (
  { sql }: Pick<Database, 'sql'>,
  asked: FullName[],
): Promise<Map<FullName, FullNamed>> => {
  const names = asked.flatMap((one, at) => {
    const full = one.above === null ? one.name : `${one.above} ${one.name}`
    const other = splitName(full).year ? full.split(' ').slice(1).join(' ') : `${one.year ?? ''} ${full}`.trim()
    return [...new Set([full, other, ...endsOf(one)])].map((name) => ({ at: String(at), full, name }))
  })
  if (names.length === 0) return new Map()
  const rows = await sql<Stored[]>`
    with w as materialized (
      select at, replace(name_fold(full_name), '-', '') as full, replace(name_fold(name), '-', '') as fold
      from unnest(${arrayOfTexts(names.map(({ at }) => at))}::text[], ${arrayOfTexts(names.map(({ full }) => full))}::text[],
        ${arrayOfTexts(names.map(({ name }) => name))}::text[]) as w (at, full_name, name)
    )
    , named as (
      select w.at, w.full, s.id from w join sets s on s.folded collate "C" = w.fold collate "C" and s.audience >= 1
      union
      select w.at, w.full, s.id from w join sets s on replace(s.folded, '-', '') collate "C" = w.fold collate "C"
        and s.folded like '%-%' and s.audience >= 1
    )
    select distinct n.at as wanted, s.id, s.name, p.name as above, y.name as year, m.name as manufacturer, b.name as brand,
      g.name as genre
    from named n join sets s on s.id = n.id
    left join sets p on p.id = s.parent_id
    left join years y on y.id = s.year_id left join manufacturers m on m.id = s.manufacturer_id
    left join brands b on b.id = s.brand_id left join genres g on g.id = s.genre_id
    where p.id is null or n.full in (replace(p.folded || s.folded, '-', ''), replace(name_fold(y.name) || p.folded || s.folded, '-', ''))`
  const byAsked = Map.groupBy(rows, ({ wanted }) => Number(wanted))
  return new Map(
    asked.map((one, at) => [
      one,
      among(
        one,
        (byAsked.get(at) ?? []).map((row) => ({ name: row, id: row.id })),
      ),
    ]),
  )
}

/** What a set may be called whose year, makers, genre or parent aren't in its name, or are. */
const endsOf = (one: FullName): string[] => {
  if (one.above !== null) return []
  const { year, product, genre } = splitName(one.name)
  const words = one.name.split(' ')
  const ends = words.slice(1, 12).map((_, at) => words.slice(at + 1).join(' '))
  if (!year && !one.year) return ends
  const season = year ?? one.year
  const makers = [one.brand, one.manufacturer].flatMap((maker) => maker ?? [])
  const heads = ['', ...makers, ...(makers.length > 1 ? [makers.toReversed().join(' ')] : [])]
  const products = heads.flatMap((head) => [
    `${head} ${product}`.trim(),
    `${season} ${head} ${product}`.replace(/ +/g, ' '),
  ])
  const bare = genre ? ends.map((end) => end.slice(0, -genre.length).trim()).filter((end) => end !== '') : []
  const said = [...new Set([genre, one.genre].flatMap((each) => each ?? []))]
  const last = said.length > 0 ? said : genres
  return [...ends, ...bare, ...products, ...products.flatMap((each) => last.map((word) => `${each} ${word}`))]
}
