/** The rate window of a credential at the source: the limit, the requests left, and the seconds until it resets. */
export type Allowance = { limit: number; remaining: number; seconds: number }

/** Reads the rate window from an answer, by the source's clock. Undefined if the answer wasn't counted. */
export const readAllowance = (headers: Headers, now: number): Allowance | undefined => {
  const [limit, remaining, resetAt] = ['Limit', 'Remaining', 'Reset'].map((name) =>
    Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN),
  ) as [number, number, number]
  if (!(limit > 0) || !(remaining >= 0) || !(resetAt > 0)) return undefined
  const date = Date.parse(headers.get('Date') ?? '')
  const seconds = resetAt - (Number.isNaN(date) ? now : date) / 1000
  return { limit, remaining, seconds: Math.min(longestWindow, Math.max(0, seconds)) }
}

/** The longest that a mirror may wait because of a wrong clock, in seconds. */
const longestWindow = 86_400

/**
 * How many seconds to leave between requests, so that the remaining requests last until the window ends. If the source has more changes,
 * three quarters of a window may be spent at once.
 */
export const paceSeconds = (allowance: Allowance | undefined, hasMore: boolean): number => {
  if (!allowance) return 0
  const { limit, remaining, seconds } = allowance
  if (remaining === 0) return seconds + 1
  return hasMore && remaining > limit / 4 ? 0 : seconds / remaining
}

const [shortestWait, longestWait] = [10, 30]

/** How long a request for changes waits at the source, in seconds. The fewer requests are left, the longer it waits. */
export const waitSeconds = (pace: number) => Math.min(longestWait, Math.max(shortestWait, Math.ceil(pace)))

const longestBackoff = 60

/** How long to wait after some failures in a row, in seconds, and at least as long as the source asks. */
export const backoffSeconds = (failures: number, retryAfter = 0) =>
  Math.max(retryAfter, Math.min(longestBackoff, 2 ** (failures - 1)) * (0.75 + Math.random() / 2))
