import { sizes } from '../../../limits.ts'
import type { CardItem, FaultItem, FileItem, NameRule, NoteItem } from '../read/item.ts'

export type Counts = { created: number; updated: number; unchanged: number; failed: number }
type Notes = { count: number; examples: NoteItem[] }

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
  faults: FaultItem[]
  /** Refused rows in all; `faults` holds the first thousand. */
  faultCount: number
  notes: Record<string, Notes>
  keptNotes: number
}

const none = (): Counts => ({ created: 0, updated: 0, unchanged: 0, failed: 0 })
const kept = { faults: sizes.badRows.most, examples: 5 }

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
  parallelsLeftOut: 0,
  rules: {},
  faults: [],
  faultCount: 0,
  notes: {},
  keptNotes: allNotes ? Number.POSITIVE_INFINITY : kept.examples,
})

/** Counts a file. */
export const countFile = (report: ImportReport, { form }: FileItem) => {
  report.files++
  report.forms[form] = (report.forms[form] ?? 0) + 1
}

/** Adds a refused row; the first thousand are kept with their reasons. */
export const addFault = (report: ImportReport, fault: FaultItem) => {
  report.faultCount++
  if (report.faults.length < kept.faults) report.faults.push(fault)
}

/** Adds a note under its rule. */
export const addNote = (report: ImportReport, note: NoteItem) => {
  const notes = report.notes[note.rule] ?? { count: 0, examples: [] }
  report.notes[note.rule] = notes
  notes.count++
  report.parallelsLeftOut += note.cards ?? 0
  if (notes.examples.length < report.keptNotes) notes.examples.push(note)
}

/** Counts a card under the rule that read its name. */
export const countRule = ({ rules }: ImportReport, { rule }: CardItem) => {
  if (rule) rules[rule] = (rules[rule] ?? 0) + 1
}

/** Adds what a part of an import did to what was done before it. */
export const addReport = (report: ImportReport, part: ImportReport) => {
  for (const kind of ['sets', 'cards', 'records'] as const) addCounts(report[kind], part[kind])
  for (const kind of ['files', 'players', 'teams', 'playerTeams', 'labels', 'parallelsLeftOut', 'faultCount'] as const)
    report[kind] += part[kind]
  addCounts(report.forms, part.forms)
  addCounts(report.rules, part.rules)
  report.faults.push(...part.faults.slice(0, Math.max(0, kept.faults - report.faults.length)))
  for (const [rule, { count, examples }] of Object.entries(part.notes)) {
    const notes = report.notes[rule] ?? { count: 0, examples: [] }
    report.notes[rule] = notes
    notes.count += count
    notes.examples.push(...examples.slice(0, Math.max(0, report.keptNotes - notes.examples.length)))
  }
}

const addCounts = (counts: Record<string, number>, more: Record<string, number>) => {
  for (const [name, count] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + count
}
