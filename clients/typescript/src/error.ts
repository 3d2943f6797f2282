/** An error object of JSON:API, as the service sends it. */
export interface ErrorObject {
  status?: string
  code?: string
  title?: string
  detail?: string
  source?: { pointer?: string; parameter?: string; header?: string }
  meta?: Record<string, unknown>
}

/**
 * A refusal, or a request that got no answer (`status` 0, `code` `NETWORK`). `code`, `pointer` and `parameter` are those of
 * the first error; `errors` has all of them.
 */
export class CardstockError extends Error {
  override readonly name = 'CardstockError'
  readonly status: number
  readonly code: string
  readonly errors: ErrorObject[]
  /** Where in the document it is wrong. */
  readonly pointer: string | undefined
  /** Which query parameter is wrong. */
  readonly parameter: string | undefined
  readonly requestId: string | undefined
  /** How long the service asks to wait. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    errors: ErrorObject[],
    about: { requestId?: string | undefined; retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    const [first = {}] = errors
    super(first.detail ?? first.title ?? `The service answered ${status}.`, { cause: about.cause })
    this.status = status
    this.code = first.code ?? (status ? `HTTP_${status}` : 'NETWORK')
    this.errors = errors
    this.pointer = first.source?.pointer
    this.parameter = first.source?.parameter
    this.requestId = about.requestId
    this.retryAfterSeconds = about.retryAfterSeconds
  }
}

/** The error that an answer is. OAuth's refusals have another shape than the others, and a proxy's may have none. */
export const errorOf = (response: Response, text: string): CardstockError => {
  const body = readObject(text)
  const given = Array.isArray(body.errors) ? (body.errors as ErrorObject[]) : []
  const flat =
    typeof body.error === 'string' ? [{ code: body.error, detail: String(body.error_description ?? body.error) }] : []
  return new CardstockError(response.status, given.length > 0 ? given : flat, {
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: readRetryAfter(response.headers.get('retry-after')),
  })
}

const readObject = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    return value && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Seconds, or a date. */
const readRetryAfter = (value: string | null): number | undefined => {
  if (!value) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
