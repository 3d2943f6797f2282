/** A request's place in its fixed window. `resetAt` is in Unix seconds; `isOpen` says that the request is within the limit. */
export type Window = { limit: number; remaining: number; resetAt: number; isOpen: boolean; waitSeconds: number }

/** What a window looks like to the request that is number `place` in it. */
export const windowAt = (place: number, limit: number, closesAt: string, waitSeconds: number): Window => ({
  limit,
  remaining: Math.max(0, limit - place),
  resetAt: Math.ceil(Number(closesAt)),
  isOpen: place <= limit,
  waitSeconds,
})

/**
 * Of the two windows that a request counts on, the one to report: the one with fewer requests left, or with as many the one
 * that resets later. It is open where both are.
 */
export const narrower = (one: Window, other: Window): Window => {
  const isOne = one.remaining === other.remaining ? one.resetAt >= other.resetAt : one.remaining < other.remaining
  return { ...(isOne ? one : other), isOpen: one.isOpen && other.isOpen }
}
