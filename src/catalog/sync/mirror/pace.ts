/** What a source says of the window of a credential: how many requests are left, of how many, and for how many seconds. */
export type Allowance = { limit: number; remaining: number; seconds: number }

/** Reads it off an answer, by the clock of the source; undefined where the answer was not counted. */
export const readAllowance = (headers: Headers, now: number): Allowance | undefined => {
  const [limit, remaining, resetAt] = ['Limit', 'Remaining', 'Reset'].map((name) =>
    Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN),
  ) as [number, number, number]
  if (!(limit > 0) || !(remaining >= 0) || !(resetAt > 0)) return undefined
  const date = Date.parse(headers.get('Date') ?? '')
  const seconds = resetAt - (Number.isNaN(date) ? now : date) / 1000
  return { limit, remaining, seconds: Math.min(longestWindow, Math.max(0, seconds)) }
}

/** A clock that is wrong shall not keep a mirror waiting for longer, in seconds. */
const longestWindow = 86_400

/**
 * How many seconds lie from one request to the next, so that what is left of the window lasts until it ends. Where more is
 * waiting at the source, three quarters of a window may be spent at once.
 */
export const paceSeconds = (allowance: Allowance | undefined, hasMore: boolean): number => {
  if (!allowance) return 0
  const { limit, remaining, seconds } = allowance
  if (remaining === 0) return seconds + 1
  return hasMore && remaining > limit / 4 ? 0 : seconds / remaining
}

const [shortestWait, longestWait] = [10, 30]

/** How long a request for changes waits at the source, in seconds: where requests are few, each waits long. */
export const waitSeconds = (pace: number) => Math.min(longestWait, Math.max(shortestWait, Math.ceil(pace)))

const longestBackoff = 60

/** How long to wait after so many failures in a row, in seconds; what the source asks for is heeded. */
export const backoffSeconds = (failures: number, retryAfter = 0) =>
  Math.max(retryAfter, Math.min(longestBackoff, 2 ** (failures - 1)) * (0.75 + Math.random() / 2))
