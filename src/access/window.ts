import type { Allowance } from '../limits.ts'

/** A request's place in its fixed window. `resetAt` is in Unix seconds. `isOpen` if the request is within the limit. */
export type Window = {
  limit: number
  remaining: number
  resetAt: number
  windowSeconds: number
  isOpen: boolean
  waitSeconds: number
}

/** The window as the request at `place` sees it. */
export const windowAt = (
  place: number,
  { limit, windowSeconds }: Allowance,
  closesAt: number,
  waitSeconds: number,
): Window => ({
  limit,
  remaining: Math.max(0, limit - place),
  resetAt: Math.ceil(closesAt),
  windowSeconds,
  isOpen: place <= limit,
  waitSeconds,
})

/** The headers that say so on every answer that counts (interface.md, Limits). */
export const windowHeaderValues = ({ limit, remaining, resetAt, windowSeconds }: Window): [string, string][] => [
  ['X-RateLimit-Limit', String(limit)],
  ['X-RateLimit-Remaining', String(remaining)],
  ['X-RateLimit-Reset', String(resetAt)],
  ['X-RateLimit-Window', String(windowSeconds)],
]

/**
 * Which of a request's two windows to report: the one with fewer requests left, or if equal, the one that resets later. The
 * result is open if both are.
 */
export const narrower = (one: Window, other: Window): Window => {
  const isOne = one.remaining === other.remaining ? one.resetAt >= other.resetAt : one.remaining < other.remaining
  return { ...(isOne ? one : other), isOpen: one.isOpen && other.isOpen }
}
