import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isTar, readTar } from '../../../../files/read-tar.ts'
import { packingOf } from './packing.ts'
import { BadWorkbook, readSheets } from './sheets.ts'
import { firstInZip, readZip } from './zip.ts'

/** A source that can't be read, or not any further. The message is a sentence for the user. */
export class UnreadableSource extends Error {}

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

/** The files of a source, one after another. Those of a folder come in the order of their paths. */
export async function* openSource(source: Source): AsyncGenerator<SourceFile> {
  if ('stream' in source) return yield* openStream(source.name, source.name, source.stream)
  const path = resolve(source.path)
  const found = await stat(path).catch(() => null)
  if (!found) throw new UnreadableSource(`There is no file or folder ${source.path}.`)
  if (!found.isDirectory()) {
    for await (const file of openStream(basename(path), path, fileBytes(path)))
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
  for (const entry of await readdir(join(folder, under), { withFileTypes: true })) {
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
  layers = 0,
): AsyncGenerator<SourceFile> {
  const { head, all } = await peek(bytes, 512)
  const packing = packingOf(head)
  const unpack = packing && unpackers[packing]
  if (unpack && layers === mostLayers)
    throw new UnreadableSource(`${name} is compressed more than three times over. Unpack it first.`)
  if (unpack) return yield* openStream(name, path, unpack(name, all), layers + 1)
  if (packing === 'zip') return yield* openZip(name, path, head, all)
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
): AsyncGenerator<SourceFile> {
  if (/^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|xl\/)/.test(firstInZip(head)))
    return yield* openWorkbook(name, path, bytes)
  for await (const entry of readZip(bytes)) {
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

const unpackers: Record<string, (name: string, bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>> = {
  gzip: gunzip,
  xz: unpackWithXz,
}

async function* gunzip(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unpacked = createGunzip()
  pipeline(Readable.from(bytes), unpacked, () => undefined)
  try {
    yield* unpacked
  } catch {
    throw new UnreadableSource(`${name} is damaged: it cannot be unpacked completely.`)
  }
}

/** Unpacks with the system's `xz`, if it has one. */
async function* unpackWithXz(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (!Bun.which('xz')) throw new UnreadableSource(`${name} is compressed as xz. Unpack it first (xz --decompress).`)
  const process = Bun.spawn(['xz', '--decompress', '--stdout'], { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
  const fed = feed(process.stdin, bytes)
  // This may fail before it is awaited.
  fed.catch(() => undefined)
  try {
    yield* process.stdout
    await fed
    if ((await process.exited) !== 0) throw new UnreadableSource(`${name} is damaged: xz cannot unpack it.`)
  } finally {
    process.kill()
    await fed.catch(() => undefined)
  }
}

/** If the process has exited, stops writing to it. Its exit code says what was wrong. */
const feed = async (sink: Bun.FileSink, bytes: AsyncIterable<Uint8Array>) => {
  try {
    for await (const chunk of bytes) {
      await sink.write(chunk)
      await sink.flush()
    }
    await sink.end()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/** The first bytes of a stream, at least `count` if it has that many, and the whole stream. */
export const peek = async (bytes: AsyncIterable<Uint8Array>, count: number) => {
  const source = bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < count) {
    const next = await source.next()
    if (next.done) break
    chunks.push(next.value)
    length += next.value.length
  }
  const head = Buffer.concat(chunks)
  return { head, all: replay(head, source) }
}

async function* replay(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length) yield head
  for (;;) {
    const next = await rest.next()
    if (next.done) return
    yield next.value
  }
}
