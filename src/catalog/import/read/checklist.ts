import { fileFault, fileReason } from '../../../lib/file-fault.ts'
import { turnsFor } from '../../../lib/yield-to-event-loop.ts'
import { neitherKind, readListed, readObjects } from './catalogs/objects.ts'
import { endOpenChecklists, readOpenChecklist } from './catalogs/open-checklist.ts'
import { readPokemonFile } from './catalogs/pokemon.ts'
import type { ImportItem, NoteRule } from './item.ts'
import { readRelease } from './release/release.ts'
import { isRelease, readReleaseDocument, releaseExcess } from './release/release-document.ts'
import type { FindColumn } from './rows/header.ts'
import { isRow, readObjectLines } from './rows/json-rows.ts'
import type { HeadingMap } from './rows/row.ts'
import { prepareDates } from './rows/spoiled.ts'
import { readTable } from './rows/table.ts'
import { beginRun, fault, note, type Place, type Run } from './run.ts'
import { readElements } from './source/elements.ts'
import { DoubtfulEncoding, encodingName } from './source/encodings.ts'
import { readJsonPieces, TooMuchJson } from './source/json.ts'
import { peek } from './source/peek.ts'
import { faultIn, openSource, type Source, type SourceFile } from './source/source.ts'
import { isUtf32, readText } from './source/text.ts'
import { countUnpacked } from './source/unpack.ts'
import { DamagedZip } from './source/zip.ts'

/**
 * `parallels`: make child sets of a release's parallels and variations, too. `map`: what other headings of tables mean.
 * `mapWith`: how the caller of the import says so, for messages. `encoding`: of text, where it is not the one that the bytes
 * show. `hidden`: read what is hidden in workbooks, too.
 */
export type ReadOptions = {
  parallels?: boolean
  map?: HeadingMap
  mapWith?: string
  encoding?: string
  hidden?: boolean
}

/** The largest JSON document that is read; a file of rows may be of any size. */
const largestDocument = 32 * 1024 * 1024

/**
 * Reads checklists into items, one row or release at a time, and each set before its cards. What can't be read becomes a fault
 * among the items, never an exception. Other requests get their turns. The same input gives the same items, so a second import
 * finds the same records.
 */
export async function* readChecklist(source: Source, options: ReadOptions = {}): AsyncGenerator<ImportItem> {
  const run = beginRun({
    ...{ ...options, parallels: options.parallels ?? false, map: options.map ?? {} },
    mapWith: options.mapWith ?? "--map 'Heading=column'",
  })
  const name = 'stream' in source ? source.name : source.path
  let file = name
  const giveTurn = turnsFor()
  try {
    for await (const each of openSource(source, countUnpacked(), { hidden: options.hidden })) {
      file = each.name
      yield* readOne(run, each, giveTurn)
    }
    if (!run.hasChecklist) yield fault({ file: name, line: 0 }, 'it contains no checklist')
  } catch (error) {
    const sentence = readError(error)
    if (sentence === null) throw error
    yield fault({ file, line: 0 }, sentence)
  }
  for (const waiting of run.pokemon.release()) yield* readPokemonFile(run, waiting)
  yield* endOpenChecklists(run)
}

/** The items of a file. One in a folder that can't be read is a fault, and the others are still read. */
async function* readOne(
  run: Run,
  file: SourceFile,
  giveTurn: () => Promise<void> | undefined,
): AsyncGenerator<ImportItem> {
  let items = 0
  try {
    for await (const part of readFile(run, file)) {
      for (const item of counted(run, part)) {
        yield item
        if (++items % itemsATurn === 0) await giveTurn()
      }
      await giveTurn()
    }
  } catch (error) {
    const reason = file.optional && file.folder ? fileFault(error) : undefined
    const damage = error instanceof DamagedZip || error instanceof DoubtfulEncoding ? error.message : undefined
    if (!reason && !damage) throw error
    yield* counted(run, refuse(run, { file: file.name, line: 0 }, damage ?? unreadable(reason ?? '')))
  }
}

/** After how many items of a part others may get a turn. */
const itemsATurn = 64

/** The items of a part. Counts those that import nothing. */
function* counted({ refuse }: Run, part: Iterable<ImportItem>): Generator<ImportItem> {
  for (const item of part) {
    if (item.kind === 'fault' || (item.kind === 'note' && noCards.has(item.rule))) refuse()
    yield item
  }
}

const noCards = new Set<NoteRule>(['no-card', 'skipped-file'])

/** The message for a file system error or an unreadable source. Null for a bug of our own. */
const readError = (error: unknown) => {
  const fault = faultIn(error)
  if (fault !== undefined) return fault
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? unreadable(fileReason(error))
    : null
}

const unreadable = (reason: string) => `The file cannot be read: ${reason}`

const isHidden = (name: string) => /(?:^|\/)\.(?!\/)/.test(name)
const checklistName = /\.(?:csv|tsv|txt|json|jsonl|ndjson|ya?ml)$/i
const yamlName = /\.ya?ml$/i

/** The items of a file in parts: an item that passes one asynchronous step after the other costs more than reading it. */
async function* readFile(run: Run, file: SourceFile): AsyncGenerator<Iterable<ImportItem>> {
  const place = { file: file.name, line: 0 }
  if (file.wrong !== undefined) return yield refuse(run, place, file.wrong)
  if (file.isHidden) return yield skip(place, hiddenNote('the sheet is hidden'))
  if (file.optional && isHidden(file.name)) return
  if (file.optional && !checklistName.test(file.name)) return yield skip(place, 'no checklist by its name')
  const { head, all } = await peek(file.bytes, 1 << 16)
  if (isUtf32(head)) return yield refuse(run, place, utf32)
  const form = yamlName.test(file.name) ? 'open checklist' : formOf(file.name, head, run.find)
  if (form === 'document') return yield* readDocument(run, file, all)
  await prepareDates()
  if (form === 'open checklist') return yield* readOpenChecklist(run, file, all)
  const text = readText(all, file.encoding ?? run.encoding)
  if (form === 'array') return yield* readObjects(run, file, 'rows', readElements(text))
  if (form === 'csv') {
    yield [{ kind: 'file', ...place, form }]
    yield (file.hidden ?? []).map((text) => note(place, 'hidden', hiddenNote(text)))
    yield* readTable(run, file, text)
  } else yield* readObjects(run, file, form, readObjectLines(run, text))
  if (!run.encoding && !text.encoding().startsWith('utf')) yield [note(place, 'read-as', encodingName(text.encoding()))]
}

const hiddenNote = (what: string) => `${what}: not read without the option hidden`

const utf32 = 'The file is UTF-32, which cannot be read. Save it as UTF-8, UTF-16 or Windows-1252.'

/** Refuses a whole file. */
const refuse = (run: Run, place: Place, reason: string): ImportItem[] => {
  run.hasChecklist = true
  return [{ kind: 'file', ...place, form: 'skipped' }, fault(place, reason)]
}

function* skip(place: Place, reason: string): Generator<ImportItem> {
  yield { kind: 'file', ...place, form: 'skipped' }
  yield note(place, 'skipped-file', reason)
}

/** The form of a file, from its first bytes. JSON Lines have a whole object on the first line, and a document spans several. */
const formOf = (name: string, head: Uint8Array, find: FindColumn): 'csv' | 'json-lines' | 'array' | 'document' => {
  const text = new TextDecoder(head[0] === 0xff ? 'utf-16le' : head[0] === 0xfe ? 'utf-16be' : 'utf-8')
    .decode(head)
    .trimStart()
  if (!/^[{[]/.test(text)) return /\.(?:jsonl|ndjson)$/i.test(name) ? 'json-lines' : 'csv'
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return 'json-lines'
  if (text.startsWith('[')) return 'array'
  const [first = '', second = ''] = text.split('\n').filter((line) => line.trim() !== '')
  const json = parseObject(first)
  if (isRelease(json)) return 'document'
  if (json) return isRow(json, find) || second.startsWith('{') ? 'json-lines' : 'document'
  return /^\s*\{.+\}\s*$/.test(first) && second.startsWith('{') ? 'json-lines' : 'document'
}

const parseObject = (text: string): object | null => {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && !Array.isArray(json) ? json : null
  } catch {
    return null
  }
}

async function* readDocument(
  run: Run,
  file: SourceFile,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Iterable<ImportItem>> {
  const place = { file: file.name, line: 0 }
  const { document, wrong } = await parseDocument(bytes, run.encoding)
  const excess = isRelease(document) ? await releaseExcess(document) : undefined
  if (isRelease(document) && !excess) {
    run.hasChecklist = true
    yield [{ kind: 'file', ...place, form: 'release' }]
    return yield readRelease(run, await readReleaseDocument(document), file.name, file.path)
  }
  await prepareDates()
  const listed = isRelease(document) ? null : readListed(run, file, document)
  if (listed) return yield* listed
  if (file.optional && !wrong && !isRelease(document)) return yield skip(place, 'neither rows nor a release')
  yield refuse(run, place, wrong ?? excess ?? neitherKind)
}

/** A document, or the sentence that says why there is none. */
type Parsed = { document?: unknown; wrong?: string }

const parseDocument = async (bytes: AsyncIterable<Uint8Array>, encoding?: string): Promise<Parsed> => {
  const text = readText(bytes, encoding)
  let length = 0
  async function* upToLimit() {
    for await (const piece of text) {
      length += piece.length
      if (length > largestDocument) return
      yield piece
    }
  }
  try {
    return { document: await readJsonPieces(upToLimit()) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    if (length > largestDocument) return { wrong: `The JSON document is larger than ${largestDocument >> 20} MiB.` }
    if (error instanceof TooMuchJson) return { wrong: `The JSON document cannot be read: ${error.message}.` }
    return { wrong: `The file is not valid JSON: ${error.message}.` }
  }
}
