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
  client_id: uuid(),
  name: Type.String(),
  scope: Type.String(),
  internal_approved: Type.Boolean({ description: 'Whether an operator lets it use the scope `internal`.' }),
  created_at: time(),
}

const example = {
  client_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  name: 'price-watcher',
  scope: 'read:published',
  internal_approved: false,
  created_at: '2026-11-21T12:00:00.000Z',
}

/** A client may have the scope `internal` before it is approved; asking a token for it is refused until then. */
const create = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const asked = await readRegistration(call, grantableBy(call.caller, config.selfServiceScopes))
  if ('status' in asked) return asked
  const { name, scopes } = asked
  const { id, secret } = await db.transaction(async (tx) => {
    const issued = await issueCredential(tx, 'oauth_client', call.caller.userId ?? '', config, call.now, asked)
    await logCredential(tx, actOf(call), 'oauth_client', issued.id, 'created', { name, scope: scopes.join(' ') })
    return issued
  })
  const client = { client_id: id, client_secret: secret, name, scope: scopes.join(' '), internal_approved: false }
  return { status: 201, mediaType: json, body: { ...client, created_at: call.now.toISOString() } }
}

const list = async ({ db }: Context, { caller }: Call): Promise<Reply> => {
  const owned = await listOwned(db, 'oauth_client', caller.userId ?? '')
  const clients = owned.map(({ id, name, scope, internalApproved, createdAt, lastUsedAt }) => ({
    ...{ client_id: id, name, scope, internal_approved: internalApproved },
    ...{ created_at: createdAt, last_used_at: lastUsedAt },
  }))
  return { status: 200, mediaType: json, body: { clients } }
}

const remove = async ({ db }: Context, call: Call): Promise<Reply> => {
  await endOwned(db, 'oauth_client', call, call.params.client_id ?? '')
  return { status: 204 }
}

/** The clients of a person who signed in. Deleting one ends its access tokens at once. */
export const clientRoutes: Route[] = managementRoutes({
  what: 'clients',
  name: 'OAuthClient',
  noun: 'a client',
  id: 'client_id',
  created: {
    schema: Type.Object({ ...shown, client_secret: Type.String() }, { $id: 'CreatedOAuthClient' }),
    example: { ...example, client_secret: 'cardstock_secret_…' },
  },
  listed: {
    schema: Type.Object(
      { clients: Type.Array(Type.Object({ ...shown, last_used_at: nullable(time()) }, { $id: 'OAuthClient' })) },
      { $id: 'OAuthClientList' },
    ),
    example: { clients: [{ ...example, last_used_at: null }] },
  },
  example: { name: 'price-watcher', scope: 'read:published' },
  handle: { create: managed('clients', create), list: managed('clients', list), remove: managed('clients', remove) },
})
