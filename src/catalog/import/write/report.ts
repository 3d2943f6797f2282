import { storable } from '../../../jsonapi/text-faults.ts'
import { sizes } from '../../../limits.ts'
import type { CardItem, FaultItem, FileItem, NameRule, NoteItem } from '../read/item.ts'
import type { KeptField } from './curated-fields.ts'

export type Counts = { created: number; updated: number; unchanged: number; failed: number }
type Notes = { count: number; examples: NoteItem[] }

/** A field that somebody changed and the import kept, with its record. */
type Kept = KeptField & { type: string; id: string; name: string }

/** A card that the file doesn't have, though it has the card's set. */
export type Missing = { id: string; set_id: string; name: string; deleted: boolean }

/** What an import would change on a record: its changed fields before and after. `before` is null for a new record. */
export type Change = { type: string; id: string; name: string; before: object | null; after: object }

/** A record that an undo left as it is, and why. */
type Left = { type: string; id: string; name: string; reason: string }

/** What an import did: counts by type, refused rows, and notes on the others. */
export type ImportReport = {
  files: number
  /** Files counted by how they were read. */
  forms: Partial<Record<FileItem['form'], number>>
  sets: Counts
  cards: Counts
  /** Records of an export that are neither sets nor cards. */
  records: Counts
  /** Created because a row named them. */
  players: number
  teams: number
  playerTeams: number
  labels: number
  /** Cards of a release's parallels and variations, left out because the import didn't ask for them. */
  parallelsLeftOut: number
  /** Cards counted by the rule that read their name. Those whose columns say it themselves aren't counted. */
  rules: Partial<Record<NameRule, number>>
  /** Years among the labels. */
  years: number
  faults: FaultItem[]
  /** All refused rows. `faults` has the first hundred thousand. */
  faultCount: number
  /** The numbers of the first thousand refused rows that have one. Cards with these numbers may be theirs. */
  refusedNumbers: string[]
  /** All kept fields are counted; the list has the first thousand. */
  kept: Kept[]
  keptCount: number
  /** All missing cards are counted; the list has the first thousand. */
  missing: Missing[]
  missingCount: number
  /** Missing cards that the import deleted. */
  pruned: number
  /** In a dry run: the first ten thousand changes. */
  changes: Change[]
  changeCount: number
  /** In an undo: how many records it deleted, and on how many it restored fields. */
  deleted: number
  putBack: number
  /** In an undo: the records it left as they are. All are counted; the list has the first thousand. */
  left: Left[]
  leftCount: number
  notes: Record<string, Notes>
  keptNotes: number
}

const none = (): Counts => ({ created: 0, updated: 0, unchanged: 0, failed: 0 })
const most = {
  faults: sizes.refusedRows.most,
  numbers: sizes.badRows.most,
  found: sizes.findings.most,
  changes: sizes.dryRunChanges.most,
  examples: 5,
}

/** An empty report that keeps all notes, or the first few of each rule. */
export const newReport = (allNotes = false): ImportReport => ({
  files: 0,
  forms: {},
  sets: none(),
  cards: none(),
  records: none(),
  players: 0,
  teams: 0,
  playerTeams: 0,
  labels: 0,
  years: 0,
  parallelsLeftOut: 0,
  rules: {},
  faults: [],
  faultCount: 0,
  refusedNumbers: [],
  ...{ kept: [], keptCount: 0, missing: [], missingCount: 0, pruned: 0 },
  ...{ changes: [], changeCount: 0, left: [], leftCount: 0, deleted: 0, putBack: 0 },
  notes: {},
  keptNotes: allNotes ? Number.POSITIVE_INFINITY : most.examples,
})

/** Counts a file. */
export const countFile = (report: ImportReport, { form }: FileItem) => {
  report.files++
  report.forms[form] = (report.forms[form] ?? 0) + 1
}

/** Counts a refused row. The first hundred thousand are listed, without characters that a database can't store. */
export const addFault = (report: ImportReport, fault: FaultItem) => {
  report.faultCount++
  keepFault(report, fault, storable)
  if (fault.number && report.refusedNumbers.length < most.numbers) report.refusedNumbers.push(fault.number)
}

/** Lists a refused row if there is room, and without its cells if there is no room for these; `listed` makes it what is listed. */
const keepFault = ({ faults }: ImportReport, fault: FaultItem, listed = (one: FaultItem) => one) => {
  if (faults.length >= most.faults) return
  const { cells, ...rest } = fault
  const letters = (lettersIn.get(faults) ?? 0) + lettersOf(cells)
  const hasRoom = letters <= sizes.refusedLetters.most
  if (hasRoom) lettersIn.set(faults, letters)
  faults.push(listed(hasRoom ? fault : rest))
}

/** Lists the refused rows of a part. What was counted for a list that fits isn't counted again. */
const addFaults = (report: ImportReport, { faults: more }: ImportReport) => {
  const { faults } = report
  const letters = (lettersIn.get(faults) ?? 0) + (lettersIn.get(more) ?? Number.POSITIVE_INFINITY)
  if (faults.length + more.length > most.faults || letters > sizes.refusedLetters.most)
    for (const one of more) keepFault(report, one)
  else {
    for (const one of more) faults.push(one)
    lettersIn.set(faults, letters)
  }
}

/** How many letters the cells in a list of refused rows have. */
const lettersIn = new WeakMap<FaultItem[], number>()

/** How many letters the cells of a row have. Those that are no texts count as JSON. */
export const lettersOf = (cells: FaultItem['cells']) =>
  Object.values(cells ?? {}).reduce<number>(
    (sum, cell) => sum + (typeof cell === 'string' ? cell : (JSON.stringify(cell) ?? '')).length,
    0,
  )

const finding =
  <L extends 'kept' | 'missing' | 'changes' | 'left'>(list: L, count: `${L extends 'changes' ? 'change' : L}Count`) =>
  (report: ImportReport, one: ImportReport[L][number]) => {
    const found: object[] = report[list]
    report[count]++
    if (found.length < mostOf[list]) found.push(one)
  }
const mostOf = { kept: most.found, missing: most.found, left: most.found, changes: most.changes }

/** Counts a kept field. The first thousand are listed. */
export const addKept = finding('kept', 'keptCount')
/** Counts a missing card. The first thousand are listed. */
export const addMissing = finding('missing', 'missingCount')
/** Counts a change. The first ten thousand are listed. */
export const addChange = finding('changes', 'changeCount')
/** Counts a record that an undo left as it is. The first thousand are listed. */
export const addLeft = finding('left', 'leftCount')

/** A copy of a report that can be added to without changing the original. */
export const copyReport = (report: ImportReport): ImportReport => {
  const { faults, kept, missing, changes, left, ...counts } = report
  const copied = [...faults]
  lettersIn.set(copied, lettersIn.get(faults) ?? 0)
  const lists = { faults: copied, kept: [...kept], missing: [...missing], changes: [...changes], left: [...left] }
  return { ...structuredClone(counts), ...lists }
}

/** Adds a note under its rule. */
export const addNote = (report: ImportReport, note: NoteItem) => {
  const notes = report.notes[note.rule] ?? { count: 0, examples: [] }
  report.notes[note.rule] = notes
  notes.count++
  report.parallelsLeftOut += note.cards ?? 0
  if (notes.examples.length < report.keptNotes) notes.examples.push(storable(note))
}

/** Counts a card under the rule that read its name. */
export const countRule = ({ rules }: ImportReport, { rule }: CardItem) => {
  if (rule) rules[rule] = (rules[rule] ?? 0) + 1
}

/** Adds the report of a part of an import to `report`. */
export const addReport = (report: ImportReport, part: ImportReport) => {
  for (const kind of ['sets', 'cards', 'records'] as const) addCounts(report[kind], part[kind])
  for (const kind of summed) report[kind] += part[kind]
  for (const list of ['kept', 'missing', 'changes', 'left'] as const) {
    const found: object[] = report[list]
    found.push(...part[list].slice(0, Math.max(0, mostOf[list] - found.length)))
  }
  addCounts(report.forms, part.forms)
  addCounts(report.rules, part.rules)
  addFaults(report, part)
  report.refusedNumbers.push(...part.refusedNumbers.slice(0, Math.max(0, most.numbers - report.refusedNumbers.length)))
  for (const [rule, { count, examples }] of Object.entries(part.notes)) {
    const notes = report.notes[rule] ?? { count: 0, examples: [] }
    report.notes[rule] = notes
    notes.count += count
    notes.examples.push(...examples.slice(0, Math.max(0, report.keptNotes - notes.examples.length)))
  }
}

const summed = [
  ...(['files', 'players', 'teams', 'playerTeams', 'labels', 'years', 'parallelsLeftOut', 'faultCount'] as const),
  ...(['keptCount', 'missingCount', 'pruned', 'changeCount', 'leftCount', 'deleted', 'putBack'] as const),
] as const

const addCounts = (counts: Record<string, number>, more: Record<string, number>) => {
  for (const [name, count] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + count
}
