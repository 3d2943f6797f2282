import { Type } from '@sinclair/typebox'
import { fieldsParameter } from '../../http/parameters.ts'
import { email, integer, line, name, nullable, oneOf, optional, time } from '../../jsonapi/fields.ts'
import { plainDocument, plainPage, plainResource } from '../../jsonapi/plain-schema.ts'
import type { QueryShape } from '../../jsonapi/query.ts'
import { document, sparse } from '../../jsonapi/serialize.ts'
import type { Invite } from './invite.ts'

export const type = 'invites'
/** Where operators find invites. */
export const path = '/internal/invites'

/** What an operator may say of a new invite. */
export const writable = {
  label: optional(nullable(line())),
  email: optional(nullable({ ...email(), description: 'Only for this address.' })),
  max_uses: optional(integer(1, 2 ** 31 - 1)),
  expires_at: optional(nullable({ ...time(), description: 'Null never ends it; 14 days where it is left out.' })),
  code: optional(nullable({ ...name(), description: 'A code of your own, in the place of a random one.' })),
}

const shown = {
  label: nullable(Type.String()),
  email: nullable(Type.String()),
  max_uses: integer(1),
  claims: Type.Integer({ minimum: 0, description: 'Sign-ups that were verified with it.' }),
  holds: Type.Integer({ minimum: 0, description: 'Sign-ups that hold a use and are not verified yet.' }),
  status: oneOf(['usable', 'exhausted', 'expired', 'revoked']),
  expires_at: nullable(time()),
  revoked_at: nullable(time()),
  created_at: time(),
  updated_at: time(),
}
/** The names of the attributes. */
export const names = Object.keys(shown)

const resource = plainResource(type, shown, { $id: 'Invite' })
const issued = plainResource(type, { ...shown, code: Type.String({ description: 'Shown this once.' }) })

/** The document of one invite. */
export const single = plainDocument(resource, { $id: 'InviteDocument' })

/** The document of a new one, with its code. */
export const issuedSingle = plainDocument(issued, { $id: 'IssuedInviteDocument' })

/** The document of a page of them. */
export const collection = plainPage(resource, { $id: 'InviteCollection' })

/** The body of a POST; an empty object asks for an invite on the usual terms. */
export const creation = Type.Object(
  {
    data: Type.Optional(Type.Object({ type: Type.Literal(type), attributes: Type.Optional(Type.Object(writable)) })),
  },
  { $id: 'InviteCreation' },
)

/** What reading an invite takes of the query. */
export const readShape: QueryShape = { include: [], fields: { [type]: names }, filters: {} }

/** The same as the OpenAPI document names it. */
export const readParameters = fieldsParameter(type, names, ['label', 'claims'])

/** An invite as a resource object; with its code where it was just made. */
export const renderInvite = (baseUrl: string, invite: Invite, now: Date, fields?: Set<string>, code?: string) => ({
  type,
  id: invite.id,
  attributes: {
    ...sparse<unknown>(
      {
        ...{ label: invite.label, email: invite.email, max_uses: invite.maxUses },
        ...{ claims: invite.claims, holds: invite.holds, status: statusOf(invite, now) },
        ...{ expires_at: invite.expiresAt, revoked_at: invite.revokedAt },
        ...{ created_at: invite.createdAt, updated_at: invite.updatedAt },
      },
      fields,
    ),
    ...(code === undefined ? {} : { code }),
  },
  links: { self: `${baseUrl}${path}/${invite.id}` },
})

const statusOf = ({ revokedAt, expiresAt, claims, holds, maxUses }: Invite, now: Date) => {
  if (revokedAt) return 'revoked'
  if (expiresAt && Date.parse(expiresAt) <= now.getTime()) return 'expired'
  return claims + holds >= maxUses ? 'exhausted' : 'usable'
}

const exampleInvite: Invite = {
  ...{ id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', label: 'Card show in May', email: null, maxUses: 25, claims: 3 },
  ...{ holds: 1, expiresAt: '2026-12-05T12:00:00.000Z', revokedAt: null },
  ...{ createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:00:00.000Z' },
}
const render = (code?: string) =>
  renderInvite('https://cards.example.org', exampleInvite, new Date(exampleInvite.createdAt), undefined, code)

export const example = document(render().links.self, { data: render() })
export const issuedExample = document(render().links.self, { data: render('f7KqX2vB9mLt') })
