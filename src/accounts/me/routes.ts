import { Type } from '@sinclair/typebox'
import { actOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { smallBody } from '../../http/body.ts'
import { plainType, showOne } from '../../http/plain-type.ts'
import type { Answer, Call, Reply, Route } from '../../http/route.ts'
import { withPointers } from '../../jsonapi/errors.ts'
import { email, name, nullable, optional, text, time, uuid } from '../../jsonapi/fields.ts'
import { readFlat } from '../../jsonapi/flat-body.ts'
import { defineAction, exampleId, exampleUrl } from '../action.ts'
import { requireRecentProof } from '../password/prove.ts'
import { dropCookie } from '../sessions/session.ts'
import { deleteAccount, renameAccount } from './account.ts'
import { example, getPerson, person } from './user.ts'

const path = '/v1/me'
const shape = plainType({ ...person, name: 'User', fields: ['name', 'email'] })

const renaming = { name: optional(nullable(name())) }
const confirmation = { confirm_email: email(), current_password: optional(text(1000)) }

const change = defineAction(shape.type, {
  name: 'UserUpdate',
  attributes: renaming,
  example: { name: 'Ana Pérez' },
  readOnly: shape.names.filter((one) => one !== 'name'),
})
const removal = defineAction(shape.type, {
  name: 'UserRemoval',
  attributes: confirmation,
  example: { confirm_email: 'ana@example.org', current_password: 'a long password' },
})

const show = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  const id = call.caller.userId ?? ''
  const data = shape.render(`${config.baseUrl}${path}`, id, await getPerson(db, id, call.now), fields)
  return showOne(data, call)
}

const rename = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const { name } = await change.read(call)
  const id = call.caller.userId ?? ''
  if (name !== undefined) await renameAccount(db, id, name, call.now)
  return showOne(shape.render(`${config.baseUrl}${path}`, id, await getPerson(db, id, call.now)), call)
}

const remove = async (context: Context, call: Call): Promise<Reply> => {
  const { confirm_email, current_password } = await removal.read(call)
  await requireRecentProof(context, call, current_password)
  await deleteAccount(context, call.caller, confirm_email, actOf(call))
  return { status: 204, headers: { 'Set-Cookie': dropCookie(context.config) } }
}

/** The old flat shape of `/user`, the deprecated alias of `/v1/me`. */
const showFlat = async ({ db }: Context, { caller, now }: Call): Promise<Reply> => {
  const id = caller.userId ?? ''
  const { name, email, created_at } = await getPerson(db, id, now)
  return { status: 200, body: { id, name, email, created_at } }
}

/** Does the same with a flat body: its members are the attributes (decisions.md §19). The id is that of the account anyway. */
const withFlatBody =
  (handle: Route['handle']): Route['handle'] =>
  async (context, call) => {
    const { id: _, ...attributes } = readFlat(await call.body())
    const document = Buffer.from(JSON.stringify({ data: { type: shape.type, attributes } }))
    try {
      return await handle(context, { ...call, body: async () => document })
    } catch (error) {
      throw withPointers(error, (pointer) => pointer.replace('/data/attributes', ''))
    }
  }

const renameFlat: Route['handle'] = async (context, call) => {
  await rename(context, call)
  return showFlat(context, call)
}

const flatAnswer: Answer = {
  description: 'The account.',
  schema: Type.Object(
    { id: uuid(), name: nullable(Type.String()), email: Type.String(), created_at: time() },
    { $id: 'FlatUser' },
  ),
  example: { id: exampleId, name: example.name, email: example.email, created_at: example.created_at },
}

const self = `${exampleUrl}${path}`
const answer = shape.one('The account.', shape.render(self, exampleId, example))
const shared: Pick<Route, 'tag' | 'access'> = { tag: 'Account', access: 'session' }
const alias = { path: '/user', flat: true, deprecated: true } as const

/** The account of the signed-in user. */
export const meRoutes: Route[] = [
  {
    ...shared,
    method: 'GET',
    path,
    operationId: 'getMe',
    summary: 'Your account',
    description: 'The name and e-mail address of the signed-in user.',
    query: shape.parameters,
    answers: { 200: answer },
    refusals: [400],
    handle: show,
  },
  {
    ...shared,
    method: 'PATCH',
    path,
    operationId: 'updateMe',
    summary: 'Change your name',
    description: 'Change the address at `/v1/user/email` and the password at `/v1/user/password`.',
    body: change.body,
    answers: { 200: answer },
    refusals: [409, 422],
    handle: rename,
  },
  {
    ...shared,
    method: 'DELETE',
    path,
    operationId: 'deleteMe',
    summary: 'Delete your account',
    description:
      'This is permanent. Revokes the account’s API key, tokens, clients and sessions at once, and cancels its paid subscription at Stripe. If that fails, the response is 502 and the account stays. `confirm_email` must be the account’s e-mail address. If the session is 15 minutes old or older, send `current_password`, or the response is 403 `REAUTHENTICATION_REQUIRED`. The last operator can’t be deleted (409).',
    body: removal.body,
    answers: { 204: { description: 'The account is deleted.' } },
    refusals: [409, 422, 502],
    handle: remove,
  },
  {
    ...shared,
    ...alias,
    method: 'GET',
    operationId: 'getUser',
    summary: 'Your account (old format)',
    description: 'Flat JSON. Use `/v1/me`.',
    answers: { 200: flatAnswer },
    handle: showFlat,
  },
  {
    ...shared,
    ...alias,
    method: 'PATCH',
    operationId: 'updateUser',
    summary: 'Change your name (old format)',
    description: 'Flat JSON in both directions. Use `/v1/me`.',
    body: {
      schema: Type.Object(renaming, { $id: 'FlatUserUpdate' }),
      maxBytes: smallBody,
      example: { name: 'Ana Pérez' },
    },
    answers: { 200: flatAnswer },
    refusals: [422],
    handle: withFlatBody(renameFlat),
  },
  {
    ...shared,
    ...alias,
    method: 'DELETE',
    operationId: 'deleteUser',
    summary: 'Delete your account (old format)',
    description: 'Flat JSON. Use `/v1/me`, which says what else is needed.',
    body: {
      schema: Type.Object(confirmation, { $id: 'FlatUserRemoval' }),
      maxBytes: smallBody,
      example: { confirm_email: 'ana@example.org', current_password: 'a long password' },
    },
    answers: { 204: { description: 'The account is deleted.' } },
    refusals: [422, 502],
    handle: withFlatBody(remove),
  },
]
