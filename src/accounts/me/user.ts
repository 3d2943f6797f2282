import { Type } from '@sinclair/typebox'
import type { Queryable } from '../../../db/client.ts'
import { unauthenticated } from '../../jsonapi/errors.ts'
import { boolean, nullable, time } from '../../jsonapi/fields.ts'

export const type = 'users'
/** Where a person finds the own account. */
export const path = '/v1/me'

/** What is shown of an account to its owner. */
export const attributes = {
  name: nullable(Type.String()),
  email: Type.String(),
  pending_email: nullable(Type.String({ description: 'The address that waits to be confirmed, where there is one.' })),
  operator: boolean(),
  verified_at: nullable(time()),
  trial_ends_at: nullable(time()),
  created_at: time(),
  updated_at: time(),
}

type Name = keyof typeof attributes
export type Person = { id: string; attributes: Record<Name, string | boolean | null> & { email: string } }

/** An account as its owner sees it. */
export const getPerson = async (db: Queryable, id: string, now: Date): Promise<Person> => {
  const [row] = await db.sql<Row[]>`
    select u.name, u.email, c.email as pending_email, u.operator, u.verified_at, s.trial_ends_at, u.created_at, u.updated_at
    from users u
    left join subscriptions s on s.user_id = u.id
    left join email_changes c on c.user_id = u.id and c.expires_at > ${now.toISOString()}::timestamptz
    where u.id = ${id}`
  if (!row) throw unauthenticated('The account is no more.')
  const times = Object.fromEntries(timeNames.map((name) => [name, readTime(row[name])])) as Record<TimeName, string>
  return { id, attributes: { ...row, ...times } }
}

const timeNames = ['verified_at', 'trial_ends_at', 'created_at', 'updated_at'] as const
type TimeName = (typeof timeNames)[number]
type Row = Record<TimeName, string | null> & {
  name: string | null
  email: string
  pending_email: string | null
  operator: boolean
}

const readTime = (text: string | null) => (text === null ? null : new Date(text).toISOString())

/** What the OpenAPI document shows of an account. */
export const example = {
  id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  attributes: {
    name: 'Ana Pérez',
    email: 'ana@example.org',
    pending_email: null,
    operator: false,
    verified_at: '2026-11-21T12:00:00.000Z',
    trial_ends_at: '2026-12-05T12:00:00.000Z',
    created_at: '2026-11-21T11:58:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
  },
}
