import { countOn } from '../access/limiter.ts'
import { networkOf } from '../access/network.ts'
import type { Context } from '../context.ts'
import { tooManyRequests } from '../jsonapi/errors.ts'

/** Counts a read of the catalog by its pages on the window of an address (decisions.md §8); throws a 429 beyond it. */
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
