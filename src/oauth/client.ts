import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import { isUuid } from '../jsonapi/fields.ts'
import { hashSecret } from '../lib/secret.ts'
import type { ClientRequest } from './client-request.ts'
import { oauthRefusal } from './refusal.ts'

/** A client that may ask for tokens now. */
export type Client = {
  id: string
  user_id: string
  secret_hash: Buffer
  scopes: string[]
  internal_approved: boolean
  generation: number
}

/** The live client of an id; what is no UUID names none. */
export const findClient = async ({ db, clock }: Context, id: string | undefined): Promise<Client | undefined> => {
  if (!id || !isUuid(id)) return undefined
  const [client] = await db.sql<Client[]>`
    select id, user_id, secret_hash, scopes, internal_approved, generation from credentials
    where id = ${id} and kind = 'oauth_client' and revoked_at is null
      and (expires_at is null or expires_at > now() + make_interval(secs => ${clock.offsetSeconds}::float8))`
  return client
}

/** Whether a request proves that it is the client's; it takes the same time where there is no such client. */
export const isProven = (client: Client | undefined, { clientSecret = '' }: ClientRequest): client is Client => {
  const isRight = timingSafeEqual(hashSecret(clientSecret), client?.secret_hash ?? hashSecret('no client'))
  return isRight && client !== undefined
}

/** The refusal of a client that is unknown or cannot prove itself, which tells not which of the two (RFC 6749 §5.2). */
export const invalidClient = () =>
  oauthRefusal(401, 'invalid_client', 'The client is unknown or its secret is wrong.', {
    'WWW-Authenticate': 'Basic realm="oauth"',
  })
