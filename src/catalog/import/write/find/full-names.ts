import type { SetItem } from '../../read/item.ts'
import { alikeKey, partKey } from '../../read/names/alike.ts'
import { findGenre, genreKey } from '../../read/names/genres.ts'
import { isOfGame, isPartName, splitName } from '../../read/names/release-name.ts'
import { isFirstOf, readSeason } from '../../read/names/season.ts'
import { longerYear } from './sets.ts'

/** A set by all that names it: its name behind its parents', its year, makers and genre. */
export type FullName = Pick<SetItem, 'name' | 'year' | 'manufacturer' | 'brand' | 'genre'> & { above: string | null }

/**
 * What a set is to another one. `likely`: it is the same if they have a card in common. `maybe`: if they have two. `other`: it has the
 * same name and year, and another sport or maker.
 */
const likenesses = ['other', 'maybe', 'likely', 'same'] as const
type Likeness = (typeof likenesses)[number]

/** A set that one with a full name is, or may be. */
export type LikeNamed = { id: string; name: string; year: string | null; is: Likeness }

/**
 * Whether two sets are one whose year, makers, sport or parent stand in the name of one and in columns of the other: Autographs below
 * 2024 Topps Chrome Baseball, and 2024 Topps Chrome Autographs; Prizm Basketball of 2023-24 by Panini, and 2023-24 Panini Prizm
 * Basketball. They may be, if one doesn't say the sport, the year or the parent, or says just the first year of the other's season.
 */
const likenessOf = (one: Named, other: Named): Likeness | null => {
  if (one.name.above !== null && other.name.above !== null) return null
  const [a, b] = [one.parts, other.parts]
  const years = likenessOfYears(a.year, b.year)
  if (years === null) return null
  const isCalled = alikeKey(one.name.name) === alikeKey(other.name.name)
  const isOneBelow = one.name.above !== other.name.above
  if (differ(a.genre, b.genre) || !areMakers(a.maker, b.maker))
    return years === 'same' && isCalled && !isOneBelow && a.year !== null ? 'other' : null
  if (isOneBelow && one.keys.some((key) => other.keys.includes(key))) return years
  if (isOneBelow && one.partKeys.some((key) => other.partKeys.includes(key))) return 'likely'
  if (a.year !== null && b.year !== null && a.products.some((product) => b.products.includes(product)))
    return a.genre === b.genre ? years : 'maybe'
  return isCalled && (!isPartName(one.name.name) || isOfGame(a.genre)) ? 'likely' : null
}

const differ = (one: string | null, other: string | null) => one !== null && other !== null && one !== other

const areMakers = (one: string | null, other: string | null) =>
  one === null || other === null || `${one} `.startsWith(`${other} `) || `${other} `.startsWith(`${one} `)

const likenessOfYears = (one: string | null, other: string | null): 'same' | 'likely' | null =>
  one === other
    ? 'same'
    : one === null || other === null || isFirstOf(one, other) || isFirstOf(other, one)
      ? 'likely'
      : null

/** A set's name behind its parent's, also with its year in front. */
const fullKeys = ({ above, name, year }: FullName) => {
  const full = above === null ? name : `${above} ${name}`
  return year && !splitName(full).year ? [full, `${year} ${full}`].map(alikeKey) : [alikeKey(full)]
}

/** A full name in parts: what it may be called without year and sport, also behind its makers, and behind its parent if it has one. */
export const partsOf = ({ name, year, manufacturer, brand, genre, above }: FullName) => {
  const top = splitName(above ?? name)
  const inside = above === null && !top.genre ? withoutGenre(top.product) : null
  const makers = [brand, manufacturer].flatMap((maker) => (maker ? alikeKey(maker) : []))
  const behindMakers = (texts: string[]) => {
    const all = texts.map(alikeKey)
    for (const maker of makers)
      all.push(...all.flatMap((text) => (`${text} `.startsWith(`${maker} `) ? [] : `${maker} ${text}`)))
    return all
  }
  const releases = behindMakers([top.product])
  const whole = behindMakers(inside ? [top.product, inside.product] : [top.product])
  return {
    year: top.year ?? (year && readSeason(year)),
    genre: keyOfGenre(top.genre ?? genre ?? inside?.genre ?? null),
    maker: alikeOrNull(manufacturer ?? brand),
    releases,
    products: above === null ? whole : releases.map((release) => `${release} ${alikeKey(name)}`.trim()),
  }
}

/** A product with a sport between other words: Topps Chrome Baseball Autographs. */
const withoutGenre = (product: string) => {
  const words = product.split(' ')
  const at = words.findIndex((word, at) => at > 0 && findGenre(word) !== null)
  return at < 0 ? null : { genre: words[at] ?? '', product: words.toSpliced(at, 1).join(' ') }
}

const keyOfGenre = (text: string | null) => text && genreKey(text)

const alikeOrNull = (text: string | null) => text && alikeKey(text)

/** The name of a release's part behind the release, also of one that stands behind a dash, as `partKey` has it. */
const partKeys = ({ above, name }: FullName) =>
  (above === null ? behindDash(name) : [{ release: above, part: name }]).map(
    ({ release, part }) => `part ${alikeKey(release)} ${partKey(part)}`,
  )

/** Where a dash may part a name into a release and its part: at the first and at the last one. */
export const behindDash = (name: string) =>
  [...new Set([name.indexOf(dash), name.lastIndexOf(dash)])]
    .filter((at) => at > 0)
    .map((at) => ({ release: name.slice(0, at), part: name.slice(at + dash.length) }))
const dash = ' - '

type Named = { name: FullName; keys: string[]; partKeys: string[]; parts: ReturnType<typeof partsOf> }

const named = (name: FullName): Named => ({
  ...{ name, keys: fullKeys(name), partKeys: partKeys(name) },
  parts: partsOf(name),
})

/** The sets among others that one with a full name is or may be. A set that has several names is the most that one of them is. */
export const likeNamed = (name: FullName, others: { name: FullName; id: string }[]): LikeNamed[] =>
  among(
    named(name),
    others.map((other) => ({ ...named(other.name), id: other.id })),
  )

const among = (one: Named, others: (Named & { id: string })[]): LikeNamed[] => {
  const found = new Map<string, LikeNamed>()
  for (const other of others) {
    const is = likenessOf(one, other)
    const before = found.get(other.id)
    if (is && (!before || likenesses.indexOf(is) > likenesses.indexOf(before.is)))
      found.set(other.id, { id: other.id, name: other.name.name, year: other.parts.year, is })
  }
  return [...found.values()]
}

/** Sets by their full names: `find` gives those that another name means. */
export const beginFullNames = () => {
  const byKey = new Map<string, (Named & { id: string })[]>()
  const byId = new Map<string, FullName>()
  return {
    /** Adds a set, or what else is known of it: nothing that it has is lost. */
    add: (name: FullName, id: string) => {
      const before = byId.get(id)
      const known = before ? beside(name, before) : name
      if (before && Bun.deepEquals(before, known)) return
      if (before)
        for (const key of keysOf(named(before), true))
          byKey.set(
            key,
            (byKey.get(key) ?? []).filter((other) => other.id !== id),
          )
      byId.set(id, known)
      const one = { ...named(known), id }
      for (const key of keysOf(one, known.above === null)) byKey.set(key, [...(byKey.get(key) ?? []), one])
    },
    find: (name: FullName): LikeNamed[] => {
      const one = named(name)
      return among(
        one,
        keysOf(one, true).flatMap((key) => byKey.get(key) ?? []),
      )
    },
  }
}
/** A set's full name with what an earlier one says and it doesn't. A season goes before its first year. */
const beside = ({ name, above, ...facts }: FullName, before: FullName): FullName => ({
  ...{ name, above },
  year: longerYear(before.year, facts.year),
  genre: facts.genre ?? before.genre,
  manufacturer: before.manufacturer ?? facts.manufacturer,
  brand: before.brand ?? facts.brand,
})

export type FullNames = ReturnType<typeof beginFullNames>

/** Keys of which two names of one set have one in common. A part is only found by its bare name if it has no parent. */
const keysOf = ({ name, keys, partKeys, parts: { year, products } }: Named, hasBare: boolean): string[] => [
  ...keys,
  ...partKeys,
  ...(year ? products.map((product) => `${year.slice(0, 4)}\0${product}`) : []),
  ...(hasBare ? [`\0${alikeKey(name.name)}`] : []),
]
