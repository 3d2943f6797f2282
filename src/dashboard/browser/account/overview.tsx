import type { Loaded } from '../kit/load.ts'
import { Placeholder } from '../kit/notice.tsx'
import { AccountPage } from './account-page.tsx'
import { KeySection, useKey } from './key-section.tsx'
import { useOffers } from './plans.tsx'
import { useSubscription } from './subscription.ts'
import { SubscriptionSection } from './subscription-section.tsx'
import { UsageSection, useUsage } from './usage-section.tsx'

/** An account at a glance: its key, its usage, and its plan. */
export const Overview = () => (
  <AccountPage title="Account">
    <Sections />
  </AccountPage>
)

/** The sections appear together, so that none of them pushes others down. */
const Sections = () => {
  const key = useKey()
  const usage = useUsage()
  const subscription = useSubscription()
  const offers = useOffers()
  if ([key, usage, subscription, offers].some(isPending)) return <Placeholder lines={20} />
  return (
    <>
      <KeySection read={key} />
      <UsageSection read={usage} dailyLimit={key.value?.dailyLimit} />
      <SubscriptionSection read={subscription} offers={offers} />
    </>
  )
}

const isPending = ({ value, failure }: Loaded<unknown>) => value === undefined && failure === undefined
