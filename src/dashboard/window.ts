import { countOn } from '../access/limiter.ts'
import { networkOf } from '../access/network.ts'
import type { Context } from '../context.ts'
import { tooManyRequests } from '../jsonapi/errors.ts'

/** Counts a page's read of the catalog toward its address's rate limit (decisions.md §8). Throws a 429 beyond the limit. */
export const countRead = async ({ db, clock, config }: Context, address: string): Promise<Record<string, string>> => {
  const key = `catalog pages ${networkOf(address)}`
  const window = await countOn(db, clock, key, config.limits.catalogPages)
  if (!window.isOpen) throw tooManyRequests(window.waitSeconds)
  return {
    'X-RateLimit-Limit': String(window.limit),
    'X-RateLimit-Remaining': String(window.remaining),
    'X-RateLimit-Reset': String(window.resetAt),
  }
}
