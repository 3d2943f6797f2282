import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { NavLink } from '../kit/nav-link.tsx'
import { Page } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { at } from '../kit/settings.ts'
import { SignedIn } from '../kit/signed-in.tsx'

const tabs = [
  { path: '/account', label: 'Overview' },
  { path: '/account/clients', label: 'Clients' },
  { path: '/account/tokens', label: 'Tokens' },
  { path: '/account/webhooks', label: 'Webhooks' },
  { path: '/account/settings', label: 'Settings' },
]

type AccountPageProps = { title: string; children: ComponentChildren }

/** An account page for signed-in users, with tabs to the others and a sign-out button. */
export const AccountPage = ({ title, children }: AccountPageProps) => (
  <SignedIn>
    <Page title={title} fullTitle={title === 'Account' ? title : `${title} · Account`} actions={<SignOut />}>
      <nav class="tabs" aria-label="Account">
        {tabs.map((tab) => (
          <NavLink key={tab.path} {...tab} isExact />
        ))}
      </nav>
      {children}
    </Page>
  </SignedIn>
)

const SignOut = () => {
  const { person, signOut } = usePerson()
  const { route } = useLocation()
  const leave = async () => {
    await signOut()
    route(at('/signin'), true)
  }
  return (
    <>
      <span class="faint">{person?.email}</span>
      <button type="button" onClick={leave}>
        Sign out
      </button>
    </>
  )
}
