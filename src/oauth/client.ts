import { timingSafeEqual } from 'node:crypto'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { statement } from '../../db/builder.ts'
import { credentials, type Row } from '../../db/schema/index.ts'
import { isLive } from '../access/credentials.ts'
import type { Context } from '../context.ts'
import type { Call } from '../http/route.ts'
import { isUuid } from '../jsonapi/fields.ts'
import { hashSecret } from '../lib/secret.ts'
import { readClientRequest } from './client-request.ts'
import { oauthRefusal } from './refusal.ts'

const { id, user_id, kind, secret_hash, scopes, internal_approved, generation, expires_at } = credentials
const columns = { id, user_id, secret_hash, scopes, internal_approved, generation }

/** A client that may request tokens now. */
export type Client = Pick<Row<typeof credentials>, keyof typeof columns>

const liveClient = statement((orm) => {
  const at = sql`now() + make_interval(secs => ${sql.placeholder('offset')}::float8)`
  const hasTime = or(isNull(expires_at), sql`${expires_at} > ${at}`)
  return orm
    .select(columns)
    .from(credentials)
    .where(and(eq(id, sql.placeholder('id')), eq(kind, 'oauth_client'), isLive, hasTime))
})

/** The live client with an id. Undefined for anything that isn't a UUID. */
const findClient = async ({ db, clock }: Context, id: string | undefined): Promise<Client | undefined> => {
  if (!id || !isUuid(id)) return undefined
  const [client] = await liveClient(db, { id, offset: clock.offsetSeconds })
  return client
}

/**
 * The fields of a client's request, or a sentence about what is wrong with it; the client that it names; and the same client as
 * `proven` if the secret is right. It takes just as long if there is no such client.
 */
export const readProof = async (context: Context, call: Call) => {
  const asked = readClientRequest(await call.body(), call.request.headers)
  if (typeof asked === 'string') return { asked, named: undefined, proven: undefined }
  const named = await findClient(context, asked.clientId)
  const isRight = timingSafeEqual(hashSecret(asked.clientSecret ?? ''), named?.secret_hash ?? hashSecret('no client'))
  return { asked, named, proven: isRight ? named : undefined }
}

/** The refusal of a client that is unknown or can't prove its identity. It doesn't say which (RFC 6749 §5.2). */
export const invalidClient = () =>
  oauthRefusal(401, 'invalid_client', 'The client is unknown or its secret is wrong.', {
    'WWW-Authenticate': 'Basic realm="oauth"',
  })
