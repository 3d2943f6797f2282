import { type Page, readPage } from './page.ts'
import { type ListOptions, queryOf, type ReadOptions } from './query.ts'
import { type Document, type Include, type Resource, resolve, type Type } from './resource.ts'
import { relationships, type Schema } from './schema.ts'
import type { Answered, CallOptions, Transport } from './transport.ts'

/** How a record is changed or deleted. */
export interface WriteOptions extends CallOptions {
  /** The `etag` of the record as you know it. If somebody has changed it since, the error has the code `PRECONDITION_FAILED`. */
  ifMatch?: string | undefined
}

/** How a record is created. */
export interface CreateOptions extends CallOptions {
  /** A key of your own, if your program may be started again before it has the answer. */
  idempotencyKey?: string
}

/** The records of a type. */
export class Collection<T extends Type> {
  readonly #transport: Transport
  readonly #type: T
  readonly #path: string

  constructor(transport: Transport, type: T, path: string) {
    this.#transport = transport
    this.#type = type
    this.#path = `/v2/${path}`
  }

  async get<const I extends Include<T> = never>(
    id: string,
    { signal, ...asked }: ReadOptions<I> = {},
  ): Promise<Resource<T, I>> {
    return single(await this.#ask('GET', id, undefined, { signal }, queryOf(asked)))
  }

  /** A page of the list. */
  async list<const I extends Include<T> = never>({
    signal,
    ...asked
  }: ListOptions<T, I> = {}): Promise<Page<Resource<T, I>>> {
    return readPage(this.#transport, this.#path, queryOf(asked), signal)
  }

  /** The whole list, read page by page: a hundred records at a time, unless you say otherwise. */
  async *all<const I extends Include<T> = never>(asked: ListOptions<T, I> = {}): AsyncGenerator<Resource<T, I>, void> {
    yield* await this.list<I>({ ...asked, page: { size: 100, ...asked.page } })
  }

  async create(values: Schema[T]['create'], { idempotencyKey, signal }: CreateOptions = {}): Promise<Resource<T>> {
    const answered = await this.#transport.ask({
      ...{ method: 'POST', path: this.#path, body: { data: this.#object(values as Record<string, unknown>) } },
      ...(idempotencyKey ? { idempotencyKey } : {}),
      ...(signal ? { signal } : {}),
    })
    return single(answered)
  }

  /** Changes the members that are there, and leaves the rest. */
  async update(id: string, values: Schema[T]['update'], options: WriteOptions = {}): Promise<Resource<T>> {
    return single(
      await this.#ask('PATCH', id, { data: { ...this.#object(values as Record<string, unknown>), id } }, options),
    )
  }

  async delete(id: string, options: WriteOptions = {}): Promise<void> {
    await this.#ask('DELETE', id, undefined, options)
  }

  #ask(
    method: string,
    id: string,
    body: unknown,
    { ifMatch, signal }: { ifMatch?: string | undefined; signal?: AbortSignal | undefined },
    query?: URLSearchParams,
  ) {
    return this.#transport.ask({
      ...{ method, path: `${this.#path}/${encodeURIComponent(id)}`, body },
      ...(query ? { query } : {}),
      ...(ifMatch ? { headers: { 'If-Match': ifMatch } } : {}),
      ...(signal ? { signal } : {}),
    })
  }

  /** The resource object of flat values. */
  #object({ id, ...values }: { id?: string } & Record<string, unknown>) {
    const names: readonly string[] = relationships[this.#type]
    const entries = Object.entries(values).filter(([, value]) => value !== undefined)
    const related = entries
      .filter(([name]) => names.includes(name))
      .map(([name, value]) => [name, { data: bare(value) }])
    return {
      ...{ type: this.#type, ...(id ? { id } : {}) },
      attributes: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
      relationships: Object.fromEntries(related),
    }
  }
}

/** A record is linked by its type and id alone. */
const bare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bare)
  const { type, id } = (value ?? {}) as { type?: string; id?: string }
  return value === null ? null : { type, id }
}

const single = <R>({ document, headers }: Answered): R => {
  const [record] = resolve<R & object>(document as Document)
  const etag = headers.get('etag')
  return (etag ? Object.assign(record as object, { etag }) : record) as R
}
