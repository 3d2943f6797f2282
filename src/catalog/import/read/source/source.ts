import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isTar, readTar } from '../../../../files/read-tar.ts'
import { fileReason } from '../../../../lib/file-fault.ts'
import { packingOf } from './packing.ts'
import { peek } from './peek.ts'
import { BadWorkbook, readSheets } from './sheets.ts'
import { countUnpacked, type Unpacked, UnreadableSource, unpackers } from './unpack.ts'
import { firstInZip, readZip } from './zip.ts'

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
  /** The folder on disk that contains the file. */
  folder?: string
}

/**
 * The files of a source, one after another. Those of a folder come in the order of their paths. Throws UnreadableSource, also for
 * what unpacks to too much.
 */
export async function* openSource(source: Source, unpacked: Unpacked = countUnpacked()): AsyncGenerator<SourceFile> {
  if ('stream' in source) return yield* openStream(source.name, source.name, source.stream, unpacked)
  const path = resolve(source.path)
  const found = await stat(path).catch(() => null)
  if (!found) throw new UnreadableSource(`There is no file or folder ${source.path}.`)
  if (!found.isDirectory()) {
    for await (const file of openStream(basename(path), path, fileBytes(path), unpacked))
      yield file.optional ? file : { ...file, folder: dirname(path) }
    return
  }
  for (const name of await filesIn(path)) {
    const file = join(path, name)
    yield { name, path: file, optional: true, bytes: fileBytes(file), folder: dirname(file) }
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

/** How many layers of compression are unpacked. A file can be crafted that unpacks to itself forever. */
const mostLayers = 3

/** The files of a stream: those in it if its first bytes show an archive, else the stream itself. Compressed streams are unpacked. */
async function* openStream(
  name: string,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  unpacked: Unpacked,
  layers = 0,
): AsyncGenerator<SourceFile> {
  const { head, all } = await peek(bytes, 512)
  const packing = packingOf(head)
  const unpack = packing && unpackers[packing]
  if (unpack && layers === mostLayers)
    throw new UnreadableSource(`${name} is compressed more than three times over. Unpack it first.`)
  if (unpack) return yield* openStream(name, path, unpacked.counted(unpack(name, all)), unpacked, layers + 1)
  if (packing === 'zip') return yield* openZip(name, path, head, all, unpacked)
  if (packing === 'xls') throw new UnreadableSource(`${name} is an old Excel workbook. Save it as .xlsx first.`)
  if (packing) throw new UnreadableSource(`${name} is compressed as ${packing}, which cannot be read. Unpack it first.`)
  if (!isTar(head)) return yield { name, path, optional: false, bytes: all }
  for await (const { name, isFolder, bytes } of readTar(all))
    if (!isFolder) yield { name, path: name, optional: true, bytes }
}

/** The files in a zip, or the sheets of a workbook, which is also a zip. */
async function* openZip(
  name: string,
  path: string,
  head: Uint8Array,
  bytes: AsyncIterable<Uint8Array>,
  unpacked: Unpacked,
): AsyncGenerator<SourceFile> {
  if (/^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|xl\/)/.test(firstInZip(head)))
    return yield* openWorkbook(name, path, bytes)
  for await (const entry of readZip(bytes, unpacked.count)) {
    if (entry.name.endsWith('/') || entry.name.startsWith('__MACOSX/')) continue
    if (/\.xlsx$/i.test(entry.name)) yield* openWorkbook(entry.name, entry.name, entry.bytes)
    else yield { name: entry.name, path: entry.name, optional: true, bytes: entry.bytes }
  }
}

/** Each sheet is its own table. Empty ones are left out. */
async function* openWorkbook(name: string, path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SourceFile> {
  const sheets = await readSheets(bytes).catch((error: Error) => {
    throw error instanceof BadWorkbook
      ? new UnreadableSource(`${name} cannot be read as .xlsx: ${error.message}.`)
      : error
  })
  const filled = sheets.filter(({ csv }) => /[^",\s]/.test(csv))
  for (const sheet of filled)
    yield {
      name: filled.length > 1 ? `${name}: ${sheet.name}` : name,
      ...{ path, optional: false, isSheet: filled.length > 1, bytes: once(sheet.csv) },
    }
}

async function* once(text: string) {
  yield Buffer.from(text)
}
