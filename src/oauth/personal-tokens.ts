import { Type } from '@sinclair/typebox'
import { actOf } from '../access/caller.ts'
import { logCredential } from '../access/credential-log.ts'
import { issueCredential } from '../access/credentials.ts'
import type { Context } from '../context.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import { nullable, time, uuid } from '../jsonapi/fields.ts'
import { managed } from './managed.ts'
import { managementRoutes } from './management-routes.ts'
import { endOwned, listOwned } from './owned.ts'
import { grantableBy, readRegistration } from './registration.ts'

const json = 'application/json'

const shown = {
  id: uuid(),
  name: Type.String(),
  scope: Type.String(),
  last_four: Type.String(),
  created_at: time(),
}

const example = {
  id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  name: 'my laptop',
  scope: 'read:published',
  last_four: 'b4Wn',
  created_at: '2026-11-21T12:00:00.000Z',
}

/** A personal token never carries `internal`: only clients do, which an operator approves. */
const create = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const grantable = grantableBy(call.caller, config.selfServiceScopes).filter((scope) => scope !== 'internal')
  const asked = await readRegistration(call, grantable)
  if ('status' in asked) return asked
  const { name, scopes } = asked
  const { id, secret } = await db.transaction(async (tx) => {
    const issued = await issueCredential(tx, 'personal_token', call.caller.userId ?? '', config, call.now, asked)
    await logCredential(tx, actOf(call), 'personal_token', issued.id, 'created', { name, scope: scopes.join(' ') })
    return issued
  })
  const token = { id, token: secret, name, scope: scopes.join(' '), last_four: secret.slice(-4) }
  return { status: 201, mediaType: json, body: { ...token, created_at: call.now.toISOString() } }
}

const list = async ({ db }: Context, { caller }: Call): Promise<Reply> => {
  const owned = await listOwned(db, 'personal_token', caller.userId ?? '')
  const tokens = owned.map(({ id, name, scope, lastFour, createdAt, lastUsedAt }) => ({
    ...{ id, name, scope, last_four: lastFour },
    ...{ created_at: createdAt, last_used_at: lastUsedAt },
  }))
  return { status: 200, mediaType: json, body: { tokens } }
}

const remove = async ({ db }: Context, call: Call): Promise<Reply> => {
  await endOwned(db, 'personal_token', call, call.params.id ?? '')
  return { status: 204 }
}

/** The personal access tokens of a person who signed in; they live until they are ended. */
export const personalTokenRoutes: Route[] = managementRoutes({
  what: 'tokens',
  name: 'PersonalToken',
  noun: 'a personal access token',
  id: 'id',
  created: {
    schema: Type.Object({ ...shown, token: Type.String() }, { $id: 'CreatedPersonalToken' }),
    example: { ...example, token: 'cardstock_pat_…b4Wn' },
  },
  listed: {
    schema: Type.Object(
      { tokens: Type.Array(Type.Object({ ...shown, last_used_at: nullable(time()) }, { $id: 'PersonalToken' })) },
      { $id: 'PersonalTokenList' },
    ),
    example: { tokens: [{ ...example, last_used_at: null }] },
  },
  example: { name: 'my laptop', scope: 'read:published' },
  handle: { create: managed('tokens', create), list: managed('tokens', list), remove: managed('tokens', remove) },
})
