import { sayNumber, sizes } from '../../../../limits.ts'
import { readUuid } from '../identity.ts'
import type { CardItem, ImportItem, ParentCard, SetItem } from '../item.ts'
import { cardFault } from '../limits.ts'
import { fault, note, type Run } from '../run.ts'
import { readEntries } from './entries.ts'
import { readRecord } from './record.ts'
import { cellOf, furtherColumns, type Row, type RowFile } from './row.ts'
import { beginRowSets, readFlag } from './row-sets.ts'
import { isNoRun, readSerialCell, saysNumbered } from './serial-cell.ts'
import { parallelIn } from './set-names.ts'
import { isNamedCard, titledByName } from './titled-by-name.ts'
import { unsaidOf } from './unsaid.ts'
import { flagColumns, isNoCode, isYes, readYesNo } from './yes-no.ts'

/**
 * Reads the rows of one file: cards, and in exports also sets and other records. `wild` rows come from somebody else's checklist
 * (`isWild`). Their players' column may contain a whole card name, as in a release, and is read as one.
 */
export const beginRows = (run: Run, file: RowFile, wild: boolean, isCatalog = false) => {
  const sets = beginRowSets(run, file, wild)
  /** Sets without a card so far. They wait, because a set isn't created for refused rows. */
  const waiting = new Map<string, SetItem>()

  /** Names of parallels that may have a print run, each noted once. */
  const unsure = new Set<string>()

  function* setOf(row: Row): Generator<ImportItem, SetItem | null> {
    const steps = sets.of(row)
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      if (step.value.kind === 'set') waiting.set(step.value.key, step.value)
      else yield step.value
    }
  }

  /** A set's waiting ancestors, topmost first, and the set itself. */
  function* begun(set: SetItem): Generator<SetItem> {
    const above = set.parentKey === null ? undefined : waiting.get(set.parentKey)
    if (above) yield* begun(above)
    if (waiting.delete(set.key)) yield set
  }

  function* read(row: Row): Generator<ImportItem> {
    for (const text of row.mended) yield note({ file: file.name, line: row.line }, 'mended-text', text.slice(0, 100))
    const type = cellOf(row, 'type') ?? 'cards'
    if (type === 'cards') yield* readCard(row)
    else if (type === 'sets') yield* sets.readSetRow(row)
    else yield readRecord(row, type, file.name)
  }

  function* readCard(written: Row): Generator<ImportItem> {
    const place = { file: file.name, line: written.line }
    const ids = readIds(written)
    if (typeof ids === 'string') return yield fault(place, ids)
    const set = yield* setOf(written)
    if (!set) return
    const row = isNamedCard(written, set) ? titledByName(written) : written
    const { entries, title, codes, rule, ...inNames } = readEntries(row, wild, set)
    const said = codesOf(row, isCatalog || row.has('type'))
    const serials = (['print_run', 'serial'] as const).map((column) => ({
      column,
      ...readSerialCell(cellOf(row, column), column === 'serial' && saysNumbered(row.heading(column))),
    }))
    const own = cellOf(row, 'serial_number')
    const isNone = isNoRun(own) && !row.has('type')
    const runs = [isNone ? null : own, ...serials.map(({ run }) => run)]
    const copies = serials.flatMap(({ copy }) => copy ?? [])
    const parallel = parallelIn(row)
    const named = [parallel.serialNumber, inNames.serialNumber ?? null]
    const content = {
      setKey: set.key,
      number: wild ? cellOf(row, 'number')?.replace(/^#\s*/, '') || null : cellOf(row, 'number'),
      entries,
      title,
      attributes: [...new Set([...codes, ...said.codes])],
      serialNumber: [...runs, ...named].find((serial) => serial !== null) ?? null,
    }
    const card: CardItem = {
      kind: 'card',
      ...place,
      ...content,
      ...ids,
      notes: cellOf(row, 'notes'),
      ...furtherOf(row),
      ...identifiersOf(row),
      occurrence: 0,
      rule,
      ...(inNames.named ? { named: inNames.named } : {}),
      ...(inNames.odd ? { undecided: `${set.name}: ${cellOf(row, 'number') ?? ''} ${inNames.odd}` } : {}),
      ...(row.has('type') ? {} : { hasTeamCells: true }),
    }
    card.parent = parentCard(row, card, set)
    Object.assign(card, unsaidOf(row, card), isCatalog ? { hasExactCodes: true } : {})
    if (row.has('attribute_id')) card.attributeIds = row.values('attribute_id').flatMap((each) => readUuid(each) ?? [])
    const isExported = row.has('type') && ids.id !== null
    const empty = !isExported && content.number === null && title === null && entries.length === 0
    const wrong = empty ? 'the row has no number, player, team or title' : cardFault(card)
    if (wrong) return yield fault(place, wrong)
    if (card.id && !run.cardIds.add(card.id))
      return yield fault(place, `the card ${card.id} is already on an earlier line`)
    const equal = card.id ? undefined : run.findEqual(file.name, content, row.spelling + copies.join(' '))
    if (equal?.isRepeated) {
      const beside = [
        copies,
        card.notes ?? [],
        card.identifiers?.map(({ source, value }) => `id:${source} ${value}`) ?? [],
      ].flat()
      run.passOver()
      const where = equal.isElsewhere ? 'file' : 'row, spelled in another way'
      const passed = beside.length > 0 ? `; ignored: ${beside.join(', ').slice(0, 100)}` : ''
      yield note(place, 'equal-rows', `${set.name}: ${content.number ?? ''}, as in an earlier ${where}${passed}`)
      if (!equal.isElsewhere || card.occurrence >= sizes.equalRows.most) return
      yield* begun(set)
      return yield { ...card, occurrence: equal.occurrence, isRepeated: true }
    }
    card.occurrence = equal?.occurrence ?? 0
    if (card.occurrence >= sizes.equalRows.most)
      return yield fault(place, `the file has this row more than ${sayNumber(sizes.equalRows.most)} times`)
    yield* begun(set)
    if (card.attributeIds === undefined)
      for (const code of content.attributes) yield* run.attribute(place, code, null, isCatalog)
    if (card.occurrence > 0) yield note(place, 'equal-rows', `${set.name}: ${content.number ?? ''}`)
    for (const serial of new Set([...runs, ...named]))
      if (serial && serial !== content.serialNumber)
        yield note(place, 'serial-differs', `${set.name}: ${content.number ?? ''} ${serial}`)
    for (const copy of copies) yield note(place, 'copy-number', `${set.name}: ${content.number ?? ''} ${copy}`)
    for (const { column, unread } of [...serials, { column: 'serial_number' as const, unread: isNone ? own : null }])
      if (unread !== null && !row.has('type'))
        yield note(
          place,
          'unread-serial',
          `${set.name}: ${content.number ?? ''} ${row.heading(column)}: ${unread.slice(0, 60)}`,
        )
    if (parallel.isUnsure && !unsure.has(parallel.name)) {
      if (unsure.size < 1000) unsure.add(parallel.name)
      yield note(place, 'undecided-parallel', `${parallel.name} may have a print run in its name`)
    }
    for (const cell of said.unread) yield note(place, 'unread-flag', `${set.name}: ${content.number ?? ''} ${cell}`)
    if (inNames.numbered && !row.has('type'))
      yield note(place, 'namesake-number', `${set.name}: ${content.number ?? ''} ${inNames.numbered}`)
    if (inNames.position)
      yield note(place, 'position-dropped', `${set.name}: ${content.number ?? ''} ${inNames.position}`)
    if (inNames.maybePosition)
      yield note(place, 'ambiguous-code', `${set.name}: ${content.number ?? ''} ${inNames.maybePosition}`)
    yield card
  }

  return { read }
}

/** A card row's ids, whether it is deleted, and its image, or what is wrong with them. */
const readIds = (row: Row): Pick<CardItem, 'id' | 'deleted' | 'imageId'> | string => {
  const id = cellOf(row, 'id')
  const image = cellOf(row, 'image_uuid')
  const deleted = readFlag(cellOf(row, 'deleted'))
  if (id !== null && !readUuid(id)) return `id ${id.slice(0, 100)} is not a UUID`
  if (image !== null && !readUuid(image)) return `image_uuid ${image.slice(0, 100)} is not a UUID`
  if (deleted === null) return 'deleted is neither true nor false'
  return { id: readUuid(id), deleted, imageId: row.has('image_uuid') ? readUuid(image) : undefined }
}

/** Columns of cards that aren't read anywhere else here. */
const furtherOf = (row: Row): Pick<CardItem, 'further'> =>
  furtherColumns.some(row.has)
    ? { further: Object.fromEntries(furtherColumns.filter(row.has).map((column) => [column, cellOf(row, column)])) }
    : {}

/** The identifiers in its `id:SOURCE` columns. */
const identifiersOf = (row: Row): Pick<CardItem, 'identifiers'> => {
  const identifiers = row.sources.flatMap((source) =>
    [...new Set(row.values(`id:${source}`))].flatMap((value) => (value ? [{ source, value }] : [])),
  )
  return identifiers.length > 0 ? { identifiers } : {}
}

/** The codes of a row, and the cells that were not read as codes or as a word on one. A source of `exact` codes has any. */
const codesOf = (row: Row, exact: boolean) => {
  const given = row.values('attributes').flatMap((code) => code?.trim() || [])
  const codes = exact ? given : given.filter((code) => !isNoCode(code))
  const unread: string[] = exact
    ? []
    : given.flatMap((code) => (isYes(code) ? `${row.heading('attributes')}: ${code}` : []))
  for (const [column, code] of flagColumns) {
    const text = cellOf(row, column)
    const says = text === null ? false : readYesNo(text, column)
    if (says) codes.push(code)
    if (says === null) unread.push(`${row.heading(column)}: ${text?.slice(0, 60)}`)
  }
  return { codes, unread }
}

/** The parent card by its id, or, in a parallel's set, the parent set's card with the same number. */
const parentCard = (row: Row, card: CardItem, set: SetItem): ParentCard | null | undefined => {
  const id = readUuid(cellOf(row, 'parent_id'))
  if (id) return { id }
  if (row.has('parent_id')) return null
  const made = set.setKind === 'parallel' && set.parentKey !== null && card.number !== null
  return made && set.parentKey && card.number ? { setKey: set.parentKey, number: card.number } : undefined
}
