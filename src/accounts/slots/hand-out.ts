import { anyOf } from '../../../db/builder.ts'
import type { Transaction } from '../../../db/client.ts'
import { type Row, users, waitingList } from '../../../db/schema/index.ts'
import type { Context } from '../../context.ts'
import { slotFree } from '../../mail/messages/account.ts'
import { trialStarted } from '../../mail/messages/trial.ts'
import { startTrials } from '../subscriptions.ts'
import { holdSlots } from './slots.ts'

/** How many are served in one transaction. */
const atOnce = 500

/**
 * Gives free slots to the oldest entries of the waiting list. An account starts its trial. An address gets a link to sign up,
 * which doesn't reserve a slot. `mark` is called in the same transaction. Returns how many were served.
 */
export const handOutSlots = (context: Context, now: Date, mark: (tx: Transaction) => Promise<void>): Promise<number> =>
  context.db.transaction(async (tx) => {
    await dropServed(tx)
    const slots = Math.min(atOnce, await holdSlots(tx, context.config.foundingSlots))
    const waiting = await takeOldest(tx, slots, now)
    const accounts = waiting.flatMap(({ user_id }) => user_id ?? [])
    const addresses = waiting.filter(({ user_id }) => user_id === null)
    await startAccounts(context, tx, accounts, now)
    await offerAddresses(context, tx, addresses, now)
    await mark(tx)
    return waiting.length
  })

type Waiting = Pick<Row<typeof waitingList>, 'id' | 'email' | 'email_key' | 'user_id'>

/** Drops accounts that already have a subscription, and addresses whose account is no longer waiting. */
const dropServed = async (tx: Transaction) => {
  await tx.sql`
    delete from waiting_list w where exists (
      select 1 from users u left join subscriptions s on s.user_id = u.id
      where u.email_key collate "C" = w.email_key collate "C" and (s.user_id is not null or w.user_id is null)
    ) or exists (select 1 from subscriptions s where s.user_id = w.user_id)`
}

const takeOldest = (tx: Transaction, slots: number, now: Date) =>
  tx.sql<Waiting[]>`
    update waiting_list set offered_at = ${now.toISOString()}
    where id in (
      select id from waiting_list where offered_at is null order by listed_at, id limit ${slots} for update skip locked
    )
    returning id, email, email_key, user_id`

const startAccounts = async ({ config, mail }: Context, tx: Transaction, userIds: string[], now: Date) => {
  const trialEndsAt = await startTrials(tx, userIds, config, now)
  const owners = await tx.orm
    .select({ id: users.id, email: users.email_key })
    .from(users)
    .where(anyOf(users.id, userIds))
  await tx.orm.delete(waitingList).where(anyOf(waitingList.user_id, userIds))
  const message = trialStarted(config.brand, { link: `${config.baseUrl}/account`, trialEndsAt })
  const mails = owners.map(({ id, email: to }) => ({ to, message, key: `trial started ${id}` }))
  await mail.queueAll(tx, mails, now)
}

const offerAddresses = async ({ config, mail }: Context, tx: Transaction, addresses: Waiting[], now: Date) => {
  const mails = addresses.map(({ id, email, email_key: to }) => {
    const link = `${config.baseUrl}/signup?email=${encodeURIComponent(email)}`
    return { to, message: slotFree(config.brand, { link }), key: `slot free ${id} ${now.toISOString()}` }
  })
  await mail.queueAll(tx, mails, now)
}
