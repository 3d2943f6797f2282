/** Requests in a fixed window (interface.md, Limits). */
export type Allowance = { limit: number; windowSeconds: number }

const minute = 60
const quarter = 15 * minute
const hour = 60 * minute
const day = 24 * hour

/** What an address may ask without a credential. */
export const anonymousAllowance: Allowance = { limit: 100, windowSeconds: hour }

/** What a token or a session may ask. */
export const tokenAllowance: Allowance = { limit: 2000, windowSeconds: hour }

/** What a plan gives its key, and once more to the account's clients and tokens together. The key keeps a copy. */
export const planAllowances = {
  trial: { limit: 10_000, windowSeconds: day },
  starter: { limit: 1000, windowSeconds: day },
  pro: { limit: 10_000, windowSeconds: day },
} as const satisfies Record<string, Allowance>

export type Plan = keyof typeof planAllowances
export const isPlan = (value: string): value is Plan => value in planAllowances

/** How long a window is, as in `10 an hour` or `20 in 15 minutes`. */
export const sayWindow = (seconds: number): string =>
  ({ [minute]: 'a minute', [hour]: 'an hour' })[seconds] ??
  (seconds % hour === 0 ? `in ${seconds / hour} hours` : `in ${seconds / minute} minutes`)

/** A limit on top of the general one. The variable `LIMIT_` + `setting` moves it. */
type TighterLimit = Allowance & { setting: string; counts: string; by: string }

const tighter = (setting: string, limit: number, windowSeconds: number, counts: string, by: string): TighterLimit => ({
  limit,
  windowSeconds,
  setting,
  counts,
  by,
})

/** The tighter limits (decisions.md §7). */
export const tighterLimits = {
  signup: tighter('SIGNUP_PER_HOUR', 10, hour, 'sign-ups', 'address'),
  verify: tighter('VERIFY_PER_HOUR', 30, hour, 'verifications', 'address'),
  resend: tighter('RESEND_PER_HOUR', 10, hour, 'requests for another link', 'address'),
  resendToken: tighter('RESEND_TOKEN_PER_HOUR', 3, hour, 'requests for another link', 'token'),
  forgot: tighter('FORGOT_PER_HOUR', 10, hour, 'forgotten passwords', 'address'),
  invite: tighter('INVITE_PER_HOUR', 30, hour, 'checks of an invite code', 'address'),
  session: tighter('SESSION_PER_15_MINUTES', 20, quarter, 'sign-ins', 'address'),
  sessionAccountAddress: tighter(
    'SESSION_ACCOUNT_ADDRESS_PER_15_MINUTES',
    10,
    quarter,
    'wrong passwords',
    'account and address',
  ),
  sessionAccount: tighter(
    'SESSION_ACCOUNT_PER_15_MINUTES',
    100,
    quarter,
    'wrong passwords',
    'account, over all new addresses',
  ),
  catalogPages: tighter('CATALOG_PAGES_PER_10_MINUTES', 600, 10 * minute, 'reads of the catalog pages', 'address'),
  emailChange: tighter('EMAIL_CHANGE_ACCOUNT_PER_HOUR', 10, hour, 'changes of the e-mail address', 'account'),
}

export type LimitName = keyof typeof tighterLimits
