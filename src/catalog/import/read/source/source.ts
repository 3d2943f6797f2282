import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { DamagedArchive, isTar, readTar } from '../../../../files/read-tar.ts'
import { fileReason } from '../../../../lib/file-fault.ts'
import { type AtHand, onDisk, takeIn } from './at-hand.ts'
import { openChecklistAround } from './open-checklist-files.ts'
import { packingOf } from './packing.ts'
import { peek } from './peek.ts'
import { countUnpacked, SourceTooLarge, type Unpacked, UnreadableSource, unpackers } from './unpack.ts'
import { BadWorkbook } from './workbook/bad-workbook.ts'
import { mostBytes, readWorkbook } from './workbook/workbook.ts'
import { DamagedZip, firstInZip, listZip } from './zip.ts'

/** Where a checklist is read from: a path to a file, folder or archive, or a stream (standard input, a request's body). */
export type Source = { path: string } | { name: string; stream: AsyncIterable<Uint8Array> }

/**
 * One file of a source. `name` is for the report, and `path` may contain the genre and year. `optional` files were found in a
 * folder or an archive: if one isn't a checklist, it's skipped. Any other file that isn't a checklist is a fault.
 */
export type SourceFile = {
  name: string
  path: string
  optional: boolean
  bytes: AsyncIterable<Uint8Array>
  /** One of several sheets of a workbook. Not all of them have to be tables. */
  isSheet?: boolean
  /** Its encoding, whatever the caller of the import says of texts. */
  encoding?: 'utf-8'
  /** The archive in the source that contains the file. */
  within?: string
  /** The folder on disk that contains the file. */
  folder?: string
  /** What of a sheet isn't read, because it's hidden: all of it if it `isHidden`. */
  hidden?: string[]
  isHidden?: boolean
  /** Why nothing in it can be read, although its archive or folder can. */
  wrong?: string
}

/**
 * The files of a source, one after another. Those of a folder come in the order of their paths. `hidden` reads what is hidden in
 * workbooks, too. Throws UnreadableSource, also for
 * what unpacks to too much.
 */
export async function* openSource(
  source: Source,
  unpacked: Unpacked = countUnpacked(),
  { hidden = false } = {},
): AsyncGenerator<SourceFile> {
  const opening = { unpacked, showsHidden: hidden }
  if ('stream' in source) return yield* openStream(source.name, source.name, source.stream, opening)
  const path = resolve(source.path)
  const found = await stat(path).catch(() => null)
  if (!found) throw new UnreadableSource(`There is no file or folder ${source.path}.`)
  if (!found.isDirectory()) {
    const around = await openChecklistAround(path)
    if (around) return yield* filesOf(around.folder, around.names, opening)
    for await (const file of openStream(basename(path), path, fileBytes(path), opening, 0, true))
      yield file.optional ? file : { ...file, folder: dirname(path) }
    return
  }
  yield* filesOf(path, await filesIn(path), opening)
}

async function* filesOf(folder: string, names: string[], opening: Opening): AsyncGenerator<SourceFile> {
  for (const name of names) {
    const path = join(folder, name)
    yield* openEntry({ name, path, optional: true, bytes: fileBytes(path), folder: dirname(path) }, opening, 0)
  }
}

const fileBytes = (path: string): AsyncIterable<Uint8Array> => Bun.file(path).stream()

/** The files of a folder and its subfolders, as relative paths. Hidden ones and links to folders are left out. */
const filesIn = async (folder: string, under = ''): Promise<string[]> => {
  const names: string[] = []
  const here = join(folder, under)
  const entries = await readdir(here, { withFileTypes: true }).catch((error) => {
    throw new UnreadableSource(`The folder ${here} cannot be read: ${fileReason(error)}`)
  })
  for (const entry of entries) {
    const name = join(under, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) names.push(...(await filesIn(folder, name)))
    else if (entry.isFile() || (await isLinkToFile(join(folder, name)))) names.push(name)
  }
  return under === '' ? names.toSorted() : names
}

const isLinkToFile = async (path: string) => (await stat(path).catch(() => null))?.isFile() ?? false

/** How a source is read: what counts its unpacked bytes, and whether what is hidden in workbooks is read, too. */
type Opening = { unpacked: Unpacked; showsHidden: boolean }

/** How many layers of archives and compression are unpacked. A file can be crafted that unpacks to itself forever. */
const mostLayers = 3

/**
 * The files of a stream: those in it if its first bytes show an archive, else the stream itself. Compressed streams are unpacked.
 * One that is a file on disk, at `path`, is read there if it's a zip.
 */
async function* openStream(
  name: string,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  opening: Opening,
  layers = 0,
  isOnDisk = false,
): AsyncGenerator<SourceFile> {
  const { head, all } = await peek(bytes, 512)
  const packing = packingOf(head)
  const unpack = packing && unpackers[packing]
  if ((unpack || packing === 'zip' || isTar(head)) && layers >= mostLayers)
    throw new UnreadableSource(`${name} is compressed more than three times over. Unpack it first.`)
  if (unpack) return yield* openStream(name, path, opening.unpacked.counted(unpack(name, all)), opening, layers + 1)
  if (packing === 'zip')
    return yield* openZip(
      name,
      path,
      await (isOnDisk ? onDisk(path) : takeIn(all)),
      opening,
      layers,
      isPartOfWorkbook(firstInZip(head)),
    )
  if (packing === 'xls')
    throw new UnreadableSource(
      `${name} is an old Excel workbook, or one with a password. Save it as .xlsx without a password first.`,
    )
  if (packing) throw new UnreadableSource(`${name} is compressed as ${packing}, which cannot be read. Unpack it first.`)
  if (!isTar(head)) return yield { name, path, optional: false, bytes: all }
  for await (const { name, isFolder, bytes } of readTar(all))
    if (!isFolder) yield* openEntry({ name, path: name, optional: true, bytes }, opening, layers + 1)
}

/** A file of a folder or an archive, its sheets if it's a workbook, or what is in it if it's an archive, too. */
async function* openEntry(file: SourceFile, opening: Opening, layers: number): AsyncGenerator<SourceFile> {
  const { name, path, bytes } = file
  try {
    if (workbookName.test(name)) yield* openWorkbook(name, path, bytes, opening)
    else if (archiveName.test(name)) {
      const bare = name.replace(/\.(?:gz|xz)$/i, '')
      for await (const each of openStream(bare, path, bytes, opening, layers))
        yield { ...each, optional: true, within: `${name}/${each.within ?? ''}` }
    } else yield file
  } catch (error) {
    const wrong = error instanceof SourceTooLarge ? undefined : faultIn(error)
    if (wrong === undefined) throw error
    yield { ...file, wrong }
  }
}

/** What is wrong with a source, if an error says it. Undefined if it's another error. */
export const faultIn = (error: unknown): string | undefined =>
  [UnreadableSource, DamagedArchive, DamagedZip].some((known) => error instanceof known)
    ? (error as Error).message
    : undefined

/** Names of workbooks, but not of hidden files and those that Excel puts beside an open one. */
const workbookName = /(?:^|[\\/])(?!\.|~\$)[^\\/]*\.xlsx$/i

/** Names of archives and packed files, but not of hidden ones. */
const archiveName = /(?:^|[\\/])(?!\.)[^\\/]*\.(?:zip|tar|tgz|txz|gz|xz)$/i

const isPartOfWorkbook = (name: string) => /^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|xl\/)/.test(name)

/** The files in a zip, or the sheets of a workbook, which is also a zip. */
async function* openZip(
  name: string,
  path: string,
  zip: AtHand,
  opening: Opening,
  layers: number,
  isWorkbook: boolean,
): AsyncGenerator<SourceFile> {
  try {
    const entries = await listZip(zip).catch((error: Error) => {
      throw isWorkbook ? asWorkbook(name, new BadWorkbook()) : error
    })
    if (entries.length === 0) throw new DamagedZip('it contains no files')
    if (entries.some((entry) => isPartOfWorkbook(entry.name))) return yield* sheetsOf(name, path, zip, opening)
    for (const entry of entries) {
      if (entry.name.endsWith('/') || entry.name.startsWith('__MACOSX/')) continue
      const bytes = opening.unpacked.counted(entry.read())
      yield* openEntry({ name: entry.name, path: entry.name, optional: true, bytes }, opening, layers + 1)
    }
  } finally {
    await zip.close()
  }
}

/** The sheets of a workbook that comes as a stream. */
async function* openWorkbook(
  name: string,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  opening: Opening,
): AsyncGenerator<SourceFile> {
  const zip = await takeIn(bytes, mostBytes)
  try {
    yield* sheetsOf(name, path, zip, opening)
  } finally {
    await zip.close()
  }
}

/** Each sheet is its own table. */
async function* sheetsOf(name: string, path: string, zip: AtHand, opening: Opening): AsyncGenerator<SourceFile> {
  const sheets = await readWorkbook(zip, opening.unpacked.count, opening).catch((error: Error) => {
    throw asWorkbook(name, error)
  })
  const isSheet = sheets.length > 1
  for (const { name: sheet, csv, hidden } of sheets) {
    const file = { name: isSheet ? `${name}: ${sheet}` : name, path, optional: false, isSheet, hidden }
    yield csv ? { ...file, encoding: 'utf-8', bytes: csv } : { ...file, isHidden: true, bytes: nothing() }
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const asWorkbook = (name: string, error: Error) =>
  error instanceof BadWorkbook ? new UnreadableSource(`${name} cannot be read as .xlsx: ${error.message}.`) : error
