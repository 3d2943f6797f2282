import { Type } from '@sinclair/typebox'
import type { Route } from '../http/route.ts'
import { time, uuid } from '../jsonapi/fields.ts'
import { managementRoutes } from './management.ts'
import { grantableBy } from './registration.ts'

/**
 * A signed-in user's clients. Deleting one invalidates its access tokens at once. A client may have the scope `internal` before
 * it is approved, but gets no token for it until then.
 */
export const clientRoutes: Route[] = managementRoutes({
  kind: 'oauth_client',
  what: 'clients',
  name: 'OAuthClient',
  noun: 'a client',
  id: 'client_id',
  attributes: {
    client_id: uuid(),
    name: Type.String(),
    scope: Type.String(),
    internal_approved: Type.Boolean({ description: 'Whether an operator approved it for the scope `internal`.' }),
    created_at: time(),
  },
  secret: 'client_secret',
  grantable: (caller, { selfServiceScopes }) => grantableBy(caller, selfServiceScopes),
  render: ({ id: client_id, name, scope, internal_approved, created_at }) => ({
    client_id,
    name,
    scope,
    internal_approved,
    created_at,
  }),
  example: {
    id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
    name: 'price-watcher',
    last_four: 'x7Qk',
    secret: 'cardstock_secret_…',
  },
})
