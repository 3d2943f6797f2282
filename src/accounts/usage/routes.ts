import { Type } from '@sinclair/typebox'
import { readAccountWindow } from '../../access/account-window.ts'
import { type LeftOf, readKeyWindow } from '../../access/key-window.ts'
import type { Call, Route } from '../../http/route.ts'
import { date, integer, nullable, oneOf, time } from '../../jsonapi/fields.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { ownWindows, sayAllowance, sayWindow, tokenAllowance } from '../../limits.ts'
import { readDailyUsage } from './daily.ts'

/** Asking how much is left doesn't use it up: both routes count on their own window, one per user. */
const ownWindow = { name: 'usage', ...ownWindows.usage }

const numbers = () => ({
  limit: nullable(integer(0)),
  remaining: nullable(integer(0)),
  resets_at: nullable(time()),
})

const members = () => ({
  ...numbers(),
  windows: Type.Array(Type.Object({ type: oneOf(['api_key', 'billing_account', 'per_token']), ...numbers() })),
})

const usageSchema = Type.Object(
  {
    ...members(),
    data: Type.Object(
      { type: Type.Literal('usage'), id: Type.Literal('usage'), attributes: Type.Object(members()) },
      { description: 'The same as a resource object.' },
    ),
  },
  {
    $id: 'Usage',
    description:
      'The key’s numbers, all null without a key. `resets_at` is null until a request opens a window. `windows` has the key’s window. For an account on a plan, it also has the window that its clients and personal tokens share (`billing_account`). For operators and accounts without a plan, it has what each token is allowed (`per_token`).',
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
  const attributes = { ...key, windows: [{ type: 'api_key', ...key }, ofAccount ? account : token] }
  return { ...attributes, data: { type: 'usage', id: 'usage', attributes } }
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

const shared: Pick<Route, 'method' | 'tag' | 'access' | 'ownWindow' | 'flat' | 'refusals'> = {
  method: 'GET',
  tag: 'Account',
  access: 'account',
  ownWindow,
  flat: true,
  refusals: [400],
}

/** How much of its allowance an account has used. */
export const usageRoutes: Route[] = [
  {
    ...shared,
    path: '/v1/user/usage',
    operationId: 'getUsage',
    summary: 'Get your rate limit and what is left of it',
    description: `For API keys and signed-in users. This request doesn’t count against that window. You can make it ${ownWindows.usage.limit} times ${sayWindow(ownWindows.usage.windowSeconds)}. Each token is allowed ${sayAllowance(tokenAllowance)}, and the tokens of an account on a plan share what the plan allows. Their responses report whichever window has less left.`,
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
    handle: async ({ db, clock }, call) => {
      const owner = ownerOf(call)
      const body = renderUsage(await readKeyWindow(db, clock, owner), await readAccountWindow(db, clock, owner))
      return { status: 200, body }
    },
  },
  {
    ...shared,
    path: '/v1/user/usage/daily',
    operationId: 'getDailyUsage',
    summary: 'Count your requests of the last 30 days',
    description: 'The requests of your key, tokens and clients by day (UTC), today last.',
    answers: { 200: { description: 'The days.', schema: daysSchema } },
    handle: async ({ db }, call) => ({
      status: 200,
      body: { days: await readDailyUsage(db, ownerOf(call), call.now) },
    }),
  },
]
