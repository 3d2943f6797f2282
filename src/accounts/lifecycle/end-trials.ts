import type { Context } from '../../context.ts'
import { trialSuspended } from '../../mail/messages/trial.ts'
import { atOnce, linkToPlans, type Owner } from './owner.ts'

/**
 * Ends trials whose time is over: their status is `canceled`, and their owners are told in the same transaction. A
 * subscription that is Stripe's goes by what Stripe says. Answers how many ended; `atOnce` of them mean that there may be more.
 */
export const endTrials = ({ db, mail, config }: Context, now: Date): Promise<number> =>
  db.transaction(async (tx) => {
    const at = now.toISOString()
    const ended = await tx.sql<Owner[]>`
      update subscriptions s set status = 'canceled', updated_at = ${at}
      from users u
      where u.id = s.user_id and s.status = 'trialing' and s.user_id in (
        select user_id from subscriptions
        where status = 'trialing' and stripe_subscription_id is null and trial_ends_at <= ${at}::timestamptz
        order by user_id limit ${atOnce} for update skip locked
      )
      returning s.user_id as id, u.email_key as email, s.trial_ends_at`
    const message = trialSuspended(config.brand, { link: linkToPlans(config) })
    const mails = ended.map(({ id, email, trial_ends_at }) => ({
      ...{ to: email, message, key: `trial ended ${id} ${trial_ends_at}` },
    }))
    await mail.queueAll(tx, mails, now)
    return ended.length
  })
