import { Type } from '@sinclair/typebox'
import { actOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { fieldsParameter } from '../../http/parameters.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { email, name, nullable, optional, text, time, uuid } from '../../jsonapi/fields.ts'
import { plainDocument, plainResource } from '../../jsonapi/plain-schema.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { document, sparse } from '../../jsonapi/serialize.ts'
import { defineAction, exampleUrl } from '../action.ts'
import { requireRecentProof } from '../password/reauthenticate.ts'
import { dropCookie } from '../sessions/session.ts'
import { deleteAccount, renameAccount } from './account.ts'
import { attributes, example, getPerson, type Person, path, type } from './user.ts'

const names = Object.keys(attributes)
const change = defineAction(
  type,
  'UserUpdate',
  { name: optional(nullable(name())) },
  { name: 'Ana Pérez' },
  names.filter((one) => one !== 'name'),
)
const removal = defineAction(
  type,
  'UserRemoval',
  { confirm_email: email(), current_password: optional(text(1000)) },
  { confirm_email: 'ana@example.org', current_password: 'a long password' },
)

const render = (baseUrl: string, { id, attributes: shown }: Person, search = '', fields?: Set<string>) => {
  const self = `${baseUrl}${path}`
  return document(`${self}${search}`, { data: { type, id, attributes: sparse(shown, fields), links: { self } } })
}

const show = async ({ db, config }: Context, { caller, url, now }: Call): Promise<Reply> => {
  const { fields } = readQuery(url.searchParams, { include: [], fields: { [type]: names }, filters: {} })
  const person = await getPerson(db, caller.userId ?? '', now)
  return { status: 200, body: render(config.baseUrl, person, url.search, fields.get(type)) }
}

const rename = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const { name } = await change.read(call)
  const id = call.caller.userId ?? ''
  if (name !== undefined) await renameAccount(db, id, name, call.now)
  return { status: 200, body: render(config.baseUrl, await getPerson(db, id, call.now)) }
}

const remove = async (context: Context, call: Call): Promise<Reply> => {
  const { confirm_email, current_password } = await removal.read(call)
  await requireRecentProof(context, call, current_password)
  await deleteAccount(context, call.caller.userId ?? '', confirm_email, actOf(call))
  return { status: 204, headers: { 'Set-Cookie': dropCookie(context.config) } }
}

/** What `/user` was before it was `/v1/me`. */
const showFlat = async ({ db }: Context, { caller, now }: Call): Promise<Reply> => {
  const { id, attributes } = await getPerson(db, caller.userId ?? '', now)
  const { name, email, created_at } = attributes
  return { status: 200, mediaType: 'application/json', body: { id, name, email, created_at } }
}

const resource = plainResource(type, attributes, { $id: 'User' })
const schema = plainDocument(resource, { $id: 'UserDocument' })

const answer = { description: 'The account.', schema, example: render(exampleUrl, example) }
const shared: Pick<Route, 'tag' | 'access'> = { tag: 'Account', access: 'session' }

/** The account of whoever signed in. */
export const meRoutes: Route[] = [
  {
    ...{ ...shared, method: 'GET', path },
    operationId: 'getMe',
    summary: 'Your account',
    query: fieldsParameter(type, names, ['name', 'email']),
    answers: { 200: answer },
    refusals: [400],
    handle: show,
  },
  {
    ...{ ...shared, method: 'PATCH', path },
    operationId: 'updateMe',
    summary: 'Change your name',
    description: 'The address is changed at `/v1/user/email`, the password at `/v1/user/password`.',
    body: change.body,
    answers: { 200: answer },
    refusals: [409, 422],
    handle: rename,
  },
  {
    ...{ ...shared, method: 'DELETE', path },
    operationId: 'deleteMe',
    summary: 'Delete your account',
    description:
      'For good: with its key, tokens, clients and sessions, which all end at once, and with its paid subscription, which ends at Stripe (502 where that fails: the account stays). `confirm_email` must be its e-mail address. The session must be younger than 15 minutes, or `current_password` come along: else 403 `REAUTHENTICATION_REQUIRED`.',
    body: removal.body,
    answers: { 204: { description: 'The account is no more.' } },
    refusals: [409, 422, 502],
    handle: remove,
  },
  {
    ...{ ...shared, method: 'GET', path: '/user' },
    operationId: 'getUser',
    summary: 'Your account, as it was shown before',
    description: 'Flat JSON. Use `/v1/me`.',
    flat: true,
    deprecated: true,
    answers: {
      200: {
        description: 'The account.',
        schema: Type.Object(
          { id: uuid(), name: nullable(Type.String()), email: Type.String(), created_at: time() },
          { $id: 'FlatUser' },
        ),
        mediaType: 'application/json',
        example: {
          id: example.id,
          name: example.attributes.name,
          email: example.attributes.email,
          created_at: example.attributes.created_at,
        },
      },
    },
    handle: showFlat,
  },
]
