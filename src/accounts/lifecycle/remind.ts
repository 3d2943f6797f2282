import type { Context } from '../../context.ts'
import { trialReminder } from '../../mail/messages/trial.ts'
import { atOnce, linkToPlans, type Owner } from './owner.ts'
import { reminderDays } from './reminders.ts'

/**
 * Reminds the owners of trials that end in 7 days, 2 days or one, each time once. After a time in which nobody was reminded
 * the one that is due now stands for those that were missed. Answers how many were reminded, as `endTrials` does.
 */
export const remind = ({ db, mail, config }: Context, now: Date): Promise<number> =>
  db.transaction(async (tx) => {
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
      returning s.user_id as id, u.email_key as email, s.trial_ends_at,
        ceil(extract(epoch from s.trial_ends_at - ${at}::timestamptz) / 86400)::int as days_left`
    const link = linkToPlans(config)
    const mails = due.map(({ id, email, trial_ends_at, days_left: daysLeft }) => ({
      to: email,
      message: trialReminder(config.brand, { daysLeft, link }),
      key: `trial reminder ${id} ${trial_ends_at} ${daysLeft}`,
    }))
    await mail.queueAll(tx, mails, now)
    return due.length
  })
