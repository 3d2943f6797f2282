import { at } from './settings.ts'

/** One error object of an answer; of a flat OAuth answer one is made. */
export type Fault = {
  code?: string
  title?: string
  detail?: string
  source?: { pointer?: string; parameter?: string }
}

/** An answer that is no success. `status` is 0 where none came; `waitSeconds` says when to ask again after a 429. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly faults: Fault[],
    readonly waitSeconds?: number,
  ) {
    super(faults[0]?.detail ?? faults[0]?.title ?? 'The service did not answer.')
  }
}

type Sent = { signal?: AbortSignal; flat?: boolean; headers?: Record<string, string> }

/** GET of a path of the service; throws Refused. */
export const get = <T>(path: string, sent?: Sent) => send<T>('GET', path, undefined, sent)
export const post = <T>(path: string, body?: unknown, sent?: Sent) => send<T>('POST', path, body, sent)
export const patch = <T>(path: string, body: unknown, sent?: Sent) => send<T>('PATCH', path, body, sent)
export const remove = <T>(path: string, body?: unknown, sent?: Sent) => send<T>('DELETE', path, body, sent)

/** The document that asks for an action: `{"data":{"type","attributes"}}`. */
export const asking = (type: string, attributes: object) => ({ data: { type, attributes } })

/**
 * Sends a request with the session's cookie and reads the JSON that comes back, undefined where nothing does. A body is a
 * JSON:API document unless it is `flat`; a Blob is sent as it is.
 */
export const send = async <T>(
  method: string,
  path: string,
  body?: unknown,
  { signal, flat, headers: more }: Sent = {},
): Promise<T> => {
  const type = flat ? 'application/json' : 'application/vnd.api+json'
  const headers: Record<string, string> = { Accept: 'application/vnd.api+json, application/json', ...more }
  if (body !== undefined)
    headers['Content-Type'] = body instanceof Blob ? body.type || 'application/octet-stream' : type
  const sentBody = body === undefined || body instanceof Blob ? (body as Blob | undefined) : JSON.stringify(body)
  const answer = await fetch(at(path), { method, headers, body: sentBody, signal }).catch((error: Error) => {
    throw error.name === 'AbortError'
      ? error
      : new Refused(0, [{ detail: 'The service cannot be reached. Are you online?' }])
  })
  const text = await answer.text()
  const json = readJson(text)
  if (answer.ok) return json as T
  if (answer.status === 401 && !path.startsWith('/v1/session')) signedOut?.()
  throw new Refused(
    answer.status,
    faultsOf(json, answer.status),
    Number(answer.headers.get('retry-after')) || undefined,
  )
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

/** Says what happens when an answer tells that the session has ended. */
export const onSignedOut = (heard: () => void) => {
  signedOut = heard
}
