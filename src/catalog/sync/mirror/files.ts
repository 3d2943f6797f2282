import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { objectOf, readId, readText, readWhole } from './record.ts'
import { type Source, SourceFault } from './source.ts'

/** A bulk file at the source. */
export type SourceFile = { id: string; resource: string; count: number; bytes: number; sha256: string; address: string }

/** The files of one generation, and the cursor that continues from them. */
export type Generation = { files: SourceFile[]; cursor: string; generatedAt: string }

/** The source has no files that can fill this mirror, so the mirror waits for newer ones. */
export class NoFittingFiles extends SourceFault {
  constructor(message: string) {
    super(
      `${message} Waiting for newer ones: the source makes them daily, within minutes when records are withdrawn, or at once with cardstock export --bulk.`,
    )
  }
}

/** The newest files of the source. Undefined if it has none yet. Throws NoFittingFiles while it makes new ones for some. */
export const listSourceFiles = async (source: Source, signal: AbortSignal): Promise<Generation | undefined> => {
  const { data, meta } = await source.read('/v2/bulk?page%5Bsize%5D=100', signal)
  if ((meta as { withdrawn?: string[] } | undefined)?.withdrawn?.length)
    throw new NoFittingFiles('Records in bulk files of the source were unpublished or deleted.')
  if (!Array.isArray(data)) throw new SourceFault("The source's answer is not a list of bulk files.")
  const read = data.map((one) => {
    const { id, attributes } = objectOf(one, 'a bulk file')
    return { id: readId(id), given: objectOf(attributes, 'attributes') }
  })
  const [first] = read
  if (!first) return undefined
  return {
    cursor: readText(first.given, 'changes_cursor'),
    generatedAt: readText(first.given, 'generated_at'),
    files: read.map(({ id, given }) => ({
      ...{ id, resource: readText(given, 'resource'), sha256: readChecksum(given) },
      ...{ count: readWhole(given, 'count'), bytes: readWhole(given, 'bytes') },
      address: readText(given, 'download_url'),
    })),
  }
}

/** The checksum is part of the file's name here, so nothing else may get into that path. */
const readChecksum = (given: Record<string, unknown>) => {
  const sha256 = readText(given, 'sha256')
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new SourceFault('The source lists a bulk file without a SHA-256.')
  return sha256
}

/** A downloaded file with a different checksum than the source lists. */
export class DamagedFile extends Error {
  constructor(
    readonly resource: string,
    readonly expected: string,
    readonly actual: string,
  ) {
    super(`The bulk file of ${resource} is damaged.`)
  }
}

/** Downloaded files whose checksums are right. */
export type Shelf = {
  /** Downloads a file unless it is here, and resumes interrupted downloads. Throws DamagedFile after removing a damaged file. */
  fetch: (file: SourceFile, source: Source, signal: AbortSignal) => Promise<string>
  /** Removes every other file. */
  keepOnly: (files: SourceFile[]) => Promise<void>
}

/** Opens a shelf in a folder. A download that receives nothing for `stallMilliseconds` is aborted. */
export const openShelf = (folder: string, stallMilliseconds = 60_000): Shelf => {
  const nameOf = ({ id, sha256 }: SourceFile) => `${id}-${sha256.slice(0, 16)}.ndjson.gz`
  return {
    fetch: async (file, source, signal) => {
      const place = join(folder, nameOf(file))
      if (await sizeOf(place)) return place
      await mkdir(folder, { recursive: true })
      const draft = `${place}.part`
      await download(draft, file, source, signal, stallMilliseconds)
      const actual = await sha256Of(draft, signal)
      if (actual !== file.sha256) {
        await rm(draft, { force: true })
        throw new DamagedFile(file.resource, file.sha256, actual)
      }
      await rename(draft, place)
      return place
    },
    keepOnly: async (files) => {
      const kept = new Set(files.map(nameOf))
      const found = await readdir(folder).catch(() => [])
      for (const name of found)
        if (!kept.has(name.replace(/\.part$/, ''))) await rm(join(folder, name), { force: true })
    },
  }
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0

const download = async (
  draft: string,
  { address, bytes }: SourceFile,
  source: Source,
  signal: AbortSignal,
  stallMilliseconds: number,
) => {
  const there = await sizeOf(draft)
  if (there >= bytes) return
  const stall = watchFor(stallMilliseconds)
  try {
    const response = await source.open(address, AbortSignal.any([signal, stall.signal]), there)
    const isRest = response.status === 206
    await append(response, await open(draft, isRest ? 'a' : 'w'), bytes - (isRest ? there : 0), stall.heard)
  } finally {
    stall.end()
  }
}

/** Writes the bytes of an answer as they arrive, and stops if there are more than expected. */
const append = async ({ body }: Response, file: FileHandle, bytes: number, heard: () => void) => {
  let left = bytes
  try {
    for await (const piece of pieces(body)) {
      heard()
      left -= piece.byteLength
      await file.writeFile(piece)
      if (left < 0) break
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

const pieces = async function* (body: Response['body']): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body ?? []) yield piece as Uint8Array
  } catch (error) {
    throw new SourceFault(`A download was interrupted: ${(error as Error).message}`)
  }
}

/** A signal that aborts if `heard` isn't called for some time. */
const watchFor = (milliseconds: number) => {
  const stalled = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(), milliseconds)
  }
  heard()
  const end = () => {
    clearTimeout(timer)
    stalled.abort()
  }
  return { signal: stalled.signal, heard, end }
}

const sha256Of = async (path: string, signal: AbortSignal) => {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) {
    signal.throwIfAborted()
    hash.update(piece)
  }
  return hash.digest('hex')
}
