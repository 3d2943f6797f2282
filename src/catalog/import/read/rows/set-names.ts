import type { SetItem, SetKind } from '../item.ts'
import { alikeKey } from '../names/alike.ts'
import { findGenre, readGenre } from '../names/genres.ts'
import { findMaker } from '../names/makers.ts'
import { isPartName, kindOfSet, readReleaseName, splitName } from '../names/release-name.ts'
import { readSeason } from '../names/season.ts'
import { readBaseName } from './base-name.ts'
import { readParallelCell } from './parallel-cell.ts'
import { cellOf, type ParallelCell, type Row, type RowFile } from './row.ts'

type Facts = Pick<SetItem, 'genre' | 'saidGenre' | 'year' | 'manufacturer' | 'brand'>

/** Genre, year and makers of a row's set. */
export const factsOf = (row: Row) => ({
  genre: genreOf(cellOf(row, 'genre')),
  year: cellOf(row, 'year'),
  manufacturer: cellOf(row, 'manufacturer'),
  brand: cellOf(row, 'brand'),
})

/** BASEBALL and Pokemon are Baseball and Pokémon. Unknown genres stay as they are. */
const genreOf = (text: string | null) => (text === null ? null : (findGenre(text) ?? text))

/** The genre of a card's row in the catalog's spelling, and as the row has it. */
const genreIn = (row: Row): Pick<SetItem, 'genre' | 'saidGenre'> => {
  const said = cellOf(row, 'genre')
  const genre = said === null ? null : readGenre(said)
  return genre && said && alikeKey(genre) !== alikeKey(said) ? { genre, saidGenre: said } : { genre }
}

/** What stands in a row's column for the genre and is none, such as the number of a site's category. */
export const lostGenre = (row: Row): string | null => {
  const said = cellOf(row, 'genre')
  return said !== null && readGenre(said) === null ? `genre ${said.slice(0, 100)} is no genre, and not read` : null
}

/** A set's name, below the level before it. If the kind is null, it's read from the name, and `likely` is what it may be. */
export type Level = { name: string; setKind: SetKind | null; likely?: SetKind }
type Named = { levels: Level[]; facts: Facts }

/** What identifies a set within a file: its facts, and its name with its ancestors', however they are spelled. */
export const keyOf = ({ genre, year, manufacturer, brand }: Facts, levels: Level[]) => {
  const names = levels.map(({ name }) => name)
  const facts = [genre, year, manufacturer, brand]
  return [...facts, ...(names.length > 1 ? names : [null, ...names])].map((name) => name && alikeKey(name))
}

/** The names of a row's set and its ancestors, topmost first, or why there are none. `differs` says that a name has another year. */
export const nameSets = (
  row: Row,
  file: RowFile,
  wild: boolean,
): (Named & { differs?: string; bare?: string }) | string => {
  const named = readNames(row, file, wild)
  if (typeof named === 'string') return named
  const { facts, levels } = named
  const [{ name: top = '' } = {}] = levels
  if (!facts.genre && !facts.year && !facts.brand && !facts.manufacturer && isPartName(top) && !row.has('set_id'))
    return { ...named, bare: top }
  const name = levels.map((level) => level.name).find((each) => splitName(each).year)
  const said = name === undefined ? null : splitName(name).year
  if (!name || !said || !facts.year) return named
  const year = yearBeside(readSeason(facts.year), said)
  return year === null
    ? { ...named, differs: `${name}: its column says ${facts.year}` }
    : { ...named, facts: { ...facts, year: year === said ? said : facts.year } }
}

/** The year of a set whose column and name say one: the season that the other is a part of. Null if they differ. */
const yearBeside = (year: string, said: string): string | null => {
  if (year.startsWith(said) || !/^\d{4}(?:-\d{2})?$/.test(year)) return year
  const [first, end] = [Number(said.slice(0, 4)), Number(said.slice(5) || 0)]
  const isPart = said.startsWith(year) || (Number(year) === first + 1 && Number(year) % 100 === end && said.length > 4)
  return isPart ? said : null
}

const readNames = (row: Row, file: RowFile, wild: boolean): Named | string => {
  const facts: Facts = { ...factsOf(row), ...genreIn(row) }
  const { brand, year } = facts
  const subset = cellOf(row, 'subset')
  const release = cellOf(row, 'parent_set')
  const isNamedByBrand = brand && year && (subset || !row.has('set'))
  const said = cellOf(row, 'set') ?? (row.has('set') ? null : release) ?? (isNamedByBrand ? `${year} ${brand}` : null)
  const set = baseIn(row, said)?.release ?? said
  if (set === null) return 'the row names no set'
  if (set === release && row.has('set') && !wild) return 'a set cannot be its own parent'
  const maker = wild && brand ? findMaker(brand, year) : null
  const known = { ...facts, manufacturer: facts.manufacturer ?? maker?.manufacturer ?? null }
  const children: Level[] = [
    ...(subset && !isNone(subset) ? [{ name: subset, setKind: null, likely: childKind(subset) }] : []),
    ...parallelOf(parallelIn(row).name || null),
  ]
  const parents: Level[] = release && release !== set ? [{ name: release, setKind: null }] : []
  const levels = [...parents, { name: set, setKind: null }, ...children]
  if (row.has('subset')) return { levels, facts: factsInRelease(parents[0]?.name ?? set, known) }
  if (wild && parents[0]) return { levels, facts: factsInRelease(parents[0].name, known, true) }
  const isPart = isPartName(set) && cellOf(row, 'set_id') === null
  if (parents.length > 0 || (!wild && !isPart) || brand || year) return { levels, facts: known }
  const found = inRelease(set, file, known)
  return { ...found, levels: [...found.levels, ...children] }
}

/** The parallel in a row's column, or behind the base set in brackets. It's read once. */
export const parallelIn = (row: Row): ParallelCell => {
  row.parallel ??= readParallelCell(parallelCellOf(row))
  return row.parallel
}

const parallelCellOf = (row: Row): string => {
  const cell = cellOf(row, 'parallel')
  if (cell) return cell
  return baseIn(row, cellOf(row, 'set') ?? cellOf(row, 'parent_set'))?.parallel ?? ''
}

const baseIn = (row: Row, set: string | null) =>
  set === null || row.has('set_id') ? null : readBaseName(set, { genre: genreIn(row).genre, year: cellOf(row, 'year') })

/**
 * The facts of a release with subsets: what its columns don't say is in its name, for its own rows and those of its subsets, also the makers,
 * or only known ones.
 */
const factsInRelease = (name: string, facts: Facts, isOfKnown = false): Facts => {
  if (!splitName(name).year) return facts
  const { year, brand, manufacturer, genre } = readReleaseName(name, '')
  const isUnknown = isOfKnown && manufacturer === null
  const makers = facts.brand || isUnknown ? {} : { brand, manufacturer: facts.manufacturer ?? manufacturer }
  return { ...facts, year: facts.year ?? year, genre: facts.genre ?? genre, ...makers }
}

/** Whether a cell says that a card belongs to the set itself, not to an insert or parallel. */
const isNone = (text: string) =>
  /^[([]?(?:base(?: set| cards?| version)?|regular|standard|normal|non-?foil|none|no|n\/?a|[-\u2013\u2014]+)[)\]]?$/i.test(
    text,
  )

const parallelOf = (name: string | null): Level[] =>
  name === null || isNone(name) ? [] : [{ name, setKind: 'parallel' }]

const childKind = (name: string): SetKind => (kindOfSet(name) === 'autograph' ? 'autograph' : 'insert')

/** In others' checklists, a `Card Set` that begins with a year is a release. Otherwise, it belongs to the release in the file's name. */
const inRelease = (set: string, file: RowFile, facts: Facts): Named => {
  const fileName = (file.path.split('/').at(-1) ?? '')
    .replace(/\.[^.]*$/, '')
    .replace(/(?<!\d)-|-(?!\d)|_/g, ' ')
    .trim()
  const release = splitName(set).year ? set : splitName(fileName).year ? fileName : null
  if (!release) return { levels: [{ name: set, setKind: null }], facts }
  const { year, brand, manufacturer, genre } = readReleaseName(release, '')
  const known = { ...facts, year, brand, manufacturer, genre: facts.genre ?? genre }
  const parents = release === set ? [] : [{ name: release, setKind: null }]
  return { levels: [...parents, { name: set, setKind: null }], facts: known }
}
