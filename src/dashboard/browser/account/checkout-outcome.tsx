import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { planAllowances, sayAllowance } from '../../../limits.ts'
import type { Loaded } from '../kit/load.ts'
import { sayDay } from '../kit/moments.ts'
import { Notice } from '../kit/notice.tsx'
import { useAgain } from '../kit/use-polling.ts'
import { hasPaid, isEntitled, planNames, type Subscription } from './subscription.ts'

/** How often to check for the plan, and when to say that it takes long, in milliseconds. */
const often = 2000
const long = 60_000

/**
 * The outcome of a checkout, after Stripe's page led back here. It shows the plan as soon as it is there. The outcome is removed
 * from the URL, so a reload doesn't repeat it.
 */
export const CheckoutOutcome = ({ read }: { read: Loaded<Subscription> }) => {
  const { query } = useLocation()
  const [outcome] = useState(query.checkout)
  const [isLong, setLong] = useState(false)
  const subscription = read.value
  const isThere = subscription !== undefined && hasPaid(subscription) && isEntitled(subscription)
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
    return <Notice>You left the payment page. You bought nothing, and nothing has changed.</Notice>
  if (outcome !== 'success') return null
  if (isThere && subscription.plan)
    return (
      <Notice kind="good">
        <strong>Thank you! You’re on {planNames[subscription.plan]}.</strong> Your key and your clients now have{' '}
        {sayAllowance(planAllowances[subscription.plan])}
        {subscription.current_period_end && `. The plan renews on ${sayDay(subscription.current_period_end)}`}.
      </Notice>
    )
  return (
    <Notice kind={isLong ? 'warning' : 'info'}>
      {isLong
        ? 'Stripe hasn’t confirmed the payment yet. If you paid, nothing is lost. Your plan starts as soon as it does, even if you close this page.'
        : 'Thank you! Your payment is being confirmed. This page will show your plan once it is.'}
    </Notice>
  )
}
