import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { refuseOnMirror } from '../access/mirror.ts'
import { readChecklist } from '../catalog/import/read/checklist.ts'
import { writeChecklist } from '../catalog/import/write/checklist.ts'
import type { ImportReport } from '../catalog/import/write/report.ts'
import type { Context } from '../context.ts'
import { counted } from '../lib/counted.ts'
import { answer, jsonFlag } from './answers.ts'
import { type Command, type ExitCode, Failed, type Io } from './command.ts'
import { readFlags } from './flags.ts'
import { showProgress } from './progress.ts'

type Flags = { publish?: boolean; parallels?: boolean; notes?: boolean; json?: boolean }

/** The command `import`: checklists into the catalog. It may run twice, and may be killed and run again. */
export const importCommand: Command = {
  name: 'import',
  summary: 'read checklists: a file, a folder, a .tar, or - for standard input',
  help: `Usage: cardstock import FILE [--publish] [--parallels] [--notes] [--json]

Reads checklists into the catalog: CSV with a header row, JSON Lines, or release files of the CardLists collection; one file,
a folder of them, or a .tar (also .tar.gz and .tar.xz). - is standard input. It creates what is missing and updates what is
there. A row that says nothing new changes nothing, so you can run an import again. Bad rows are reported with file and line,
and the rest is imported; the exit code is then 1, as it is when nothing in the file is a checklist.

Columns: genre, year, manufacturer, brand, set, parent_set, number, player, team, title, attributes, serial_number, notes.
Separate several players, teams or attributes in a cell with |. The output of cardstock export works, too.

  --publish    publish the sets
  --parallels  make child sets of a release's parallels and variations, too
  --notes      show every row that was hard to read, not only some
  --json       print the report as one JSON object, with all notes
`,
  run: async (context, args, io) => {
    const options = { type: 'boolean' } as const
    const { flags, words } = readFlags(args, { ...jsonFlag, publish: options, parallels: options, notes: options }, [
      'FILE',
    ])
    return importFrom(context, words[0] ?? '', flags, io)
  },
}

const importFrom = async ({ db, clock }: Context, path: string, flags: Flags, io: Io): Promise<ExitCode> => {
  await refuseOnMirror(db)
  const source = path === '-' ? { name: 'standard input', stream: io.stdin } : { path: resolve(io.cwd, path) }
  if (source.path !== undefined && !existsSync(source.path)) throw new Failed(`There is no file or folder ${path}.`)
  const progress = showProgress(io.stderr)
  const started = performance.now()
  const report = await writeChecklist(db, readChecklist(source, { parallels: flags.parallels }), {
    publish: flags.publish ?? false,
    now: clock.now,
    allNotes: Boolean(flags.json || flags.notes),
    agent: 'command-line',
    signal: io.signal,
    progress: (done) => progress.tell(() => tellDone(done, started)),
  })
  await progress.end()
  const seconds = (performance.now() - started) / 1000
  const { keptNotes: _, ...facts } = report
  const lines = [...describeImport(report, flags.notes ?? false), '', `It took ${seconds.toFixed(1)} s.`]
  await answer(io, flags.json, { ...facts, seconds: Number(seconds.toFixed(3)) }, lines)
  return report.faultCount > 0 ? 1 : 0
}

const tellDone = ({ cards, sets, files }: ImportReport, started: number) => {
  const done = cards.created + cards.updated + cards.unchanged
  const seconds = (performance.now() - started) / 1000
  const rate = Math.round(done / seconds)
  const seen = [counted(sets.created + sets.updated + sets.unchanged, 'set'), counted(files, 'file')]
  return `${counted(done, 'card')} in ${seen.join(', ')}, ${counted(rate, 'card')} a second`
}

/** The report of an import in readable lines. `allNotes`: every note, not some of each rule. */
const describeImport = (report: ImportReport, allNotes: boolean): string[] => [
  describeFiles(report),
  ...(
    [
      ['sets', report.sets],
      ['cards', report.cards],
      ['records', report.records],
    ] as const
  )
    .filter(([name, one]) => name !== 'records' || total(one) > 0)
    .map(([name, one]) => `${name.padEnd(8)} ${outcomes(one)}`),
  `made     ${counted(report.players, 'player')}, ${counted(report.teams, 'team')}, ${counted(report.playerTeams, 'player-team')}, ${counted(report.labels, 'other')} (genres, years, makers, codes)`,
  ...describeRules(report),
  ...describeNotes(report, allNotes),
  ...describeFaults(report),
]

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
  skipped: ['passed over', 'passed over'],
}

const describeFiles = ({ files, forms: found }: ImportReport) => {
  const parts = Object.entries(found).map(([form, times]) => `${number(times)} ${forms[form]?.[times === 1 ? 0 : 1]}`)
  return `files    ${number(files)}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`
}

const describeRules = ({ rules }: ImportReport) => {
  const rows = Object.entries(rules).toSorted(([, a], [, b]) => b - a)
  if (rows.length === 0) return []
  return ['', 'Cards by how their name was read:', ...rows.map(([rule, cards]) => `  ${cell(cards)}  ${rule}`)]
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
      ...(more > 0 ? [`             and ${number(more)} more`] : []),
    ]
  })
  return ['', `Worth knowing of rows that are in${all ? '' : ' (--notes shows all)'}:`, ...lines]
}

const describeFaults = ({ faults, faultCount }: ImportReport) => {
  if (faultCount === 0) return []
  const more = faultCount - faults.length
  return [
    '',
    `${counted(faultCount, 'row')} refused; the rest is in:`,
    ...faults.map(({ file, line, reason }) => `  ${place(file, line)}: ${reason}`),
    ...(more > 0 ? [`  and ${number(more)} more`] : []),
  ]
}

/** Where something stands: the file and, where rows have lines, the line. */
const place = (file: string, line: number) => (line > 0 ? `${file}:${line}` : file)
