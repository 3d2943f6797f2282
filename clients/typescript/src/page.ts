import { type Document, resolve } from './resource.ts'
import type { Transport } from './transport.ts'

/** A page of a list. Iterating over it gives its records and those of all pages behind it. */
export class Page<R> implements AsyncIterable<R> {
  readonly data: R[]
  /** How many records match, if that is counted. Else `estimate` says about how many. */
  readonly total: number | undefined
  readonly estimate: number | undefined
  readonly meta: Record<string, unknown>
  readonly #next: (() => Promise<Page<R>>) | undefined

  constructor(document: Document, next: (() => Promise<Page<R>>) | undefined) {
    const { page } = (document.meta ?? {}) as { page?: { total?: number; estimatedTotal?: { bestGuess: number } } }
    this.data = resolve<R>(document)
    this.meta = document.meta ?? {}
    this.total = page?.total
    this.estimate = page?.estimatedTotal?.bestGuess
    this.#next = next
  }

  /** The page behind it, or undefined if this is the last one. */
  async next(): Promise<Page<R> | undefined> {
    return this.#next?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R, void> {
    for (let page: Page<R> | undefined = this; page; page = await page.next()) yield* page.data
  }
}

/** Reads a page of a list. The pages behind it are asked for at the same address, whatever host their links name. */
export const readPage = async <R>(
  transport: Transport,
  path: string,
  query: URLSearchParams,
  signal: AbortSignal | undefined,
): Promise<Page<R>> => {
  const { document } = await transport.ask({ path, query, ...(signal ? { signal } : {}) })
  const next = (document as Document).links?.next
  return new Page<R>(
    document as Document,
    next ? () => readPage(transport, path, new URL(next).searchParams, signal) : undefined,
  )
}
