import { isDate } from '../../../../jsonapi/fields.ts'
import { readUuid } from '../identity.ts'
import { type ImportItem, SET_KINDS, type SetItem, type SetKind } from '../item.ts'
import { setFault } from '../limits.ts'
import { findMaker } from '../names/makers.ts'
import { kindOfSet, readReleaseName, splitName } from '../names/release-name.ts'
import { fault, type Run } from '../run.ts'
import { cellOf, type Row } from './row.ts'

/** Where rows stand: the file's name as reported, and its path, whose last part may name a release. */
export type RowFile = { name: string; path: string }

/** Genre, year, makers of a set, and what its row says besides. */
type Facts = Pick<SetItem, 'genre' | 'year' | 'manufacturer' | 'brand' | 'status'>

/** The sets of one file of rows: `of` gives a row's set, beginning it and its parent where they are new, or null after a fault. */
export const beginRowSets = (run: Run, file: RowFile, wild: boolean) => {
  const sets = new Map<string, SetItem>()
  const named = new Map<string, SetItem>()

  function* begin(item: SetItem, scope: string): Generator<ImportItem, SetItem | null> {
    const wrong = setFault(item)
    if (wrong) {
      yield fault(item, wrong)
      return null
    }
    sets.set(item.key, item)
    if (!named.has(scope)) named.set(scope, item)
    yield item
    return item
  }

  /** A line of an export that is a set. */
  function* readSetRow(row: Row): Generator<ImportItem> {
    const place = { file: file.name, line: row.line }
    const id = readUuid(cellOf(row, 'id'))
    const parentKey = cellOf(row, 'parent_set_id')?.toLowerCase() ?? null
    const said = readSaid(row)
    if (!id) return yield fault(place, 'a set needs a UUID as its id')
    if (sets.has(id) || !run.setIds.add(id)) return yield fault(place, `the set ${id} stands on an earlier line`)
    if (parentKey && !sets.has(parentKey))
      return yield fault(place, `the parent set ${parentKey} stands on no earlier line`)
    if (typeof said === 'string') return yield fault(place, said)
    const name = cellOf(row, 'set') ?? cellOf(row, 'name') ?? ''
    const item: SetItem = {
      kind: 'set',
      ...place,
      key: id,
      parentKey,
      id,
      name,
      ...factsOf(row),
      ...said,
      labelIds: labelIdsOf(row),
    }
    yield* begin(item, scopeOf(item, name))
  }

  function* of(row: Row): Generator<ImportItem, SetItem | null> {
    const place = { file: file.name, line: row.line }
    const setId = cellOf(row, 'set_id')
    const known = setId === null ? undefined : sets.get(setId.toLowerCase())
    if (known) return known
    const id = readUuid(setId)
    const said = readSaid(row)
    const names = nameSets(row, file, wild)
    const wrong =
      setId !== null && !id
        ? `set_id ${setId.slice(0, 100)} is no UUID`
        : typeof said === 'string'
          ? said
          : typeof names === 'string'
            ? names
            : null
    if (wrong || typeof said === 'string' || typeof names === 'string') {
      yield fault(place, wrong ?? '')
      return null
    }
    const facts = { ...names.facts, status: said.status }
    const key =
      id ?? JSON.stringify([facts.genre, facts.year, facts.manufacturer, facts.brand, names.parent, names.set])
    const same = sets.get(key)
    if (same) return same
    const parent = names.parent === null ? null : yield* parentOf(place, names.parent, facts)
    if (names.parent !== null && !parent) return null
    const setKind = said.setKind ?? names.setKind ?? (parent ? kindOfSet(names.set, names.parent ?? '') : null)
    const item: SetItem = {
      kind: 'set',
      ...place,
      key,
      parentKey: parent?.key ?? null,
      id,
      name: names.set,
      ...facts,
      ...said,
      setKind,
      deleted: false,
    }
    return yield* begin(item, scopeOf(facts, names.set))
  }

  /** The set of that name that the file has begun, which may itself be a child, or else a root set. */
  function* parentOf(
    place: { file: string; line: number },
    name: string,
    facts: Facts,
  ): Generator<ImportItem, SetItem | null> {
    const scope = scopeOf(facts, name)
    const known = named.get(scope)
    if (known) return known
    const key = JSON.stringify([facts.genre, facts.year, facts.manufacturer, facts.brand, null, name])
    const rest = { parentKey: null, id: null, setKind: null, description: null, releaseDate: null, deleted: false }
    return yield* begin({ kind: 'set', ...place, key, name, ...facts, ...rest }, scope)
  }

  return { of, readSetRow }
}

const scopeOf = ({ genre, year, manufacturer, brand }: Omit<Facts, 'status'>, name: string) =>
  JSON.stringify([genre, year, manufacturer, brand, name])

const factsOf = (row: Row) => ({
  genre: cellOf(row, 'genre'),
  year: cellOf(row, 'year'),
  manufacturer: cellOf(row, 'manufacturer'),
  brand: cellOf(row, 'brand'),
})

const labelIdsOf = (row: Row) =>
  Object.fromEntries(
    (['genre', 'year', 'manufacturer', 'brand'] as const).flatMap((label) => {
      const id = readUuid(cellOf(row, `${label}_id`))
      return id ? [[label, id]] : []
    }),
  )

type Said = Pick<SetItem, 'setKind' | 'status' | 'releaseDate' | 'description' | 'deleted'>

/** Kind, status, date and description as columns say them, or what is wrong with them. */
const readSaid = (row: Row): Said | string => {
  const kind = cellOf(row, 'kind')?.toLowerCase() ?? null
  const status = cellOf(row, 'status')?.toLowerCase() ?? null
  const releaseDate = cellOf(row, 'release_date')
  const deleted = readFlag(cellOf(row, 'deleted'))
  if (kind !== null && !SET_KINDS.includes(kind as SetKind)) return `kind is none of ${SET_KINDS.join(', ')}`
  if (status !== null && status !== 'draft' && status !== 'published') return 'status is neither draft nor published'
  if (releaseDate !== null && !isDate(releaseDate)) return 'release_date is no date (YYYY-MM-DD)'
  if (deleted === null) return 'deleted is neither true nor false'
  return { setKind: kind as SetKind | null, status, releaseDate, description: cellOf(row, 'description'), deleted }
}

/** True for `true`, `yes`, `y`, `x`, `1`; false for nothing and their opposites; null for anything else. */
export const readFlag = (text: string | null) =>
  text === null || /^(?:false|no|n|0)$/i.test(text) ? false : /^(?:true|yes|y|x|1|rc|rookie)$/i.test(text) ? true : null

type Named = { set: string; parent: string | null; setKind: SetKind | null; facts: Omit<Facts, 'status'> }

/** The names of a row's set and of its parent, or why there are none. */
const nameSets = (row: Row, file: RowFile, wild: boolean): Named | string => {
  const facts = factsOf(row)
  const { brand, year } = facts
  const subset = cellOf(row, 'subset')
  const parent = cellOf(row, 'parent_set')
  const isNamedByBrand = brand && year && (subset || !row.has('set'))
  const set = cellOf(row, 'set') ?? (isNamedByBrand ? `${year} ${brand}` : null)
  if (set === null) return 'the row names no set'
  if (set === parent) return 'a set cannot be its own parent'
  const maker = wild && brand ? findMaker(brand, year) : null
  const known = { ...facts, manufacturer: facts.manufacturer ?? maker?.manufacturer ?? null }
  if (subset) return { set: subset, parent: set, setKind: 'insert', facts: known }
  if (parent || !wild || brand || year) return { set, parent, setKind: null, facts: known }
  return inRelease(set, file, known)
}

/** A wild `Card Set` is a release where it begins with a year; else it belongs to the release that the file's name tells of. */
const inRelease = (set: string, file: RowFile, facts: Omit<Facts, 'status'>): Named => {
  const fileName = (file.path.split('/').at(-1) ?? '')
    .replace(/\.[^.]*$/, '')
    .replace(/(?<!\d)-|-(?!\d)|_/g, ' ')
    .trim()
  const release = splitName(set).year ? set : splitName(fileName).year ? fileName : null
  if (!release) return { set, parent: null, setKind: null, facts }
  const { year, brand, manufacturer, genre } = readReleaseName(release, '')
  const known = { year, brand, manufacturer, genre: facts.genre ?? genre }
  return { set, parent: release === set ? null : release, setKind: null, facts: known }
}
