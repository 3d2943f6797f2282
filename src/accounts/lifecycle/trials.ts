import type { Row, subscriptions, users } from '../../../db/schema/index.ts'
import type { Context } from '../../context.ts'
import { trialReminder, trialSuspended } from '../../mail/messages/trial.ts'
import { reminderDays } from '../subscriptions.ts'

/** How many accounts are handled in one transaction. */
export const atOnce = 500

/** The owner of a trial. Mail goes to the key of the address. */
type Owner = Pick<Row<typeof users>, 'id' | 'email_key'> & Pick<Row<typeof subscriptions>, 'trial_ends_at'>

/** Where an account's owner can choose a plan, if the service sells any. */
const wayToPlans = ({ config, payments }: Context) => ({
  link: `${config.baseUrl}/account`,
  sellsPlans: payments !== undefined,
})

/**
 * Ends expired trials and mails their owners, in one transaction. Stripe decides about its own subscriptions. Returns how many
 * ended; if that is `atOnce`, there may be more.
 */
export const endTrials = (context: Context, now: Date): Promise<number> =>
  context.db.transaction(async (tx) => {
    const at = now.toISOString()
    const ended = await tx.sql<Owner[]>`
      update subscriptions s set status = 'canceled', updated_at = ${at}
      from users u
      where u.id = s.user_id and s.status = 'trialing' and s.user_id in (
        select user_id from subscriptions
        where status = 'trialing' and stripe_subscription_id is null and trial_ends_at <= ${at}::timestamptz
        order by user_id limit ${atOnce} for update skip locked
      )
      returning u.id, u.email_key, s.trial_ends_at`
    const message = trialSuspended(context.config.brand, wayToPlans(context))
    const mails = ended.map(({ id, email_key: to, trial_ends_at }) => {
      return { to, message, key: `trial ended ${id} ${trial_ends_at}` }
    })
    await context.mail.queueAll(tx, mails, now)
    return ended.length
  })

/**
 * Reminds the owners of trials that end in 7 days, 2 days or one, once each. If reminders were missed, only the one due now is
 * sent. Returns how many were reminded; if that is `atOnce`, there may be more.
 */
export const remind = (context: Context, now: Date): Promise<number> =>
  context.db.transaction(async (tx) => {
    const at = now.toISOString()
    const due = await tx.sql<(Owner & { days_left: number })[]>`
      with trials as (
        select s.user_id, (
          select min(days) from unnest(${reminderDays}::int[]) as r (days)
          where s.trial_ends_at <= ${at}::timestamptz + make_interval(days => days)
        ) as due
        from subscriptions s
        where s.status = 'trialing' and s.stripe_subscription_id is null and s.trial_ends_at > ${at}::timestamptz
          and s.trial_ends_at <= ${at}::timestamptz + make_interval(days => ${Math.max(...reminderDays)}::int)
      ), picked as (
        select s.user_id from subscriptions s join trials t on t.user_id = s.user_id
        where t.due < coalesce(s.reminded_days, ${Math.max(...reminderDays) + 1}::int)
        order by s.user_id limit ${atOnce} for update of s skip locked
      )
      update subscriptions s set reminded_days = t.due
      from trials t, users u
      where t.user_id = s.user_id and u.id = s.user_id and s.user_id in (select user_id from picked)
      returning u.id, u.email_key, s.trial_ends_at,
        ceil(extract(epoch from s.trial_ends_at - ${at}::timestamptz) / 86400)::int as days_left`
    const mails = due.map(({ id, email_key: to, trial_ends_at, days_left: daysLeft }) => {
      const message = trialReminder(context.config.brand, { daysLeft, ...wayToPlans(context) })
      return { to, message, key: `trial reminder ${id} ${trial_ends_at} ${daysLeft}` }
    })
    await context.mail.queueAll(tx, mails, now)
    return due.length
  })
