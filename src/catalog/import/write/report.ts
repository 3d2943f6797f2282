import { storable } from '../../../jsonapi/text-faults.ts'
import { sizes } from '../../../limits.ts'
import type { CardItem, FaultItem, FileItem, NameRule, NoteItem } from '../read/item.ts'
import type { KeptField } from './kept.ts'

export type Counts = { created: number; updated: number; unchanged: number; failed: number }
type Notes = { count: number; examples: NoteItem[] }

/** A field that the import left as somebody had changed it, of which record. */
type Kept = KeptField & { type: string; id: string; name: string }

/** A card of a set of the file that the file does not have. */
export type Missing = { id: string; set_id: string; name: string; deleted: boolean }

/** What an import would make of a record: its changed fields before and after; `before` is null for a new one. */
export type Change = { type: string; id: string; name: string; before: object | null; after: object }

/** What undoing an import left as it is, and why. */
type Left = { type: string; id: string; name: string; reason: string }

/** What an import did: counts by type, the rows that were refused, and what is worth knowing of those that were not. */
export type ImportReport = {
  files: number
  /** Files by how they were read. */
  forms: Partial<Record<FileItem['form'], number>>
  sets: Counts
  cards: Counts
  /** Records of an export that are neither sets nor cards. */
  records: Counts
  /** Made because a row named them. */
  players: number
  teams: number
  playerTeams: number
  labels: number
  /** Cards of parallels and variations in a release that the import did not request. */
  parallelsLeftOut: number
  /** Cards by the rule that read their name; those whose columns say it themselves are in none. */
  rules: Partial<Record<NameRule, number>>
  /** Years among the labels. */
  years: number
  faults: FaultItem[]
  /** Refused rows in all; `faults` holds the first thousand. */
  faultCount: number
  /** The numbers that refused rows name: the cards that have them may be theirs. The first thousand. */
  refusedNumbers: string[]
  /** Fields in all; the list holds the first thousand. */
  kept: Kept[]
  keptCount: number
  /** Cards in all; the list holds the first thousand. */
  missing: Missing[]
  missingCount: number
  /** Missing cards that the import deleted. */
  pruned: number
  /** Of a dry run: the first ten thousand. */
  changes: Change[]
  changeCount: number
  /** Of an undo: records that it deleted, and those whose fields it put back. */
  deleted: number
  putBack: number
  /** Of an undo: records that it left, in all; the list holds the first thousand. */
  left: Left[]
  leftCount: number
  notes: Record<string, Notes>
  keptNotes: number
}

const none = (): Counts => ({ created: 0, updated: 0, unchanged: 0, failed: 0 })
const most = { faults: sizes.badRows.most, found: sizes.findings.most, changes: sizes.dryRunChanges.most, examples: 5 }

/** An empty report, which will keep all notes or the first few of each rule. */
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

/** Adds a refused row; the first thousand are kept with their reasons, as far as a database holds what is in them. */
export const addFault = (report: ImportReport, fault: FaultItem) => {
  report.faultCount++
  if (report.faults.length < most.faults) report.faults.push(storable(fault))
  if (fault.number && report.refusedNumbers.length < most.faults) report.refusedNumbers.push(fault.number)
}

const finding =
  <L extends 'kept' | 'missing' | 'changes' | 'left'>(list: L, count: `${L extends 'changes' ? 'change' : L}Count`) =>
  (report: ImportReport, one: ImportReport[L][number]) => {
    const found: object[] = report[list]
    report[count]++
    if (found.length < mostOf[list]) found.push(one)
  }
const mostOf = { kept: most.found, missing: most.found, left: most.found, changes: most.changes }

/** Adds a field that was kept; the first thousand are listed. */
export const addKept = finding('kept', 'keptCount')
/** Adds a missing card; the first thousand are listed. */
export const addMissing = finding('missing', 'missingCount')
/** Adds what would change; the first ten thousand are listed. */
export const addChange = finding('changes', 'changeCount')
/** Adds what an undo left; the first thousand are listed. */
export const addLeft = finding('left', 'leftCount')

/** A report to add to, whose lists and counts are its own. */
export const copyReport = (report: ImportReport): ImportReport => {
  const { faults, kept, missing, changes, left, ...counts } = report
  const lists = { faults: [...faults], kept: [...kept], missing: [...missing], changes: [...changes], left: [...left] }
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

/** Adds what a part of an import did to what was done before it. */
export const addReport = (report: ImportReport, part: ImportReport) => {
  for (const kind of ['sets', 'cards', 'records'] as const) addCounts(report[kind], part[kind])
  for (const kind of summed) report[kind] += part[kind]
  for (const list of ['kept', 'missing', 'changes', 'left'] as const) {
    const found: object[] = report[list]
    found.push(...part[list].slice(0, Math.max(0, mostOf[list] - found.length)))
  }
  addCounts(report.forms, part.forms)
  addCounts(report.rules, part.rules)
  for (const list of ['faults', 'refusedNumbers'] as const) {
    const known: unknown[] = report[list]
    known.push(...part[list].slice(0, Math.max(0, most.faults - known.length)))
  }
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
