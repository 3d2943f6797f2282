import type { ComponentChildren } from 'preact'
import { NavLink } from '../kit/nav-link.tsx'
import { Page } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { SignedIn } from '../kit/signed-in.tsx'
import { places } from './places.ts'

export type OperatorPageProps = {
  title: string
  lede?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A console page, for operators only. Others see a notice. */
export const OperatorPage = (props: OperatorPageProps) => (
  <SignedIn>
    <OperatorsOnly {...props} />
  </SignedIn>
)

const OperatorsOnly = ({ title, lede, actions, children }: OperatorPageProps) => {
  if (usePerson().person?.operator)
    return (
      <Page title={title} fullTitle={titleIn(title)} lede={lede} actions={actions}>
        <nav class="tabs" aria-label="Operations">
          {places.map(({ path, label }) => (
            <NavLink key={path} path={path} label={label} />
          ))}
        </nav>
        {children}
      </Page>
    )
  return (
    <Page title={title} fullTitle={titleIn(title)} isNarrow>
      <p>This page is only for operators of this service.</p>
    </Page>
  )
}

const area = 'Operations'

/** The document's title. It names the area, since the account also has pages for clients and usage. */
const titleIn = (title: string) => (title === area ? title : `${title} · ${area}`)
