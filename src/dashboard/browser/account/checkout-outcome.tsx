import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { planAllowances, sayAllowance } from '../../../limits.ts'
import { useAgain } from '../kit/again.ts'
import type { Loaded } from '../kit/load.ts'
import { sayDay } from '../kit/moments.ts'
import { Notice } from '../kit/notice.tsx'
import { hasPaid, planNames, type Subscription } from './subscription.ts'

/** Milliseconds between two looks for the plan, and until somebody is told that it takes long. */
const [often, long] = [2000, 60_000]

/**
 * What came of a checkout, where Stripe's page led back here: the plan as soon as it is there. The address says it once, so
 * that a reload does not say it again.
 */
export const CheckoutOutcome = ({ read }: { read: Loaded<Subscription> }) => {
  const { query } = useLocation()
  const [outcome] = useState(query.checkout)
  const [isLong, setLong] = useState(false)
  const subscription = read.value
  const isThere = subscription !== undefined && hasPaid(subscription) && subscription.status === 'active'
  const isAwaited = outcome === 'success' && !isThere
  useAgain(read, often, isAwaited)
  useEffect(() => {
    if (outcome) history.replaceState(history.state, '', location.pathname)
  }, [])
  useEffect(() => {
    if (!isAwaited) return
    const timer = setTimeout(() => setLong(true), long)
    return () => clearTimeout(timer)
  }, [isAwaited])
  if (outcome === 'cancelled')
    return <Notice>You left the payment page: nothing was bought, and nothing has changed.</Notice>
  if (outcome !== 'success') return null
  if (isThere && subscription.plan)
    return (
      <Notice kind="good">
        <strong>Thank you: {planNames[subscription.plan]} is yours.</strong> Your key and your clients have{' '}
        {sayAllowance(planAllowances[subscription.plan])} from now on
        {subscription.current_period_end && `, and the plan renews on ${sayDay(subscription.current_period_end)}`}.
      </Notice>
    )
  return (
    <Notice kind={isLong ? 'warning' : 'info'}>
      {isLong
        ? 'Stripe has not confirmed the payment yet. If you paid, nothing is lost: the plan begins as soon as it does, even if you close this page.'
        : 'Thank you! The payment is being confirmed; this page shows the plan once it is.'}
    </Notice>
  )
}
