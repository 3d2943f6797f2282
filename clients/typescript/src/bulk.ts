import { CardstockError } from './error.ts'
import { readPage } from './page.ts'
import { queryOf } from './query.ts'
import type { Reference } from './reference.ts'
import { type Resource, type ResourceObject, resolve, type Type } from './resource.ts'
import { Sha256 } from './sha256.ts'
import type { CallOptions, Transport } from './transport.ts'

/** What a file has: records of a type, or merged ids. */
export type BulkResource = Type | 'merges'

/** A file with all published records of a type. */
export interface BulkFile<B extends BulkResource = BulkResource> extends Reference<'bulk_files'> {
  resource: B
  count: number
  bytes: number
  sha256: string
  content_type: string
  generated_at: string
  /** The changes after it, and the file, are the catalog. */
  changes_cursor: string
  download_url: string
}

/** An id that is no more, and the record that it leads to. */
export interface Merge extends Reference<'merges'> {
  object_type: Type
  merged_into: string
}

/** A line of a file. */
export type BulkRecord<B extends BulkResource> = B extends Type ? Resource<B> : Merge

/** The files that have the whole catalog. */
export class Bulk {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The newest file of each type. `withdrawn` are the types whose file is being made anew. */
  async list({ signal }: CallOptions = {}): Promise<{ files: BulkFile[]; withdrawn: BulkResource[] }> {
    const page = await readPage<BulkFile>(this.#transport, '/v2/bulk', queryOf({ page: { size: 100 } }), signal)
    return { files: page.data, withdrawn: (page.meta.withdrawn ?? []) as BulkResource[] }
  }

  /**
   * The records of a file, read as they come; a download that breaks off goes on where it was. At the end it is checked against
   * the file's size, checksum and count: until then, keep what you got apart. Throws CardstockError, with the code
   * `BULK_FILE_DAMAGED` if it isn't the file.
   */
  async *download<B extends BulkResource>(
    file: BulkFile<B>,
    { signal }: CallOptions = {},
  ): AsyncGenerator<BulkRecord<B>, void> {
    const hash = new Sha256()
    let count = 0
    const unpacked = streamOf(this.#bytes(file, hash, signal)).pipeThrough(new DecompressionStream('gzip'))
    try {
      for await (const line of linesOf(unpacked)) {
        count++
        const [record] = resolve<BulkRecord<B>>({ data: JSON.parse(line) as ResourceObject })
        yield record as BulkRecord<B>
      }
    } catch (error) {
      throw error instanceof CardstockError || signal?.aborted ? error : damaged(file, error)
    }
    if (count !== file.count || hash.hex() !== file.sha256) throw damaged(file)
  }

  /** The bytes of a file. What broke off is asked for from there. */
  async *#bytes(
    file: BulkFile,
    hash: Sha256,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    let taken = 0
    const open = async () => {
      const rest = taken > 0 ? { Range: `bytes=${taken}-`, 'If-Range': `"${file.sha256}"` } : {}
      const response = await this.#transport.open(file.download_url, rest as Record<string, string>, signal)
      if (taken > 0 && response.status !== 206) throw damaged(file)
      return (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
    }
    let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined
    const read = () =>
      this.#transport.again(true, signal, async () => {
        reader ??= await open()
        return reader.read().catch((error) => {
          reader = undefined
          throw error
        })
      })
    try {
      while (taken < file.bytes) {
        const { done, value } = await read()
        if (done) throw damaged(file)
        taken += value.length
        hash.update(value)
        yield value
      }
      if (taken > file.bytes) throw damaged(file)
    } finally {
      await reader?.cancel().catch(() => {})
    }
  }
}

const damaged = ({ resource }: BulkFile, cause?: unknown) =>
  new CardstockError(0, [{ code: 'BULK_FILE_DAMAGED', detail: `The file of ${resource} isn't what was listed.` }], {
    cause,
  })

const streamOf = (pieces: AsyncGenerator<Uint8Array<ArrayBuffer>, void>) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void pieces.return(),
  })

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const [reader, decoder] = [stream.getReader(), new TextDecoder()]
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line) yield line
      if (done) break
    }
    if (rest) yield rest
  } finally {
    await reader.cancel().catch(() => {})
  }
}
