import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { refuseOnMirror } from '../access/mirror.ts'
import { type ReadOptions, readChecklist } from '../catalog/import/read/checklist.ts'
import { readHeadingMap } from '../catalog/import/read/rows/row.ts'
import { isEncoding } from '../catalog/import/read/source/text.ts'
import { undoImport } from '../catalog/import/undo/undo.ts'
import { writeChecklist } from '../catalog/import/write/checklist.ts'
import type { ImportReport } from '../catalog/import/write/report.ts'
import type { Context } from '../context.ts'
import { whyUnwritable } from '../files/writable.ts'
import { isUuid } from '../jsonapi/fields.ts'
import { counted } from '../lib/counted.ts'
import { fileReason } from '../lib/file-fault.ts'
import { sizes } from '../limits.ts'
import { listImports } from '../operations/imports/list.ts'
import { listMade } from '../operations/imports/made.ts'
import { csvOf } from '../operations/imports/refused.ts'
import { beginRun, endBroken, endRun, findRun, logUndone, showAlive } from '../operations/imports/runs.ts'
import { answer, jsonFlag } from './answers.ts'
import { type Command, type ExitCode, Failed, type Io, WrongUsage } from './command.ts'
import { on, readFlags, text } from './flags.ts'
import { describeImport, describeUndo } from './import-report.ts'
import { showProgress } from './progress.ts'

const flagsTaken = {
  ...{ list: on, publish: on, parallels: on, overwrite: on, prune: on, 'clear-missing': on, hidden: on },
  ...{ 'dry-run': on, notes: on },
  ...{ undo: text, refused: text, encoding: text },
  map: { ...text, multiple: true },
  ...jsonFlag,
} as const
type Flags = ReturnType<typeof readFlags<typeof flagsTaken>>['flags']

/** The command `import`: reads checklists into the catalog. It is safe to run twice, and to run again after a kill. */
export const importCommand: Command = {
  name: 'import',
  summary: 'read checklists into the catalog: a file, a folder, a .tar, a .zip, or - for standard input',
  help: `Usage: cardstock import FILE [--dry-run] [--publish] [--parallels] [--overwrite] [--prune]
       [--clear-missing] [--map 'HEADING=COLUMN']... [--encoding NAME] [--hidden] [--refused FILE]
       [--notes] [--json]
       cardstock import --list [--json]
       cardstock import --undo ID [--json]

Reads checklists into the catalog: CSV with a header row, .xlsx, JSON Lines, release files of the CardLists collection or of
pokemon-tcg-data, bulk files of Scryfall, or YAML of the open checklist project. FILE is one file, a folder of them, a .zip,
a .tar (also .tar.gz and .tar.xz), or - for standard input. Import creates what is missing and updates what exists. A row
that says nothing new changes nothing, so you can run an import again. Bad rows are reported with file and line, and the rest
is imported. The exit code is then 1, and also if nothing in the file is a checklist.

Columns: genre, year, manufacturer, brand, set, parent_set, subset, parallel, number, player, team, title, attributes,
serial_number, print_run, notes. Separate several players, teams or attributes in a cell with |. Headings from other
checklists (Card #, Athlete, Card Set, Product, Variety, Numbered To ...) work in any spelling. A table needs a set, a number,
and a player or a title. A parallel's name creates a child set. A row with a value that a spreadsheet mangled is refused. The
output of cardstock export works, too.

  --dry-run    write nothing; show what would change
  --publish    publish the sets
  --parallels  create child sets for a release's parallels and variations, too
  --overwrite  overwrite fields that somebody changed since an import last set them; without
               this flag they are kept and listed
  --prune      delete cards of the file's sets that are not in the file, except those that a
               person added or changed
  --clear-missing
               clear fields that the file has no column for; without this flag they stay
  --list       list the imports that can be undone, including interrupted ones
  --undo ID    undo an import within 30 days, by the id it printed. This deletes what the
               import created and restores the fields it changed, except what was touched
               since: that is listed. An interrupted import can be undone, too. One that a
               command is still running stops first
  --refused FILE
               write the refused rows to FILE, to fix and import again
  --map 'HEADING=COLUMN'
               read another heading as a column, or with 'HEADING=' not at all; repeatable
  --encoding NAME
               the text encoding, such as windows-1252; detected by default
  --hidden     read the hidden rows, columns and sheets of workbooks, too
  --notes      show every row that was hard to read instead of only some
  --json       print the report, with all notes, as one JSON object
`,
  run: async (context, args, io) => {
    const { flags, words } = readFlags(args, flagsTaken, ['FILE'], { modes: ['list', 'undo'] })
    if (flags.list) return list(context, flags, io)
    if (flags.undo !== undefined) return undo(context, flags.undo, flags, io)
    return importFrom(context, words[0] ?? '', flags, io)
  },
}

const importFrom = async ({ config, db, clock }: Context, path: string, flags: Flags, io: Io): Promise<ExitCode> => {
  await refuseOnMirror(db)
  const options = readOptions(flags)
  const source = path === '-' ? { name: 'standard input', stream: io.stdin } : { path: resolve(io.cwd, path) }
  if (source.path !== undefined && !existsSync(source.path)) throw new Failed(`There is no file or folder ${path}.`)
  const refused = flags.refused === undefined ? undefined : resolve(io.cwd, flags.refused)
  const unwritable = refused && (await whyUnwritable(refused))
  if (unwritable) throw new Failed(`${refused} cannot be written: ${unwritable}`)
  const progress = showProgress(io.stderr)
  const started = performance.now()
  const isDry = flags['dry-run'] ?? false
  const id = Bun.randomUUIDv7()
  if (!isDry) await beginRun(db, { id, name: path, agent: 'command-line' }, clock.now())
  const stopSigns = isDry ? () => {} : await showAlive(db, id, clock)
  const report = await writeChecklist(db, readChecklist(source, options), {
    ...{ id, publish: flags.publish ?? false, overwrite: flags.overwrite, prune: flags.prune, dryRun: isDry },
    clearMissing: flags['clear-missing'],
    now: clock.now,
    allNotes: Boolean(flags.json || flags.notes),
    agent: 'command-line',
    signal: io.signal,
    progress: (done) => progress.tell(() => tellDone(done, started)),
  }).finally(stopSigns)
  if (!isDry) await db.transaction((tx) => endRun(tx, id, report, clock.now()))
  await progress.end()
  const seconds = (performance.now() - started) / 1000
  const {
    keptNotes: _,
    refusedNumbers: __,
    ...facts
  } = { ...report, faults: report.faults.slice(0, sizes.badRows.most) }
  const made = isDry ? [] : await listMade(db, id, config.baseUrl)
  const lines = [
    ...describeImport(report, made, flags.notes ?? false, isDry),
    '',
    `Took ${seconds.toFixed(1)} s.`,
    isDry ? 'This was a dry run: nothing was written.' : `To undo it: cardstock import --undo ${id}`,
  ]
  await answer(io, flags.json, { ...(isDry ? {} : { id }), ...facts, made, seconds: Number(seconds.toFixed(3)) }, lines)
  if (refused !== undefined)
    await writeRefused(refused, csvOf(report.faults, options.map), io.umask).catch((error) => {
      throw new Failed(`${refused} cannot be written: ${fileReason(error)}`)
    })
  return report.faultCount > 0 ? 1 : 0
}

/** Writes the refused rows. A new file gets the mode that the caller's umask gives. */
const writeRefused = async (path: string, rows: string, umask: number) => {
  const isNew = !existsSync(path)
  await writeFile(path, rows)
  if (isNew) await chmod(path, 0o666 & ~umask)
}

const listedMost = 50

const list = async ({ db, clock }: Context, flags: Flags, io: Io): Promise<ExitCode> => {
  const { imports } = await listImports(db, { limit: listedMost, offset: 0 }, clock.now())
  const undoable = imports.filter((one) => one.can_be_undone && !one.undone)
  const lines = undoable.map(({ id, created_at: at, status, file }) => `${id}  ${at}  ${status.padEnd(9)}  ${file}`)
  await answer(io, flags.json, { imports: undoable }, lines.length > 0 ? lines : ['No import can be undone.'])
  return 0
}

const undo = async ({ db, clock }: Context, id: string, flags: Flags, io: Io): Promise<ExitCode> => {
  await refuseOnMirror(db)
  const run = isUuid(id) ? await findRun(db, id.toLowerCase(), clock.now()) : undefined
  if (!run) throw new Failed(`There is no import ${id}, or it can no longer be undone.`)
  if (!run.isDone && !(await endBroken(db, run.id, clock.now())))
    throw new Failed('The server is still running this import.')
  const report = await undoImport(db, run.id, { now: clock.now, agent: 'command-line', signal: io.signal })
  await db.transaction((tx) => logUndone(tx, run.id, report, { agent: 'command-line', now: clock.now() }))
  const { deleted, putBack, left, leftCount } = report
  await answer(io, flags.json, { deleted, putBack, left, leftCount }, describeUndo(report))
  return 0
}

const readOptions = ({ parallels, map = [], encoding, hidden }: Flags): ReadOptions => {
  const { headings, wrong } = readHeadingMap(map)
  if (wrong) throw new WrongUsage(`--map: ${wrong}`)
  if (encoding !== undefined && !isEncoding(encoding)) throw new WrongUsage(`--encoding ${encoding} is unknown`)
  return { parallels, map: headings, encoding, hidden }
}

const tellDone = ({ cards, sets, files }: ImportReport, started: number) => {
  const done = cards.created + cards.updated + cards.unchanged
  const seconds = (performance.now() - started) / 1000
  const rate = Math.round(done / seconds)
  const seen = [counted(sets.created + sets.updated + sets.unchanged, 'set'), counted(files, 'file')]
  return `${counted(done, 'card')} in ${seen.join(', ')}, ${counted(rate, 'card')} a second`
}
