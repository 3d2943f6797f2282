import { planAllowances } from '../limits.ts'

const ofPlan = (plan: string, member: 'limit' | 'windowSeconds') =>
  `case ${plan} ${Object.entries(planAllowances)
    .map(([name, allowance]) => `when '${name}' then ${allowance[member]}`)
    .join(' ')} end`

/**
 * The columns of an account's agreement, in SQL. `row` is the account's newest key, which holds the agreement for all of it.
 */
export const agreedColumns = (row: string, at: string) =>
  `case when ${row}.next_from <= ${at} then ${row}.next_limit else ${row}.agreed_limit end as agreed_limit,
  case when ${row}.next_from <= ${at} then ${row}.next_window_seconds else ${row}.agreed_window_seconds end as agreed_window_seconds`

/**
 * How many requests an account's clients and personal tokens may make together (decisions.md §12), in SQL: what its agreement
 * or its plan allows, null without a plan. `agreed` names a row of `agreedColumns`, `plan` a plan.
 */
export const accountAllowance = (agreed: string, plan: string) => ({
  limit: `case when ${plan} is not null then coalesce(${agreed}.agreed_limit, ${ofPlan(plan, 'limit')}) end`,
  windowSeconds: `coalesce(${agreed}.agreed_window_seconds, ${ofPlan(plan, 'windowSeconds')})`,
})

/**
 * Puts a user's live key first, or else the one that was revoked last, because a new key takes over its agreement. When they
 * were created doesn't tell: the clocks of replicas may differ.
 */
export const newestKeyFirst = 'order by revoked_at desc nulls first, created_at desc, id desc limit 1'
