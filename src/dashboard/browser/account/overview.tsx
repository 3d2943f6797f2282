import { AccountPage } from './account-page.tsx'
import { KeySection } from './key-section.tsx'
import { SubscriptionSection } from './subscription-section.tsx'
import { UsageSection } from './usage-section.tsx'

/** An account at a glance: its key, what was used of it, and the plan. */
export const Overview = () => (
  <AccountPage title="Account">
    <KeySection />
    <UsageSection />
    <SubscriptionSection />
  </AccountPage>
)
