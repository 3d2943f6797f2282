import { Type } from '@sinclair/typebox'
import { actOf } from '../../access/caller.ts'
import type { Act } from '../../audit/write.ts'
import type { Context } from '../../context.ts'
import { pageParameters } from '../../http/parameters.ts'
import { pathId } from '../../http/path-id.ts'
import { plainType, showOne, showPage, spanOf } from '../../http/plain-type.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { boolean, integer, nullable, oneOf, text, time } from '../../jsonapi/fields.ts'
import { readQuery, refuseUnknown } from '../../jsonapi/query.ts'
import { exampleId, exampleUrl } from '../action.ts'
import { closeAccount } from '../me/account.ts'
import { type Account, countAccounts, demote, getAccount, promote, readAccounts, signOut } from './person.ts'

const path = '/internal/users'

const shape = plainType({
  type: 'users',
  name: 'ManagedUser',
  attributes: {
    email: Type.String(),
    name: nullable(Type.String()),
    operator: boolean(),
    plan: nullable(oneOf(['trial', 'starter', 'pro'])),
    status: nullable(oneOf(['trialing', 'active', 'past_due', 'canceled', 'paused'])),
    sessions: { ...integer(0), description: 'How many sessions are live.' },
    tokens: { ...integer(0), description: 'How many personal tokens are live.' },
    clients: { ...integer(0), description: 'How many machine clients are live.' },
    created_at: time(),
  },
  fields: ['email', 'operator'],
})

const render = (baseUrl: string, account: Account, fields?: Set<string>) =>
  shape.render(`${baseUrl}${path}/${account.id}`, account.id, account, fields)

const listShape = {
  ...shape.query,
  paginated: true,
  filters: {
    operator: { kind: 'text' as const, values: ['true', 'false'] },
    email: { kind: 'text' as const },
  },
}

const list = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const query = readQuery(call.url.searchParams, listShape)
  const { operator, email } = query.filters
  const wanted = {
    ...(operator ? { operator: operator.value === 'true' } : {}),
    ...(email ? { email: String(email.value) } : {}),
  }
  const { limit = 0, offset } = spanOf(query)
  const accounts = await readAccounts(db, { ...wanted, limit, offset })
  const data = accounts.map((account) => render(config.baseUrl, account, query.fields.get(shape.type)))
  return showPage(`${config.baseUrl}${path}`, query, { data, total: await countAccounts(db, wanted) }, call)
}

const retrieve = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  return showOne(render(config.baseUrl, await getAccount(db, pathId(call)), fields), call)
}

type Change = (db: Context['db'], userId: string, act: Act) => Promise<Account>

const answering =
  (change: Change) =>
  async ({ db, config }: Context, call: Call): Promise<Reply> => {
    refuseUnknown(call.url.searchParams)
    return showOne(render(config.baseUrl, await change(db, pathId(call), actOf(call))), call)
  }

const close = async (context: Context, call: Call): Promise<Reply> => {
  refuseUnknown(call.url.searchParams)
  await closeAccount(context, pathId(call), actOf(call))
  return { status: 204 }
}

const example = render(exampleUrl, {
  id: exampleId,
  email: 'op@example.org',
  name: 'Ana Pérez',
  operator: true,
  plan: null,
  status: null,
  sessions: 2,
  tokens: 1,
  clients: 1,
  created_at: '2026-11-21T12:00:00.000Z',
})

const action = { ...forOperators, method: 'POST' as const, refusals: [400, 409] }

/** Operators' routes for people: who has an account, who is an operator, and how that ends. */
export const managedUserRoutes: Route[] = [
  {
    ...forOperators,
    method: 'GET',
    path,
    operationId: 'listUsers',
    summary: 'List accounts',
    description: 'Oldest first.',
    query: {
      ...shape.parameters,
      'filter[operator]': {
        schema: oneOf(['true', 'false']),
        description: 'Only operators, or only other accounts.',
        example: 'true',
      },
      'filter[email]': {
        schema: text(),
        description: 'Only the account with this address.',
        example: 'op@example.org',
      },
      ...pageParameters('accounts'),
    },
    answers: { 200: { description: 'The accounts.', schema: shape.page } },
    refusals: [400],
    handle: list,
  },
  {
    ...forOperators,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getUserById',
    summary: 'Get an account',
    description: 'An account with its plan, and how many sessions, tokens and clients it has.',
    query: shape.parameters,
    answers: { 200: shape.one('The account.', example) },
    refusals: [400],
    handle: retrieve,
  },
  {
    ...action,
    path: `${path}/:id/promote`,
    operationId: 'promoteUser',
    summary: 'Make somebody an operator',
    description: 'Takes effect with their next request. Does nothing if they are one.',
    answers: { 200: shape.one('The account.', example) },
    handle: answering(promote),
  },
  {
    ...action,
    path: `${path}/:id/demote`,
    operationId: 'demoteUser',
    summary: 'Make an operator an account like others',
    description:
      'With the next request, their sessions, tokens and clients have lost `internal`, `write`, `delete` and drafts. Clients are no longer approved. Does nothing if they are no operator. 409 for the last operator.',
    answers: { 200: shape.one('The account.', example) },
    handle: answering(demote),
  },
  {
    ...action,
    path: `${path}/:id/sign-out`,
    operationId: 'signUserOut',
    summary: 'End all sessions of an account',
    description: 'Its keys, tokens and clients go on working.',
    answers: { 200: shape.one('The account.', example) },
    handle: answering(signOut),
  },
  {
    ...action,
    path: `${path}/:id/close`,
    operationId: 'closeUser',
    summary: 'Delete an account',
    description:
      'This is permanent, as if its owner had deleted it: its key, tokens, clients and sessions are revoked, and its paid subscription at Stripe is canceled. If that fails, the response is 502 and the account stays. 409 for the last operator.',
    answers: { 204: { description: 'The account is deleted.' } },
    refusals: [400, 409, 502],
    handle: close,
  },
]
