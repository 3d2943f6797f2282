import { Type } from '@sinclair/typebox'
import { actOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { plainType, showOne } from '../../http/plain-type.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { email, name, nullable, optional, text, time, uuid } from '../../jsonapi/fields.ts'
import { defineAction, exampleId, exampleUrl } from '../action.ts'
import { requireRecentProof } from '../password/prove.ts'
import { dropCookie } from '../sessions/session.ts'
import { deleteAccount, renameAccount } from './account.ts'
import { example, getPerson, person } from './user.ts'

const path = '/v1/me'
const shape = plainType({ ...person, name: 'User', fields: ['name', 'email'] })

const change = defineAction(shape.type, {
  name: 'UserUpdate',
  attributes: { name: optional(nullable(name())) },
  example: { name: 'Ana Pérez' },
  readOnly: shape.names.filter((one) => one !== 'name'),
})
const removal = defineAction(shape.type, {
  name: 'UserRemoval',
  attributes: { confirm_email: email(), current_password: optional(text(1000)) },
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

const self = `${exampleUrl}${path}`
const answer = shape.one('The account.', shape.render(self, exampleId, example))
const shared: Pick<Route, 'tag' | 'access'> = { tag: 'Account', access: 'session' }

/** The account of the signed-in user. */
export const meRoutes: Route[] = [
  {
    ...{ ...shared, method: 'GET', path },
    operationId: 'getMe',
    summary: 'Your account',
    description: 'The name and e-mail address of the signed-in user.',
    query: shape.parameters,
    answers: { 200: answer },
    refusals: [400],
    handle: show,
  },
  {
    ...{ ...shared, method: 'PATCH', path },
    operationId: 'updateMe',
    summary: 'Change your name',
    description: 'Change the address at `/v1/user/email` and the password at `/v1/user/password`.',
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
      'This is permanent. Revokes the account’s API key, tokens, clients and sessions at once, and cancels its paid subscription at Stripe. If that fails, the response is 502 and the account stays. `confirm_email` must be the account’s e-mail address. If the session is 15 minutes old or older, send `current_password`, or the response is 403 `REAUTHENTICATION_REQUIRED`.',
    body: removal.body,
    answers: { 204: { description: 'The account is deleted.' } },
    refusals: [409, 422, 502],
    handle: remove,
  },
  {
    ...{ ...shared, method: 'GET', path: '/user' },
    operationId: 'getUser',
    summary: 'Your account (old format)',
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
        example: { id: exampleId, name: example.name, email: example.email, created_at: example.created_at },
      },
    },
    handle: showFlat,
  },
]
