/** Requests in a fixed window (interface.md, Limits). */
export type Allowance = { limit: number; windowSeconds: number }

const hour = 3600
const day = 24 * hour

/** What is allowed without a credential, per address. */
export const anonymousAllowance: Allowance = { limit: 100, windowSeconds: hour }

/** What tokens and sessions are allowed. */
export const tokenAllowance: Allowance = { limit: 2000, windowSeconds: hour }

/** What a subscriber key is allowed by its plan; it is written to the key. */
export const planAllowances = {
  trial: { limit: 10_000, windowSeconds: day },
  starter: { limit: 1000, windowSeconds: day },
  pro: { limit: 10_000, windowSeconds: day },
} as const satisfies Record<string, Allowance>

export type Plan = keyof typeof planAllowances
export const isPlan = (value: string): value is Plan => value in planAllowances
