import type { SetKind } from '../item.ts'
import { findGenre, isGame, readGenre } from './genres.ts'
import { findMaker } from './makers.ts'
import { readSeason } from './season.ts'

/** Whether a genre, or the end of a set's name, is a sport: what is called a name there is a person's. */
export const isOfSport = (text: string) => {
  const genre = findGenre(readGenre(text) ?? '') ?? splitName(text).genre
  return genre !== null && genre !== 'Non-Sport' && genre !== 'Pokémon'
}

/** Whether a release is a card game's, by its genre or a word of its name. There, Base Set is a set's own name. */
export const isOfGame = (genre: string | null, name = ''): boolean =>
  genre === null ? name.split(' ').some((word) => isGame(findGenre(word) ?? '')) : isGame(genre)

/** What a release's name and path say, such as `1986-87 Fleer Basketball` in `basketball/1986-87/`. `doubts` go into the report. */
export type ReleaseFacts = {
  genre: string | null
  year: string | null
  brand: string | null
  manufacturer: string | null
  doubts: { rule: 'year-differs' | 'undecided-brand'; text: string }[]
}

/** Reads genre and year from the path or else the name, and brand and manufacturer from the name or else the file name. */
export const readReleaseName = (name: string, path: string): ReleaseFacts => {
  const place = readPath(path)
  const said = splitName(name)
  const filed = splitName(place.file)
  const year = place.year ?? said.year ?? filed.year
  const maker = findMaker(said.product, year) ?? findMaker(filed.product, year)
  const doubts: ReleaseFacts['doubts'] = []
  if (place.year && said.year && place.year !== said.year)
    doubts.push({ rule: 'year-differs', text: `${name}: the folder says ${place.year}` })
  if (!findMaker(said.product, year))
    doubts.push({
      rule: 'undecided-brand',
      text: `${name}: ${maker ? `${maker.brand}, from the file's name` : 'no known brand'}`,
    })
  return {
    genre: place.genre ?? said.genre ?? filed.genre,
    year,
    brand: maker?.brand ?? (said.product || null),
    manufacturer: maker?.manufacturer ?? null,
    doubts,
  }
}

/** `1986-87 Fleer Basketball` is the year 1986-87, the product Fleer and the genre Basketball. Missing parts are null. */
export const splitName = (name: string): { year: string | null; product: string; genre: string | null } => {
  const words = name.trim().split(/\s+/)
  const year = readYear(words[0] ?? '')
  const genre = words.length > 1 ? findGenre(words.at(-1) ?? '') : null
  return { year, genre, product: words.slice(year ? 1 : 0, genre ? -1 : undefined).join(' ') }
}

/** A year or season: `1986` or `1986-87`, as `readSeason` writes it. Null for anything else. */
const readYear = (text: string) => {
  const year = readSeason(text)
  return /^\d{4}(?:-\d{2})?$/.test(year) ? year : null
}

const readPath = (path: string) => {
  const [genre, year, file] = path.split('/').slice(-3)
  const known = file === undefined ? null : findGenre(genre ?? '')
  const last = path.split('/').at(-1) ?? ''
  return {
    genre: known,
    year: known ? readYear(year ?? '') : null,
    file: last.replace(/\.[^.]*$/, '').replace(/(?<=\D)-|-(?=\D)|_/g, ' '),
  }
}

const autograph = /\b(?:auto(?:graph)?s?|autographed|signatures?|signed|signings|sigs|inks?|penmanship|scribbles)\b/i
const base =
  /^(?:basee?\b|(?:low|high|update|traded|main) (?:series|set)\b|series (?:\d|one|two|three)(?: base set)?$|update$|traded$|set$|complete set)/i

/** The kind of a set in a release, by its name: autograph, base (`Base Set`, `Series 1`, the release's own name), or else insert. */
export const kindOfSet = (name: string, releaseName = ''): SetKind =>
  autograph.test(name)
    ? 'autograph'
    : base.test(name) || (name !== '' && releaseName.startsWith(name))
      ? 'base'
      : 'insert'

/** The kind of a root set, if its name says so: `1999 Topps Autographs`. */
export const kindWithoutParent = (name: string): SetKind | null =>
  autograph.test(name) ? 'autograph' : /\binserts?\b/i.test(name) ? 'insert' : null

/** Whether a name is that of a part which any release may have: Base Set, Autographs. */
export const isPartName = (name: string): boolean =>
  /^(?:base(?: sets?| cards?)?|(?:insert|autograph|auto|parallel|relic|subset|checklist|variation|rookie)s?(?: (?:sets?|cards?))?)$/i.test(
    name,
  )
