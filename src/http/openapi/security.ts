import { sessionCookie } from '../../access/read-credential.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import type { Route } from '../route.ts'
import type { Json } from './components.ts'

const scopes = {
  'read:published': 'Read published data.',
  'read:draft': 'Read published data and drafts.',
  'read:all-status': 'Read data of any status.',
  write: 'Create and change. It gives no right to read.',
  delete: 'Delete. This doesn’t include reading.',
  internal: 'Use the operators’ endpoints. Only for clients that an operator approved.',
}

/** The ways to authenticate (interface.md, Authentication). */
export const securitySchemes = ({ brand, baseUrl }: { brand: string; baseUrl: string }): Json => ({
  subscriberKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${brand}_live_…`,
    description: 'A subscriber key. It reads published data, and the plan sets its rate limit.',
  },
  personalToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A personal access token with its own scopes, shown once and valid until you revoke it.',
  },
  oauth2: {
    type: 'oauth2',
    description: `A machine client exchanges its id and secret for a token that is valid for ${sayDuration(lifetimes.accessToken.seconds)} (RFC 6749 §4.4).`,
    flows: { clientCredentials: { tokenUrl: `${baseUrl}/oauth/token`, scopes } },
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie(brand, baseUrl),
    description: 'A user signed in on the service’s own pages. Writes must come from those pages.',
  },
  sessionToken: {
    type: 'http',
    scheme: 'bearer',
    description: `A user signed in with \`POST /v1/session\`. Send its \`meta.token\`, valid for ${sayDuration(lifetimes.session.seconds)}. It can write from anywhere.`,
  },
})

const token = (scope: string) => ({ oauth2: [scope] })
const [key, personal] = [{ subscriberKey: [] }, { personalToken: [] }]
/** Either its cookie or its token opens a route to a session. */
const session = [{ session: [] }, { sessionToken: [] }]

/** The credentials that open a route, any one of them. An empty list means that none is needed. */
export const securityOf = ({ access, scope, needsWrite }: Pick<Route, 'access' | 'scope' | 'needsWrite'>): Json[] => {
  if (access === 'public') return []
  if (access === 'session') return session
  if (access === 'account') return [key, ...session]
  if (access === 'internal' || scope === 'internal')
    return [{ oauth2: ['internal', ...(needsWrite ? ['write'] : [])] }, ...session]
  if (scope === 'change') return [personal, token('write'), token('delete'), ...session]
  if (scope === 'write' || scope === 'delete' || scope === 'read:all-status')
    return [personal, token(scope), ...session]
  return [key, personal, ...['read:published', 'read:draft', 'read:all-status'].map(token), ...session]
}
