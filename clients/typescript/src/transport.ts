import { CardstockError, errorOf } from './error.ts'

/** Where the service is, who asks, and how patiently. */
export interface Options {
  /** The address of the service, such as `https://cards.example.org`. */
  baseUrl: string
  /** An API key. */
  key?: string
  /** A personal access token, or an access token that you got yourself. */
  token?: string
  /** A machine client. Its access tokens are fetched, kept and renewed. */
  clientId?: string
  clientSecret?: string
  /** The scopes to ask for, separated by spaces. All of the client's, if it is missing. */
  scope?: string
  /** How many times a request is sent again. 5 by default. */
  retries?: number
  /** The longest wait before a request is sent again. If the service asks for more, its refusal is thrown. 60 by default. */
  maxWaitSeconds?: number
  /** How long one attempt may take. 60 by default. */
  timeoutSeconds?: number
  /** Instead of the global fetch. */
  fetch?: (input: string, init: RequestInit) => Promise<Response>
}

/** What every call takes. */
export interface CallOptions {
  signal?: AbortSignal
}

/** A request under the base address. A POST gets an `Idempotency-Key` if you give none. */
export interface Asked extends CallOptions {
  method?: string
  path: string
  query?: URLSearchParams
  /** Plain objects and arrays are sent as JSON:API, anything else as fetch does. */
  body?: unknown
  headers?: Record<string, string>
  idempotencyKey?: string
}

/** An answer that isn't a refusal. `document` is undefined if there is no body. */
export interface Answered {
  status: number
  headers: Headers
  document: unknown
}

type AccessToken = { value: string; endsAt: number }

const jsonApi = 'application/vnd.api+json'
const retried = new Set([429, 502, 503, 504])

/** Sends requests: with the credential, and again where that does no harm. */
export class Transport {
  readonly #options: Options
  readonly #base: string
  #token: Promise<AccessToken> | undefined

  constructor(options: Options) {
    this.#options = options
    this.#base = new URL(options.baseUrl).href.replace(/\/+$/, '')
  }

  /** Throws CardstockError, or the signal's reason. */
  async ask(asked: Asked): Promise<Answered> {
    const { method = 'GET', path, query, body, signal } = asked
    const address = `${this.#base}${path}${query?.size ? `?${query}` : ''}`
    const isPost = method === 'POST'
    const isJson = Array.isArray(body) || body?.constructor === Object
    const headers = {
      Accept: jsonApi,
      ...(isJson ? { 'Content-Type': jsonApi } : {}),
      ...(isPost ? { 'Idempotency-Key': asked.idempotencyKey ?? newKey() } : {}),
      ...asked.headers,
    }
    const init = { method, ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as BodyInit) }) }
    const isSafe = method === 'GET' || method === 'HEAD' || isPost
    let isRenewed = false
    return this.again(isSafe, signal, async () => {
      for (;;) {
        const authorization = await this.#authorization()
        const response = await this.#send(address, { ...init, headers: { ...authorization, ...headers } }, signal)
        const text = await response.text()
        if (response.ok)
          return { status: response.status, headers: response.headers, document: text ? JSON.parse(text) : undefined }
        if (response.status !== 401 || isRenewed || !this.#options.clientId) throw errorOf(response, text)
        isRenewed = true
        await this.#forget(authorization.Authorization?.slice('Bearer '.length))
      }
    })
  }

  /** Opens a download of an address that needs no credential, once. Its body has no deadline. */
  async open(address: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    const response = await this.#fetch(address, { headers, ...(signal ? { signal } : {}) })
    if (!response.ok) throw errorOf(response, await response.text())
    return response
  }

  /** Does something again while it fails for a reason that passes. What isn't safe is only done again if it was refused unseen. */
  async again<T>(isSafe: boolean, signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
    const { retries = 5, maxWaitSeconds = 60 } = this.#options
    for (let count = 0; ; count++)
      try {
        signal?.throwIfAborted()
        return await attempt()
      } catch (thrown) {
        if (signal?.aborted) throw thrown
        const error = thrown instanceof CardstockError ? thrown : unanswered(thrown)
        const seconds = error.retryAfterSeconds ?? Math.min(2 ** count / 2, maxWaitSeconds)
        const passes =
          error.status === 429 ||
          (isSafe && (error.code === 'NETWORK' || retried.has(error.status) || error.code === 'IDEMPOTENCY_KEY_IN_USE'))
        if (!passes || count >= retries || seconds > maxWaitSeconds) throw error
        await pause(seconds + Math.random() * Math.min(1, seconds / 2 + 0.1), signal)
      }
  }

  async #authorization(): Promise<Record<string, string>> {
    const { key, token, clientId } = this.#options
    const value = clientId ? (await this.#accessToken()).value : (key ?? token)
    return value ? { Authorization: `Bearer ${value}` } : {}
  }

  /** The token that is there, or another one half a minute before it ends. Those who ask at once wait for the same one. */
  async #accessToken() {
    const current = this.#token
    const held = await current
    if (held && held.endsAt > Date.now()) return held
    if (this.#token === current) {
      this.#token = this.#askForToken()
      this.#token.catch(() => this.#forget(undefined))
    }
    return this.#token as Promise<AccessToken>
  }

  /** Forgets the token if it is still that one, which was refused, or one that could not be fetched. */
  async #forget(refused: string | undefined) {
    const current = this.#token
    const value = await current?.then((token) => token.value).catch(() => undefined)
    if (this.#token === current && value === refused) this.#token = undefined
  }

  async #askForToken(): Promise<AccessToken> {
    const { clientId = '', clientSecret = '', scope } = this.#options
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    })
    if (scope) body.set('scope', scope)
    const response = await this.#send(`${this.#base}/oauth/token`, { method: 'POST', body })
    const text = await response.text()
    if (!response.ok) throw errorOf(response, text)
    const { access_token, expires_in } = JSON.parse(text) as { access_token: string; expires_in: number }
    return { value: access_token, endsAt: Date.now() + (expires_in - 30) * 1000 }
  }

  #send(address: string, init: RequestInit, signal?: AbortSignal) {
    const deadline = AbortSignal.timeout((this.#options.timeoutSeconds ?? 60) * 1000)
    return this.#fetch(address, { ...init, signal: signal ? AbortSignal.any([signal, deadline]) : deadline })
  }

  #fetch(address: string, init: RequestInit) {
    const { fetch: send = fetch } = this.#options
    return send(address, init)
  }
}

const unanswered = (cause: unknown) =>
  new CardstockError(0, [{ detail: `No answer: ${cause instanceof Error ? cause.message : cause}` }], { cause })

const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const pause = (seconds: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', end, { once: true })
  })
