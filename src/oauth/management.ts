import { type TProperties, Type } from '@sinclair/typebox'
import { actOf, type Caller, type Scope } from '../access/caller.ts'
import { logCredential } from '../access/credential-log.ts'
import { issueCredential } from '../access/credentials.ts'
import { countOn, readOn } from '../access/limiter.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { smallBody } from '../http/body.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import { ApiError } from '../jsonapi/errors.ts'
import { nullable, time } from '../jsonapi/fields.ts'
import { readQuery } from '../jsonapi/query.ts'
import { ownWindows, sayWindow } from '../limits.ts'
import { endOwned, listOwned, type Owned, type OwnedKind } from './owned.ts'
import { answersWithin, oauthRoute, renderOauthError, withOauthWindow } from './refusal.ts'
import { nameSchema, readRegistration } from './registration.ts'

/** What a user creates, lists and revokes under /oauth: clients or personal tokens. */
type Managed<Shown extends object> = {
  kind: OwnedKind
  what: 'clients' | 'tokens'
  /** Its name among the schemas of the OpenAPI document. */
  name: string
  noun: string
  /** The path parameter with its id. */
  id: string
  attributes: TProperties
  /** The member with its secret, which is shown only when it is created. */
  secret: 'client_secret' | 'token'
  /** The scopes that a caller may grant it. */
  grantable: (caller: Caller, config: Config) => readonly Scope[]
  render: (owned: Omit<Owned, 'last_used_at'>) => Shown
  example: { id: string; name: string; last_four: string; secret: string }
}

type Handle = (context: Context, call: Call) => Promise<Reply>

const { answer, refusal } = answersWithin('changes', 'an hour')

/** POST, GET and DELETE of what a user manages. Bodies and refusals are flat. */
export const managementRoutes = <Shown extends object>(managed: Managed<Shown>): Route[] => {
  const { kind, what, name, noun, id: param, attributes, secret: secretName, grantable, render } = managed

  const create: Handle = async ({ db, config }, call) => {
    const asked = await readRegistration(call, grantable(call.caller, config))
    if ('status' in asked) return asked
    const { name, scopes } = asked
    const scope = scopes.join(' ')
    const { id, secret } = await db.transaction(async (tx) => {
      const issued = await issueCredential(tx, kind, call.caller.userId ?? '', config, call.now, asked)
      await logCredential(tx, actOf(call), kind, issued.id, 'created', { name, scope })
      return issued
    })
    const row = { id, name, scope, internal_approved: false, last_four: secret.slice(-4) }
    const shown = render({ ...row, created_at: call.now.toISOString() })
    return { status: 201, body: { ...shown, [secretName]: secret } }
  }

  const list: Handle = async ({ db }, { caller }) => {
    const owned = await listOwned(db, kind, caller.userId ?? '')
    const all = owned.map((one) => ({ ...render(one), last_used_at: one.last_used_at }))
    return { status: 200, body: { [what]: all } }
  }

  const remove: Handle = async ({ db }, call) => {
    await endOwned(db, kind, call, call.params[param] ?? '')
    return { status: 204 }
  }

  const { secret: shownSecret, ...row } = managed.example
  const example = render({
    ...row,
    scope: 'read:published',
    internal_approved: false,
    created_at: '2026-11-21T12:00:00.000Z',
  })
  const created = Type.Object({ ...attributes, [secretName]: Type.String() }, { $id: `Created${name}` })
  const one = Type.Object({ ...attributes, last_used_at: nullable(time()) }, { $id: name })
  const listed = Type.Object({ [what]: Type.Array(one) }, { $id: `${name}List` })
  const tooMany = refusal(
    'You have used up your changes for this hour.',
    'too_many_requests',
    'Try again in 1800 seconds.',
  )
  const shared = { ...oauthRoute, access: 'session' as const }
  return [
    {
      ...shared,
      method: 'POST',
      path: `/oauth/${what}`,
      operationId: `create${name}`,
      summary: `Create ${noun}`,
      description: `Only this answer shows its secret. ${ownWindows.oauthChange.limit} changes ${sayWindow(ownWindows.oauthChange.windowSeconds)} per user.`,
      body: {
        schema: Type.Object(
          { name: nameSchema, scope: Type.String({ minLength: 1 }) },
          { $id: `${name}Registration`, description: '`scope` is scopes, separated by spaces.' },
        ),
        required: false,
        maxBytes: smallBody,
        example: { name: row.name, scope: 'read:published' },
      },
      answers: {
        201: answer('Created, with its secret.', created, { ...example, [secretName]: shownSecret }),
        400: refusal('A member or the scope is invalid.', 'invalid_scope', 'You may grant read:published.'),
        429: tooMany,
      },
      handle: counted(what, create),
    },
    {
      ...shared,
      method: 'GET',
      path: `/oauth/${what}`,
      operationId: `list${name}s`,
      summary: `List your ${what}`,
      description: 'Oldest first, without secrets. Doesn’t count against the hourly changes.',
      answers: {
        200: answer('The ones that have not been revoked.', listed, { [what]: [{ ...example, last_used_at: null }] }),
      },
      refusals: [400],
      handle: counted(what, list),
    },
    {
      ...shared,
      method: 'DELETE',
      path: `/oauth/${what}/:${param}`,
      operationId: `delete${name}`,
      summary: `Revoke ${noun}`,
      description: 'Its next request is refused. Returns 404 for someone else’s.',
      answers: { 204: answer('Revoked.'), 429: tooMany },
      refusals: [400],
      handle: counted(what, remove),
    },
  ]
}

/** Counts a user's change on a separate window (interface.md, Limits). Reading isn't counted, but shows what is left. */
const counted =
  (what: string, handle: Handle): Handle =>
  async (context, call) => {
    const { db, clock } = context
    const key = `oauth-${what} user ${call.caller.userId}`
    const isLook = call.request.method === 'GET' || call.request.method === 'HEAD'
    const window = await (isLook ? readOn : countOn)(db, clock, key, ownWindows.oauthChange)
    return withOauthWindow(window.isOpen ? await refusing(context, call, handle) : { status: 429 }, window)
  }

/** A refusal also carries the window's headers. */
const refusing = async (context: Context, call: Call, handle: Handle): Promise<Reply> => {
  try {
    readQuery(call.url.searchParams, { include: [], fields: {}, filters: {} })
    return await handle(context, call)
  } catch (error) {
    if (error instanceof ApiError) return renderOauthError(error)
    throw error
  }
}
