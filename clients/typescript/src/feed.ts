import { queryOf, type ReadOptions } from './query.ts'
import type { Reference } from './reference.ts'
import { type Document, type Resource, type ResourceObject, resolve, type Type } from './resource.ts'
import type { CallOptions, Transport } from './transport.ts'

/** Where the feed is read from, and how far. */
export interface ChangesOptions<T extends Type = Type> extends CallOptions, Pick<ReadOptions<never>, 'fields'> {
  /** A cursor, or `now` for the end. From the beginning, if it is missing. */
  after?: string | undefined
  /** Only changes of these types. */
  type?: readonly T[]
  /** Waits at the end for further changes, and ends never. */
  follow?: boolean
  /** How many changes are asked for at once, up to 1,000. */
  size?: number
}

/** A change of a record. */
export interface Change<T extends Type = Type> extends Reference<T> {
  action: 'upsert' | 'delete'
  changed_at: string
  /** The record as it is now. Undefined if it is deleted, or hidden since. */
  record: Resource<T> | undefined
  /** The record that a deleted one was merged into. */
  merged_into: Reference<Type> | undefined
  cursor: string
}

/** The feed behind a cursor. Ends at its end, for which it waits a second; with `follow` it goes on. */
export class Changes<T extends Type = Type> implements AsyncIterable<Change<T>> {
  /** Behind the change that you have, or behind the last one. Keep it: what comes after it is what you lack. */
  cursor: string | undefined
  readonly #transport: Transport
  readonly #options: ChangesOptions<T>

  constructor(transport: Transport, options: ChangesOptions<T>) {
    this.#transport = transport
    this.#options = options
    this.cursor = options.after
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Change<T>, void> {
    const { type, follow = false, size = 1000, fields, signal } = this.#options
    for (;;) {
      const query = queryOf({
        ...{ page: { after: this.cursor, size }, filter: { type }, fields, include: 'resource', wait: follow ? 30 : 1 },
      })
      const { document } = await this.#transport.ask({ path: '/v2/changes', query, ...(signal ? { signal } : {}) })
      const page = document as Document & { data: ResourceObject[]; meta: { page: { cursor: string } } }
      for (const change of changesOf<T>(page)) {
        this.cursor = change.cursor
        yield change
      }
      this.cursor = page.meta.page.cursor
      if (page.data.length === 0 && !follow) return
    }
  }
}

const changesOf = <T extends Type>({
  data,
  included = [],
}: {
  data: ResourceObject[]
  included?: ResourceObject[]
}): Change<T>[] => {
  const records = new Map(resolve({ data: included }).map((record) => [`${record.type} ${record.id}`, record]))
  return data.map(({ attributes, relationships, meta }) => {
    const { resource } = relationships as { resource: { data: Reference<T> } }
    const { type, id } = resource.data
    const { page, merged_into } = meta as { page: { cursor: string }; merged_into?: Reference<Type> }
    const { action, changed_at } = attributes as Pick<Change, 'action' | 'changed_at'>
    const record = action === 'delete' ? undefined : (records.get(`${type} ${id}`) as Resource<T> | undefined)
    return { type, id, action, changed_at, record, merged_into, cursor: page.cursor }
  })
}
