import { Type } from '@sinclair/typebox'
import type { Route } from '../http/route.ts'
import { time, uuid } from '../jsonapi/fields.ts'
import { managementRoutes } from './management.ts'
import { grantableBy } from './registration.ts'

/**
 * A signed-in user's personal access tokens. They work until they are revoked. None carries `internal`, which only a client
 * that an operator approved may use.
 */
export const personalTokenRoutes: Route[] = managementRoutes({
  kind: 'personal_token',
  what: 'tokens',
  name: 'PersonalToken',
  noun: 'a personal access token',
  id: 'id',
  attributes: {
    id: uuid(),
    name: Type.String(),
    scope: Type.String(),
    last_four: Type.String(),
    created_at: time(),
  },
  secret: 'token',
  grantable: (caller, { selfServiceScopes }) =>
    grantableBy(caller, selfServiceScopes).filter((scope) => scope !== 'internal'),
  render: ({ id, name, scope, last_four, created_at }) => ({ id, name, scope, last_four, created_at }),
  example: {
    id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
    name: 'my laptop',
    last_four: 'b4Wn',
    secret: 'cardstock_pat_…b4Wn',
  },
})
