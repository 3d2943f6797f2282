import { whileBusy } from './busy.ts'
import { at } from './settings.ts'

/** An error object from an answer, or one made from a flat OAuth error. */
export type Fault = {
  code?: string
  title?: string
  detail?: string
  source?: { pointer?: string; parameter?: string }
  meta?: Record<string, unknown>
}

/** An unsuccessful answer. `status` is 0 if there was none. After a 429, `waitSeconds` says when to try again. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly faults: Fault[],
    readonly waitSeconds?: number,
  ) {
    super(faults[0]?.detail ?? faults[0]?.title ?? 'The service didn’t answer.')
  }
}

/** An error as a refusal. Errors of the page itself are also reported to the browser. */
export const asRefused = (error: unknown) => {
  if (error instanceof Refused) return error
  reportError(error)
  return new Refused(0, [{ detail: 'Something went wrong here.' }])
}

type Sent = {
  signal?: AbortSignal
  flat?: boolean
  headers?: Record<string, string>
  /** Called with the answer's headers. */
  hear?: (headers: Headers) => void
}

/** Makes a GET request to a path of the service. Throws Refused. */
export const get = <T>(path: string, sent?: Sent) => send<T>('GET', path, undefined, sent)
export const post = <T>(path: string, body?: unknown, sent?: Sent) => send<T>('POST', path, body, sent)
export const patch = <T>(path: string, body: unknown, sent?: Sent) => send<T>('PATCH', path, body, sent)
export const remove = <T>(path: string, body?: unknown, sent?: Sent) => send<T>('DELETE', path, body, sent)

/** The document that requests an action: `{"data":{"type","attributes"}}`. */
export const asking = (type: string, attributes: object) => ({ data: { type, attributes } })

/**
 * Sends a request with the session cookie and returns the answer's JSON, or undefined if the answer is empty. A body is a JSON:API
 * document unless it is `flat`. A Blob or a form is sent as is.
 */
export const send = async <T>(
  method: string,
  path: string,
  body?: unknown,
  { signal, flat, headers: more, hear }: Sent = {},
): Promise<T> => {
  if (!isStraight(path)) throw new Refused(404, [{ detail: 'There’s nothing at this address.' }])
  const type = flat ? 'application/json' : 'application/vnd.api+json'
  const headers: Record<string, string> = { Accept: 'application/vnd.api+json, application/json', ...more }
  // A browser writes the type of a form itself, with its boundary.
  if (body !== undefined && !(body instanceof FormData))
    headers['Content-Type'] ??= body instanceof Blob ? body.type || 'application/octet-stream' : type
  const isAsItIs = body === undefined || body instanceof Blob || body instanceof FormData
  const sentBody = isAsItIs ? (body as Blob | FormData | undefined) : JSON.stringify(body)
  const { answer, text } = await whileBusy(ask(path, { method, headers, body: sentBody, signal }))
  const json = readJson(text)
  if (!answer.ok) throw refusalOf(path, answer.status, json, answer.headers.get('retry-after'))
  if (text && json === undefined) throw new Refused(0, [{ detail: 'The answer didn’t come from the service.' }])
  hear?.(answer.headers)
  return json as T
}

/** An answer and all of its text. Throws Refused if the connection fails before either is complete. */
const ask = async (path: string, sent: RequestInit) => {
  try {
    const answer = await fetch(at(path), sent)
    return { answer, text: await answer.text() }
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new Refused(0, [{ detail: 'Can’t reach the service. Are you online?' }])
  }
}

/** The refusal in an unsuccessful answer. Signs the person out if the session has ended. */
export const refusalOf = (path: string, status: number, json: unknown, retryAfter: string | null) => {
  if (status === 401 && !path.startsWith('/v1/session')) signedOut?.()
  return new Refused(status, faultsOf(json, status), Number(retryAfter) || undefined)
}

/** False for a path that resolves to another one. An id in a page's address could be crafted that way, so these aren't sent. */
const isStraight = (path: string) => {
  const [written = ''] = at(path).split('?')
  return new URL(written, location.origin).pathname === written
}

const readJson = (text: string): unknown => {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

const faultsOf = (json: unknown, status: number): Fault[] => {
  const { errors, error, error_description } = (json ?? {}) as Record<string, unknown>
  if (Array.isArray(errors)) return errors as Fault[]
  if (typeof error === 'string') return [{ code: error, detail: String(error_description ?? error) }]
  return [{ detail: `The service answered ${status}.` }]
}

let signedOut: (() => void) | undefined

/** Sets what happens when an answer shows that the session has ended. */
export const onSignedOut = (heard: () => void) => {
  signedOut = heard
}
