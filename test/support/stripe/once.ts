import type { Told } from './api.ts'

type Kept = { asked: string; told: Promise<Told>; isTold: boolean }

/**
 * Stripe's promise about idempotency keys: the same key gives the same answer, even a failed one. With other parameters it
 * returns 400, and while the first call is in progress, 409.
 */
export const onceBy = () => {
  const kept = new Map<string, Kept>()
  return async (key: string | null, asked: string, work: () => Promise<Told>): Promise<Told> => {
    if (!key) return work()
    const before = kept.get(key)
    if (!before) {
      const told = work()
      const mine: Kept = { asked, told, isTold: false }
      kept.set(key, mine)
      const answer = await told
      mine.isTold = true
      return answer
    }
    if (before.asked !== asked) return refusal(400, 'idempotency_error', 'idempotency_key_reused')
    return before.isTold ? before.told : refusal(409, 'invalid_request_error', 'idempotency_key_in_use')
  }
}

const refusal = (status: number, type: string, code: string): Told => ({ status, body: { error: { type, code } } })
