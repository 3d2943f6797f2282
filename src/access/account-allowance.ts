import { planAllowances } from '../limits.ts'

const ofPlan = (plan: string, member: 'limit' | 'windowSeconds') =>
  `case ${plan} ${Object.entries(planAllowances)
    .map(([name, allowance]) => `when '${name}' then ${allowance[member]}`)
    .join(' ')} end`

/** The columns of what an account has agreed on, in SQL: `row` is its newest key, which keeps that for the whole account. */
export const agreedColumns = (row: string, at: string) =>
  `case when ${row}.next_from <= ${at} then ${row}.next_limit else ${row}.agreed_limit end as agreed_limit,
  case when ${row}.next_from <= ${at} then ${row}.next_window_seconds else ${row}.agreed_window_seconds end as agreed_window_seconds`

/**
 * What the clients and personal tokens of an account may ask together (decisions.md §12), in SQL: what it agreed on, else
 * what its plan allows; null for an account without a plan. `agreed` names a row of `agreedColumns`, `plan` a plan.
 */
export const accountAllowance = (agreed: string, plan: string) => ({
  limit: `case when ${plan} is not null then coalesce(${agreed}.agreed_limit, ${ofPlan(plan, 'limit')}) end`,
  windowSeconds: `coalesce(${agreed}.agreed_window_seconds, ${ofPlan(plan, 'windowSeconds')})`,
})

/** The newest key of a user first, as a new key finds whose agreement it takes over; it may have ended. */
export const newestKeyFirst = 'order by created_at desc, id desc limit 1'
