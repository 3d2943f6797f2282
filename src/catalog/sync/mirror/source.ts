import { cursorPageType } from '../../../jsonapi/cursor-profile.ts'
import { type Allowance, readAllowance } from './pace.ts'
import { objectOf } from './record.ts'

/** The source failed: it doesn't answer, refuses, or sends something unexpected. */
export class SourceFault extends Error {
  constructor(
    message: string,
    readonly status?: number,
    readonly retryAfterSeconds?: number,
  ) {
    super(message)
  }
}

/** Another Cardstock, read with one credential. */
export type Source = {
  /** The address, without a trailing slash. */
  url: string
  /** The credential's rate window, according to the last answer. */
  allowance: () => Allowance | undefined
  /** Reads a document. `seconds` extends the deadline. Throws SourceFault. */
  read: (path: string, signal: AbortSignal, seconds?: number) => Promise<Record<string, unknown>>
  /** Opens a signed address of the source, starting at a byte. Needs no credential. Throws SourceFault. */
  open: (address: string, signal: AbortSignal, fromByte?: number) => Promise<Response>
}

const deadlineSeconds = 30

/** Opens the source at an address, with one of its keys. Anything but a good answer throws SourceFault. */
export const openSource = (url: string, secret: string): Source => {
  let allowance: Allowance | undefined
  return {
    url,
    allowance: () => allowance,
    read: async (path, signal, seconds = 0) => {
      const headers = { Authorization: `Bearer ${secret}`, Accept: cursorPageType }
      const limit = AbortSignal.timeout((deadlineSeconds + seconds) * 1000)
      const response = await ask(`${url}${path}`, headers, AbortSignal.any([signal, limit]))
      allowance = readAllowance(response.headers, Date.now()) ?? allowance
      const text = await response.text().catch(away)
      if (!response.ok) throw refused(response, text)
      return parse(text)
    },
    open: async (address, signal, fromByte = 0) => {
      // Only the path comes from the source. The host is the one that works from here.
      const { pathname, search } = new URL(address)
      const headers: Record<string, string> = fromByte > 0 ? { Range: `bytes=${fromByte}-` } : {}
      const response = await ask(new URL(pathname + search, url).href, headers, signal)
      if (!response.ok) throw refused(response, await response.text().catch(() => ''))
      return response
    },
  }
}

/** A credential must never follow a redirect. */
const ask = (url: string, headers: Record<string, string>, signal: AbortSignal) =>
  fetch(url, { headers, signal, redirect: headers.Authorization ? 'manual' : 'follow' }).catch(away)

const away = ({ code, message }: Error & { code?: unknown }): never => {
  throw new SourceFault(`The source does not answer: ${typeof code === 'string' ? code : message}`)
}

const refused = ({ status, headers }: Response, text: string) => {
  const retryAfter = Number(headers.get('Retry-After') ?? 0)
  return new SourceFault(
    `The source answered ${status}: ${detailOf(text)}`,
    status,
    Number.isFinite(retryAfter) ? Math.min(retryAfter, 86_400) : 0,
  )
}

const detailOf = (text: string) => {
  try {
    const [error] = JSON.parse(text).errors
    return String(error.detail ?? error.title ?? error.code).slice(0, 300)
  } catch {
    return 'not a document of this API'
  }
}

const parse = (text: string) => {
  try {
    return objectOf(JSON.parse(text), 'a document')
  } catch {
    throw new SourceFault('The source sent something other than a document.')
  }
}

/** An address as the command accepts it: http or https, without query, fragment or credentials. Undefined for others. */
export const readSourceUrl = (given: string): string | undefined => {
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) return undefined
  const { href, search, hash, username, password } = new URL(given)
  return search || hash || username || password ? undefined : href.replace(/\/+$/, '')
}
