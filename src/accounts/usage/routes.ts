import { Type } from '@sinclair/typebox'
import { readAccountWindow } from '../../access/account-window.ts'
import { type LeftOf, readKeyWindow } from '../../access/key-window.ts'
import type { Call, Route } from '../../http/route.ts'
import { date, integer, nullable, oneOf, time } from '../../jsonapi/fields.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { ownWindows, sayAllowance, sayWindow, tokenAllowance } from '../../limits.ts'
import { readDailyUsage } from './daily.ts'

/** Asking how much is left costs nothing: both routes count on a window of their own, one for each user. */
const ownWindow = { name: 'usage', ...ownWindows.usage }

const numbers = () => ({
  limit: nullable(integer(0)),
  remaining: nullable(integer(0)),
  resets_at: nullable(time()),
})

const usageSchema = Type.Object(
  {
    ...numbers(),
    windows: Type.Array(Type.Object({ type: oneOf(['api_key', 'billing_account', 'per_token']), ...numbers() })),
  },
  {
    $id: 'Usage',
    description:
      'The numbers of the key, all null without one; `resets_at` is null until a request opens a window. `windows` has the key’s window and, for an account on a plan, the one that its clients and personal tokens share (`billing_account`); without a plan, and for an operator, what each token is allowed (`per_token`).',
  },
)

const daysSchema = Type.Object(
  { days: Type.Array(Type.Object({ date: date(), count: integer(0) }), { minItems: 30, maxItems: 30 }) },
  { $id: 'UsageDays' },
)

const renderUsage = (ofKey: LeftOf | undefined, ofAccount: LeftOf | undefined) => {
  const key = render(ofKey)
  const token = { type: 'per_token', limit: tokenAllowance.limit, remaining: null, resets_at: null }
  const account = { type: 'billing_account', ...render(ofAccount) }
  return { ...key, windows: [{ type: 'api_key', ...key }, ofAccount ? account : token] }
}

const render = (left: LeftOf | undefined) => ({
  limit: left?.limit ?? null,
  remaining: left?.remaining ?? null,
  resets_at: left?.resetsAt ?? null,
})

const ownerOf = ({ caller, url }: Call): string => {
  readQuery(url.searchParams, { include: [], fields: {}, filters: {} })
  return caller.userId ?? ''
}

/** How much of its allowance an account has used. */
export const usageRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/user/usage',
    operationId: 'getUsage',
    summary: 'Your rate limit, and how much of it is left',
    description: `For an API key or a signed-in person. Reading it does not count against the window; you can read it ${ownWindows.usage.limit} times ${sayWindow(ownWindows.usage.windowSeconds)}. Each token has ${sayAllowance(tokenAllowance)}, and the tokens of an account on a plan share what the plan allows: their responses report whichever has less left.`,
    tag: 'Account',
    access: 'account',
    ownWindow,
    flat: true,
    answers: {
      200: {
        description: 'The window.',
        schema: usageSchema,
        example: renderUsage(
          { limit: 10_000, remaining: 9981, resetsAt: '2026-11-22T12:00:00.000Z' },
          { limit: 10_000, remaining: 10_000, resetsAt: null },
        ),
      },
    },
    refusals: [400],
    handle: async ({ db, clock }, call) => {
      const owner = ownerOf(call)
      const body = renderUsage(await readKeyWindow(db, clock, owner), await readAccountWindow(db, clock, owner))
      return { status: 200, body }
    },
  },
  {
    method: 'GET',
    path: '/v1/user/usage/daily',
    operationId: 'getDailyUsage',
    summary: 'Your requests of the last 30 days',
    description: 'By day (UTC), today last: the requests of the account’s key, tokens and clients.',
    tag: 'Account',
    access: 'account',
    ownWindow,
    flat: true,
    answers: {
      200: {
        description: 'The days.',
        schema: daysSchema,
      },
    },
    refusals: [400],
    handle: async ({ db }, call) => ({
      status: 200,
      body: { days: await readDailyUsage(db, ownerOf(call), call.now) },
    }),
  },
]
