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
import { describeImport } from './import-report.ts'
import { showProgress } from './progress.ts'

type Flags = { publish?: boolean; parallels?: boolean; notes?: boolean; json?: boolean }

/** The command `import`: checklists into the catalog. It may run twice, be killed and run again. */
export const importCommand: Command = {
  name: 'import',
  summary: 'read checklists: a file, a folder, a .tar, or - for standard input',
  help: `Usage: cardstock import FILE [--publish] [--parallels] [--notes] [--json]

Reads a checklist into the catalog: CSV with a header row, JSON Lines, or release files of the CardLists collection; one
file, a folder of them, or a .tar (also .tar.gz and .tar.xz). - is standard input. What is missing is made, what is there
is updated, and a row that says nothing new changes nothing, so that an import may be repeated. A bad row is reported with
its file and line, and the rest is imported; the exit code is then 1. So it is where there is no checklist in it.

Columns: genre, year, manufacturer, brand, set, parent_set, number, player, team, title, attributes, serial_number, notes.
Several players, teams or attributes in a cell are separated by |. What cardstock export writes is read too.

  --publish    publish the sets
  --parallels  make child sets of a release's parallels and variations, too
  --notes      tell every row that was read with a doubt, not only some
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
