import { Type } from '@sinclair/typebox'
import { type KeyWindow, readKeyWindow } from '../../access/key-window.ts'
import { tokenAllowance } from '../../access/tiers.ts'
import type { Call, Route } from '../../http/route.ts'
import { date, integer, nullable, oneOf, time } from '../../jsonapi/fields.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { readDailyUsage } from './daily.ts'

const json = 'application/json'

/** To ask how much is left uses nothing up: both routes count on this window, whoever of the account asks. */
const ownWindow = { name: 'usage', limit: 60, windowSeconds: 60 }

const numbers = () => ({
  limit: nullable(integer(0)),
  remaining: nullable(integer(0)),
  resets_at: nullable(time()),
})

const usageSchema = Type.Object(
  {
    ...numbers(),
    windows: Type.Array(Type.Object({ type: oneOf(['api_key', 'per_token']), ...numbers() })),
  },
  { $id: 'Usage', description: 'All is null without a key; `resets_at` is null while no request has opened a window.' },
)

const daysSchema = Type.Object(
  { days: Type.Array(Type.Object({ date: date(), count: integer(0) }), { minItems: 30, maxItems: 30 }) },
  { $id: 'UsageDays' },
)

const renderUsage = (window: KeyWindow | undefined) => {
  const { limit = null, remaining = null, resetsAt = null } = window ?? {}
  const key = { limit, remaining, resets_at: resetsAt }
  const token = { type: 'per_token', limit: tokenAllowance.limit, remaining: null, resets_at: null }
  return { ...key, windows: [{ type: 'api_key', ...key }, token] }
}

const ownerOf = ({ caller, url }: Call): string => {
  readQuery(url.searchParams, { include: [], fields: {}, filters: {} })
  return caller.userId ?? ''
}

/** What an account has used of what it may. */
export const usageRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/user/usage',
    operationId: 'getUsage',
    summary: 'What is left of the window of your key',
    description:
      'For the key itself or a person who signed in. Asking does not count on that window; it may be asked 60 times a minute. A token has 2,000 requests an hour, which its own answers tell.',
    tag: 'Account',
    access: 'account',
    ownWindow,
    flat: true,
    answers: {
      200: {
        description: 'The window.',
        schema: usageSchema,
        mediaType: json,
        example: renderUsage({ limit: 10_000, remaining: 9981, resetsAt: '2026-11-22T12:00:00.000Z' }),
      },
    },
    refusals: [400],
    handle: async ({ db, clock }, call) => ({
      status: 200,
      mediaType: json,
      body: renderUsage(await readKeyWindow(db, clock, ownerOf(call))),
    }),
  },
  {
    method: 'GET',
    path: '/v1/user/usage/daily',
    operationId: 'getDailyUsage',
    summary: 'Your requests of the last 30 days',
    description: 'By day (UTC), today last: what the account’s key, tokens and clients asked.',
    tag: 'Account',
    access: 'account',
    ownWindow,
    flat: true,
    answers: {
      200: {
        description: 'The days.',
        schema: daysSchema,
        mediaType: json,
      },
    },
    refusals: [400],
    handle: async ({ db }, call) => ({
      status: 200,
      mediaType: json,
      body: { days: await readDailyUsage(db, ownerOf(call), call.now) },
    }),
  },
]
