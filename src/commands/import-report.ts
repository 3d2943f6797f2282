import type { ImportReport } from '../catalog/import/write/report.ts'
import { counted } from '../lib/counted.ts'
import { sizes } from '../limits.ts'

/** A record that an import created, with its URL. */
type Made = { type: string; name: string; context: string | null; url: string }

/** An import's report in readable lines. With `allNotes`, every note instead of a few per rule. `isDry` is that of a dry run. */
export const describeImport = (report: ImportReport, made: Made[], allNotes: boolean, isDry = false): string[] => [
  ...describeUnread(report),
  describeFiles(report),
  `sets     ${outcomes(report.sets)}`,
  `cards    ${outcomes(report.cards)}`,
  ...lineIf(total(report.records) > 0, `records  ${outcomes(report.records)}`),
  `created  ${counted(report.players, 'player')}, ${counted(report.teams, 'team')}, ${counted(report.playerTeams, 'player-team')}, ${counted(report.years, 'year')}, ${counted(report.labels - report.years, 'other')} (genres, makers, codes)`,
  ...lineIf(
    report.parallelsLeftOut > 0,
    `left out ${counted(report.parallelsLeftOut, 'card')} of parallels (--parallels includes them)`,
  ),
  ...lineIf(
    report.keptCount > 0,
    `kept     ${counted(report.keptCount, 'field')} that somebody changed (--overwrite uses the file's values)`,
  ),
  ...lineIf(
    report.missingCount > 0,
    `missing  ${counted(report.missingCount, 'card')} of these sets not in the file, ${number(report.pruned)} deleted${report.pruned ? '' : ' (--prune deletes them)'}`,
  ),
  ...describeMade(made, allNotes),
  ...describeRules(report),
  ...describeLists(report, allNotes),
  ...describeNotes(report, allNotes),
  ...describeFaults(report, isDry),
]

const lineIf = (isShown: boolean, line: string) => (isShown ? [line] : [])

/** The URLs of new sets. */
const describeMade = (made: Made[], all: boolean) => {
  const sets = made.filter(({ type }) => type === 'sets')
  return describeList('New sets', sets.length, all, sets, ({ name, context, url }) =>
    context ? `${context} › ${name}: ${url}` : `${name}: ${url}`,
  )
}

/** Unread columns come first, since they matter most. */
const describeUnread = ({ notes }: ImportReport) => {
  const { examples = [], count = 0 } = notes['unread-column'] ?? {}
  if (count === 0) return []
  const names = [...new Set(examples.map(({ text }) => text))]
  return [
    `not read ${names.join(', ')}${count > examples.length ? `, and ${number(count - examples.length)} more` : ''}`,
  ]
}

const number = (value: number) => value.toLocaleString('en')

type Outcomes = ImportReport['cards']
const total = ({ created, updated, unchanged, failed }: Outcomes) => created + updated + unchanged + failed

const outcomes = ({ created, updated, unchanged, failed }: Outcomes) =>
  `${number(created)} created, ${number(updated)} updated, ${number(unchanged)} unchanged${failed ? `, ${number(failed)} refused` : ''}`

const forms: Record<string, [one: string, several: string]> = {
  release: ['release', 'releases'],
  csv: ['table', 'tables'],
  'json-lines': ['file of JSON Lines', 'files of JSON Lines'],
  rows: ['list of rows', 'lists of rows'],
  skipped: ['skipped', 'skipped'],
}

const describeFiles = ({ files, forms: found }: ImportReport) => {
  const parts = Object.entries(found).map(([form, times]) => `${number(times)} ${forms[form]?.[times === 1 ? 0 : 1]}`)
  return `files    ${number(files)}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`
}

const describeRules = ({ rules }: ImportReport) => {
  const rows = Object.entries(rules).toSorted(([, a], [, b]) => b - a)
  if (rows.length === 0) return []
  return ['', 'Cards by how their names were read:', ...rows.map(([rule, cards]) => `  ${cell(cards)}  ${rule}`)]
}

const cell = (value: number) => number(value).padStart(9)

const describeNotes = ({ notes }: ImportReport, all: boolean) => {
  const rows = Object.entries(notes).toSorted(([, a], [, b]) => b.count - a.count)
  if (rows.length === 0) return []
  const lines = rows.flatMap(([rule, { count: times, examples }]) => {
    const shown = all ? examples : examples.slice(0, 3)
    const more = times - shown.length
    return [
      `  ${cell(times)}  ${rule}`,
      ...shown.map(({ file, line, text }) => `             ${place(file, line)}: ${text}`),
      ...lineIf(more > 0, `             and ${number(more)} more`),
    ]
  })
  return ['', `Notes on imported rows${all ? '' : ' (--notes shows all)'}:`, ...lines]
}

const describeFaults = (report: ImportReport, isDry: boolean) => {
  const { faultCount, sets, cards, records } = report
  const faults = report.faults.slice(0, sizes.badRows.most)
  if (faultCount === 0) return []
  const isSomeImported = !isDry && [sets, cards, records].some((one) => total(one) > one.failed)
  const more = faultCount - faults.length
  return [
    '',
    `${counted(faultCount, 'row')} refused${isSomeImported ? ' (the rest was imported)' : ''}:`,
    ...faults.map(({ file, line, reason }) => `  ${place(file, line)}: ${reason}`),
    ...lineIf(more > 0, `  and ${number(more)} more`),
  ]
}

/** What was kept, what is missing and, in a dry run, what would change: the first few of each, or all of them. */
const describeLists = (report: ImportReport, all: boolean) => [
  ...describeList('Kept because somebody changed it', report.keptCount, all, report.kept, (one) => {
    return `${one.name}: ${one.field} is ${shown(one.kept)}; the file says ${shown(one.said)}`
  }),
  ...describeList('Missing from the file', report.missingCount, all, report.missing, ({ name, deleted }) =>
    deleted ? `${name}: deleted` : name,
  ),
  ...describeList('Changes', report.changeCount, all, report.changes, ({ type, name, before, after }) => {
    const to = Object.entries(after).map(([field, value]) =>
      before
        ? `${field} ${shown((before as Record<string, unknown>)[field])} → ${shown(value)}`
        : `${field} ${shown(value)}`,
    )
    return `${before ? '' : 'new '}${type.slice(0, -1)} ${name}: ${to.join(', ')}`
  }),
]

const fewLines = 20

const describeList = <T>(title: string, count: number, all: boolean, list: T[], say: (one: T) => string) => {
  if (count === 0) return []
  const some = all ? list : list.slice(0, fewLines)
  const more = count - some.length
  return ['', `${title}:`, ...some.map((one) => `  ${say(one)}`), ...lineIf(more > 0, `  and ${number(more)} more`)]
}

const shown = (value: unknown) =>
  typeof value === 'string' ? value : value === null ? 'nothing' : JSON.stringify(value)

/** A place in a file. `line` is 0 in files without lines. */
const place = (file: string, line: number) => (line > 0 ? `${file}:${line}` : file)

/** An undo's report in readable lines. */
export const describeUndo = (report: ImportReport): string[] => [
  `deleted  ${counted(report.deleted, 'record')}`,
  `restored ${counted(report.putBack, 'record')}`,
  ...describeList('Left alone', report.leftCount, false, report.left, ({ name, reason }) => `${name}: ${reason}`),
]
