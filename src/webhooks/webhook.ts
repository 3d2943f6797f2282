import { and, count, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm'
import { arrayOfTexts } from '../../db/arrays.ts'
import { shown } from '../../db/builder.ts'
import type { Queryable, Transaction } from '../../db/client.ts'
import { violates } from '../../db/faults.ts'
import { type Row, users, webhooks } from '../../db/schema/index.ts'
import { actOf } from '../access/caller.ts'
import { type Act, writeAudit } from '../audit/write.ts'
import type { Context } from '../context.ts'
import type { Call } from '../http/route.ts'
import { conflict, notFound, unauthenticated } from '../jsonapi/errors.ts'
import { secondsAfter } from '../lib/clock.ts'
import { lifetimes, sizes } from '../limits.ts'
import { newSecret, webhookSealer } from './secret.ts'
import type { EventName } from './source/events.ts'

/** A webhook as answers show it, and whether its owner is an operator. */
export type Webhook = Omit<Row<typeof webhooks>, 'secret' | 'secret_before'> & { operator: boolean }

/** The channel of the processes that deliver. */
export const webhookChannel = 'webhooks'

/** Whose webhooks a caller reaches: their own, or as an operator those of all operators. */
export type Reach = { userId: string; reachesOperators: boolean }

const within = ({ userId, reachesOperators }: Reach): SQL | undefined =>
  or(eq(webhooks.user_id, userId), reachesOperators ? users.operator : undefined)

const { secret: _, secret_before: __, ...open } = getTableColumns(webhooks)
const columns = { ...shown(open), operator: users.operator }

const readable = (db: Queryable) =>
  db.orm.select(columns).from(webhooks).innerJoin(users, eq(users.id, webhooks.user_id)).$dynamic()

/** A page of the webhooks that a caller reaches, oldest first, and how many there are. */
export const listWebhooks = async (db: Queryable, reach: Reach, span: { limit: number; offset: number }) => {
  const [rows, [counted]] = await Promise.all([
    readable(db).where(within(reach)).orderBy(webhooks.id).limit(span.limit).offset(span.offset),
    db.orm
      .select({ total: count() })
      .from(webhooks)
      .innerJoin(users, eq(users.id, webhooks.user_id))
      .where(within(reach)),
  ])
  return { rows, total: counted?.total ?? 0 }
}

/** 404 if there is none that the caller reaches. */
export const getWebhook = async (db: Queryable, reach: Reach, id: string): Promise<Webhook> => {
  const [webhook] = await readable(db).where(and(eq(webhooks.id, id), within(reach)))
  if (!webhook) throw notFound()
  return webhook
}

/** What may be set on a webhook. */
export type WebhookTerms = { targetUrl: string; events: EventName[]; description: string | null }

/** Creates a webhook that is told of everything from now on. Returns its id and its secret, which is shown only here. */
export const createWebhook = async (context: Context, call: Call, terms: WebhookTerms) => {
  const { db } = context
  const [id, secret, user_id, at] = [Bun.randomUUIDv7(), newSecret(), call.caller.userId ?? '', call.now.toISOString()]
  await db.transaction(async (tx) => {
    await refuseTooMany(tx, user_id)
    await tx.sql`
      insert into webhooks (id, user_id, target_url, events, description, secret, changes_from, events_from, created_at, updated_at)
      select ${id}, ${user_id}, ${terms.targetUrl}, ${arrayOfTexts(terms.events)}::text::text[], ${terms.description},
        ${webhookSealer(context).seal(secret)}, last + 1, last + 1, ${at}, ${at} from feed`.catch((error: unknown) => {
      throw violates(error, 'webhooks_user_id_fkey') ? unauthenticated('The account is deleted.') : error
    })
    await logWebhook(tx, actOf(call), 'created', id, { events: terms.events })
    await tx.notify(webhookChannel)
  })
  return { id, secret }
}

/** The account's row is the lock, so that two requests don't both take the last place. */
const refuseTooMany = async (tx: Transaction, userId: string) => {
  await tx.orm.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const [made] = await tx.orm.select({ total: count() }).from(webhooks).where(eq(webhooks.user_id, userId))
  if ((made?.total ?? 0) >= sizes.webhooks.most)
    throw conflict(`An account has at most ${sizes.webhooks.most} webhooks. Delete one first.`)
}

/** Changes a webhook. One that is resumed is sent to at once. What it wasn't told of before is told from now on. */
export const changeWebhook = async (
  { db }: Context,
  call: Call,
  id: string,
  { targetUrl, events, description, paused }: Partial<WebhookTerms> & { paused?: boolean },
) => {
  const at = call.now.toISOString()
  const last = sql`(select last + 1 from feed)`
  const hears = (all: readonly string[]) => sql`${webhooks.events} && ${sql.param(arrayOfTexts(all))}::text::text[]`
  const changed = {
    ...(targetUrl === undefined ? {} : { target_url: targetUrl, due_at: null }),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined
      ? {}
      : {
          events,
          changes_from: sql`case when ${hears(['catalog.changed'])} then ${webhooks.changes_from} else ${last} end`,
          events_from: sql`case when ${hears(events.filter((one) => one !== 'catalog.changed'))}
            then ${webhooks.events_from} else ${last} end`,
        }),
    ...(paused === undefined
      ? {}
      : paused
        ? { paused_at: sql`coalesce(${webhooks.paused_at}, ${at})` }
        : { paused_at: null, failing_since: null, due_at: null }),
  }
  await db.transaction(async (tx) => {
    await tx.orm
      .update(webhooks)
      .set({ ...changed, updated_at: at })
      .where(eq(webhooks.id, id))
    if (paused === false)
      await tx.sql`update webhook_deliveries set attempts = 0 where webhook_id = ${id} and status = 'pending' and in_order`
    await logWebhook(tx, actOf(call), 'updated', id, {
      ...{ events, paused },
      fields: Object.entries({ target_url: targetUrl, events, description, paused }).flatMap(([name, value]) =>
        value === undefined ? [] : [name],
      ),
    })
    await tx.notify(webhookChannel)
  })
}

/** Deletes a webhook and its deliveries. One that is being sent may still arrive. */
export const deleteWebhook = ({ db }: Context, call: Call, id: string) =>
  db.transaction(async (tx) => {
    await tx.orm.delete(webhooks).where(eq(webhooks.id, id))
    await logWebhook(tx, actOf(call), 'deleted', id)
  })

/** Gives a webhook another secret, and returns it. The one before it signs for another day. */
export const rotateSecret = async (context: Context, call: Call, id: string): Promise<string> => {
  const secret = newSecret()
  await context.db.transaction(async (tx) => {
    await tx.orm
      .update(webhooks)
      .set({
        secret: webhookSealer(context).seal(secret),
        secret_before: sql`${webhooks.secret}`,
        secret_before_until: secondsAfter(call.now, lifetimes.webhookSecret.seconds).toISOString(),
        updated_at: call.now.toISOString(),
      })
      .where(eq(webhooks.id, id))
    await logWebhook(tx, actOf(call), 'rotated', id)
  })
  return secret
}

/** Seals secrets of webhooks anew, so that an earlier secret of the service can be forgotten. Nothing to do if there is none. */
export const resealSecrets = async (context: Context): Promise<void> => {
  if (typeof context.secret === 'string') return
  const { seal, unseal } = webhookSealer(context)
  const again = (sealed: string | null) => {
    const secret = sealed === null ? undefined : unseal(sealed)
    return secret === undefined ? sealed : seal(secret)
  }
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await context.db.sql<{ id: string; secret: string; secret_before: string | null }[]>`
      select id, secret, secret_before from webhooks where id > ${after}::uuid order by id limit ${resealedAtOnce}`
    await context.db.sql`
      update webhooks w set secret = n.secret, secret_before = n.secret_before
      from unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ secret }) => secret)}::text[],
        ${rows.map(({ secret }) => again(secret) ?? secret)}::text[],
        ${rows.map(({ secret_before }) => again(secret_before))}::text[]
      ) as n (id, old, secret, secret_before)
      where w.id = n.id and w.secret = n.old`
    if (rows.length < resealedAtOnce) return
    after = rows.at(-1)?.id ?? after
  }
}

const resealedAtOnce = 1000

/** Records in the audit log what was done to a webhook. Its address stays out, because it may be a secret itself. */
export const logWebhook = (tx: Transaction, by: Act, what: string, id: string, data?: object) =>
  writeAudit(tx, by, { eventType: `webhook.${what}`, auditableType: 'webhook', auditableId: id, data })
