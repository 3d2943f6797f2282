import { Type } from '@sinclair/typebox'
import { and, eq, gt, sql } from 'drizzle-orm'
import { shown, statement } from '../../../db/builder.ts'
import type { Queryable } from '../../../db/client.ts'
import { emailChanges, subscriptions, users } from '../../../db/schema/index.ts'
import { unauthenticated } from '../../jsonapi/errors.ts'
import { boolean, nullable, time } from '../../jsonapi/fields.ts'

/** What owners see of their account. */
export const person = {
  type: 'users',
  attributes: {
    name: nullable(Type.String()),
    email: Type.String(),
    pending_email: nullable(Type.String({ description: 'The address waiting to be confirmed, if any.' })),
    operator: boolean(),
    verified_at: nullable(time()),
    trial_ends_at: nullable(time()),
    created_at: time(),
    updated_at: time(),
  },
}

const { name, email, operator, verified_at, created_at, updated_at } = users
const { trial_ends_at } = subscriptions
const columns = shown({
  name,
  email,
  pending_email: emailChanges.email,
  operator,
  verified_at,
  trial_ends_at,
  created_at,
  updated_at,
})

const personOf = statement((orm) => {
  const { user_id, expires_at } = emailChanges
  return orm
    .select(columns)
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.user_id, users.id))
    .leftJoin(emailChanges, and(eq(user_id, users.id), gt(expires_at, sql.placeholder('now'))))
    .where(eq(users.id, sql.placeholder('id')))
})

/** An account's attributes, as its owner sees them. 401 if it is gone. */
export const getPerson = async (db: Queryable, id: string, now: Date) => {
  const [row] = await personOf(db, { id, now: now.toISOString() })
  if (!row) throw unauthenticated('The account is deleted.')
  return row
}

/** The account in the OpenAPI document's examples. */
export const example: Awaited<ReturnType<typeof getPerson>> = {
  name: 'Ana Pérez',
  email: 'ana@example.org',
  pending_email: null,
  operator: false,
  verified_at: '2026-11-21T12:00:00.000Z',
  trial_ends_at: '2026-12-05T12:00:00.000Z',
  created_at: '2026-11-21T11:58:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
}
