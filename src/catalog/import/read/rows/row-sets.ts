import { isDate } from '../../../../jsonapi/fields.ts'
import { columnOf } from '../../../model/record-columns.ts'
import { readRecordId } from '../identity.ts'
import { type ImportItem, type NoteRule, type SetItem, type SetKind, setKinds } from '../item.ts'
import { setFault } from '../limits.ts'
import { kindOfSet, kindWithoutParent } from '../names/release-name.ts'
import { fault, note, type Run } from '../run.ts'
import { cellOf, type Row, type RowFile } from './row.ts'
import { factsOf, keyOf, type Level, lostGenre, nameSets } from './set-names.ts'

/** Genre, year, makers of a set, and its status. */
type Facts = Pick<SetItem, 'genre' | 'saidGenre' | 'year' | 'manufacturer' | 'brand' | 'status'>

/** The sets of one file of rows: `of` gives a row's set, beginning it and its parent where they are new, or null after a fault. */
export const beginRowSets = (run: Run, file: RowFile, wild: boolean) => {
  const sets = new Map<string, SetItem>()
  const named = new Map<string, SetItem>()
  const noted = new Set<string>()

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

  /** Notes what is odd about sets, each text once. */
  function* noteOnce(row: Row, rule: NoteRule, text: string | null): Generator<ImportItem> {
    if (text === null || noted.has(text)) return
    if (noted.size < 1000) noted.add(text)
    yield note({ file: file.name, line: row.line }, rule, text)
  }

  /** A line of an export that is a set. */
  function* readSetRow(row: Row): Generator<ImportItem> {
    const place = { file: file.name, line: row.line }
    yield* noteOnce(row, 'no-date', lostDate(row))
    const id = readRecordId(cellOf(row, 'id'))
    const parentKey = cellOf(row, 'parent_set_id')?.toLowerCase() ?? null
    const said = readSaid(row)
    if (!id) return yield fault(place, 'a set needs a UUID as its id')
    if (sets.has(id) || !run.setIds.add(id)) return yield fault(place, `the set ${id} is already on an earlier line`)
    if (parentKey && !sets.has(parentKey))
      return yield fault(place, `the parent set ${parentKey} is not on an earlier line`)
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
      ...aliasesOf(row),
      ...(row.has('parent_set_id') ? {} : { unsaid: ['parent'] }),
    }
    yield* begin(item, scopeOf(item, name))
  }

  function* of(row: Row): Generator<ImportItem, SetItem | null> {
    const place = { file: file.name, line: row.line }
    yield* noteOnce(row, 'no-date', lostDate(row))
    const setId = cellOf(row, 'set_id')
    const known = setId === null ? undefined : sets.get(setId.toLowerCase())
    if (known) return known
    yield* noteOnce(row, 'no-genre', lostGenre(row))
    const id = readRecordId(setId)
    const said = setId !== null && !id ? `set_id ${setId.slice(0, 100)} is not a UUID` : readSaid(row)
    const names = nameSets(row, file, wild)
    if (typeof said === 'string' || typeof names === 'string') {
      yield fault(place, typeof said === 'string' ? said : String(names))
      return null
    }
    yield* noteOnce(row, 'year-differs', names.differs ?? null)
    yield* noteOnce(row, 'no-release', names.bare ? `${names.bare}, of no release` : null)
    const facts = { ...names.facts, status: said.status }
    return yield* reach(place, names.levels, facts, { id, said })
  }

  /** The set of the last level, begun with those above it where the file has not begun them; `own` is what its row says. */
  function* reach(
    place: { file: string; line: number },
    levels: Level[],
    facts: Facts,
    own?: { id: string | null; said: Said },
  ): Generator<ImportItem, SetItem | null> {
    const [above, { name, setKind, likely }] = [levels.slice(0, -1), levels.at(-1) as Level]
    if (!own && above.length === 0) return yield* parentOf(place, name, facts)
    const key = own?.id ?? JSON.stringify(keyOf(facts, levels))
    const same = sets.get(key)
    if (same) return same
    const parent = above.length > 0 ? yield* reach(place, above, facts) : null
    if (above.length > 0 && !parent) return null
    const named = setKind ?? likely ?? (parent ? kindOfSet(name, parent.name) : kindWithoutParent(name))
    const said = own?.said ?? { setKind: null, description: null, releaseDate: null, status: facts.status }
    const item: SetItem = {
      kind: 'set',
      ...place,
      ...{ key, parentKey: parent?.key ?? null, id: own?.id ?? null, name },
      ...facts,
      ...said,
      setKind: said.setKind ?? named,
      ...(setKind || likely ? { columnKind: setKind ?? likely } : {}),
      unsaid: [...unsaidKind(said.setKind), ...(parent ? [] : ['parent' as const])],
      deleted: false,
      isNamedByCards: true,
    }
    return yield* begin(item, scopeOf(facts, name))
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
    const key = JSON.stringify(keyOf(facts, [{ name, setKind: null }]))
    const rest = { parentKey: null, id: null, setKind: null, description: null, releaseDate: null, deleted: false }
    return yield* begin({ kind: 'set', ...place, key, name, ...facts, ...rest, isNamedByCards: true }, scope)
  }

  return { of, readSetRow }
}

/** A kind that was read from a name, or from the column in which the name stands, is for new sets only. */
const unsaidKind = (said: SetKind | null) => (said ? [] : ['kind' as const])

const scopeOf = (facts: Omit<Facts, 'status'>, name: string) => JSON.stringify(keyOf(facts, [{ name, setKind: null }]))

/** Aliases as their column keeps them, where the line has the member. */
const aliasesOf = (row: Row) =>
  row.has('aliases') ? { aliases: columnOf(row.values('aliases').flatMap((alias) => alias ?? [])) } : {}

const labelIdsOf = (row: Row) =>
  Object.fromEntries(
    (['genre', 'year', 'manufacturer', 'brand'] as const).flatMap((label) => {
      const id = readRecordId(cellOf(row, `${label}_id`))
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
  if (kind !== null && !setKinds.includes(kind as SetKind)) return `kind is not one of ${setKinds.join(', ')}`
  if (status !== null && status !== 'draft' && status !== 'published') return 'status is neither draft nor published'
  if (deleted === null) return 'deleted is neither true nor false'
  const date = releaseDate !== null && isDate(releaseDate) ? releaseDate : null
  return {
    setKind: kind as SetKind | null,
    status,
    releaseDate: date,
    description: cellOf(row, 'description'),
    deleted,
  }
}

/** A date that is none is left out, and the row is read without it. */
const lostDate = (row: Row): string | null => {
  const text = cellOf(row, 'release_date')
  return text !== null && !isDate(text) ? `release_date ${text.slice(0, 100)} is not a date (YYYY-MM-DD)` : null
}

/** True for `true`, `yes`, `y`, `x`, `1`; false for nothing and their opposites; null for anything else. */
export const readFlag = (text: string | null) =>
  text === null || /^(?:false|no|n|0)$/i.test(text) ? false : /^(?:true|yes|y|x|1|rc|rookie)$/i.test(text) ? true : null
