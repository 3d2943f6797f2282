import { agree as agreeIn } from '../../src/access/agreements.ts'
import { type Scope, scopes } from '../../src/access/caller.ts'
import { issueCredential, issueKey, revokeCredential } from '../../src/access/credentials.ts'
import type { Context } from '../../src/context.ts'
import { jsonApi } from '../../src/jsonapi/negotiate.ts'
import { type Answer, readAnswer } from './answer.ts'

export type Sent = { body?: BodyInit; headers?: Record<string, string>; signal?: AbortSignal }

/** A client that sends requests. `document` is sent as JSON:API. */
export type Client = {
  send: (method: string, path: string, sent?: Sent) => Promise<Answer>
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  post: (path: string, document: unknown, headers?: Record<string, string>) => Promise<Answer>
  patch: (path: string, document: unknown, headers?: Record<string, string>) => Promise<Answer>
  delete: (path: string, headers?: Record<string, string>) => Promise<Answer>
}

type Fetch = (request: Request) => Promise<Response> | Response

/** A client that sends these headers with every request. */
export const clientWith = (fetch: Fetch, baseUrl: string, own: Record<string, string>): Client => {
  const send: Client['send'] = async (method, path, { headers, ...sent } = {}) =>
    readAnswer(await fetch(new Request(`${baseUrl}${path}`, { method, ...sent, headers: { ...own, ...headers } })))
  const write = (method: string) => (path: string, document: unknown, headers?: Record<string, string>) =>
    send(method, path, { body: JSON.stringify(document), headers: { 'Content-Type': jsonApi, ...headers } })
  return {
    send,
    get: (path, headers) => send('GET', path, { headers }),
    post: write('POST'),
    patch: write('PATCH'),
    delete: (path, headers) => send('DELETE', path, { headers }),
  }
}

/** Creates an account. Its subscription is active unless `status` says otherwise. */
export const aUser = async ({ db, clock }: Context, { operator = false, status = 'active' } = {}): Promise<string> => {
  const id = Bun.randomUUIDv7()
  const now = clock.now().toISOString()
  await db.sql`
    insert into users (id, email, email_key, operator, verified_at, created_at, updated_at)
    values (${id}, ${`${id}@example.org`}, ${`${id}@example.org`}, ${operator ? 'yes' : 'no'}::text::bool, ${now}, ${now}, ${now})`
  if (status !== 'none')
    await db.sql`
      insert into subscriptions (user_id, plan, status, created_at, updated_at)
      values (${id}, 'pro', ${status}, ${now}, ${now})`
  return id
}

const plenty = { limit: 1_000_000, windowSeconds: 3600 }

/** A personal access token with these scopes. Its limit is high, so that a test can send as much as it likes. */
export const aToken = async (context: Context, userId: string, granted: Scope[]) => {
  const { db, clock, config } = context
  const token = await issueCredential(db, 'personal_token', userId, config, clock.now(), { scopes: granted })
  await widen(context, token.id)
  return token
}

/** Agrees on an allowance in its own transaction. */
export const agree = (db: Context['db'], ...agreed: Rest<Parameters<typeof agreeIn>>) =>
  db.transaction((tx) => agreeIn(tx, ...agreed))

type Rest<T extends unknown[]> = T extends [unknown, ...infer R] ? R : never

const widen = (context: Context, credentialId: string) =>
  agree(context.db, credentialId, plenty, {
    now: context.clock.now(),
    internalPoolLimit: context.config.internalPoolLimit,
  })

/** A new operator with a session: a caller with its own turns and a high limit. */
export const anOperator = async (context: Context, fetch: Fetch, baseUrl: string): Promise<Client> => {
  const owner = await aUser(context, { operator: true, status: 'none' })
  const { id, secret } = await issueCredential(context.db, 'session', owner, context.config, context.clock.now())
  await widen(context, id)
  return clientWith(fetch, baseUrl, bearer(secret))
}

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })

/** One set of headers for each kind of caller that the tests use. */
export const makeCallers = async (context: Context) => {
  const { db, clock, config, tokens } = context
  const [user, operator, unpaid] = [
    await aUser(context),
    await aUser(context, { operator: true, status: 'none' }),
    await aUser(context, { status: 'past_due' }),
  ]
  const token = async (granted: Scope[], owner = user) => bearer((await aToken(context, owner, granted)).secret)
  const session = async (owner: string) => {
    const { id, secret } = await issueCredential(db, 'session', owner, config, clock.now())
    await widen(context, id)
    return bearer(secret)
  }
  const key = async (owner: string) => bearer((await issueKey(db, owner, config, clock.now(), 'pro')).secret)
  const accessToken = async (granted: Scope[], { approved = false } = {}) => {
    const details = { scopes: granted, internalApproved: approved }
    const { id: clientId } = await issueCredential(db, 'oauth_client', operator, config, clock.now(), details)
    await widen(context, clientId)
    return bearer(await tokens.issue({ id: Bun.randomUUIDv7(), clientId, scopes: granted }, clock.now()))
  }
  const revoked = await aToken(context, user, ['read:published'])
  await revokeCredential(db, revoked.id, clock.now())
  return {
    /** No credential. Each client has its own address, so that no test uses up another's window. */
    anonymous: {},
    revoked: bearer(revoked.secret),
    reader: await token(['read:published']),
    draftReader: await token(['read:draft']),
    allReader: await token(['read:all-status']),
    /** May create and change, and sees everything. */
    writer: await token(['read:all-status', 'write']),
    /** May delete, and sees everything. */
    deleter: await token(['read:all-status', 'delete']),
    /** May do everything to published data. */
    publishedWriter: await token(['read:published', 'write', 'delete']),
    blindWriter: await token(['write']),
    blindDeleter: await token(['delete']),
    subscriber: await key(user),
    unpaid: await key(unpaid),
    unpaidWriter: await token(['read:all-status', 'write', 'delete'], unpaid),
    visitor: await session(user),
    operator: await session(operator),
    machine: await accessToken(['read:draft', 'write', 'delete']),
    internalMachine: await accessToken([...scopes], { approved: true }),
  } satisfies Record<string, Record<string, string>>
}

export type CallerName = keyof Awaited<ReturnType<typeof makeCallers>>
