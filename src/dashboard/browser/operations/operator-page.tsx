import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { Page } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { at } from '../kit/settings.ts'
import { SignedIn } from '../kit/signed-in.tsx'
import { places } from './places.ts'

type OperatorPageProps = {
  title: string
  lede?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A page of the console, for operators only; others see a notice. */
export const OperatorPage = (props: OperatorPageProps) => (
  <SignedIn>
    <OperatorsOnly {...props} />
  </SignedIn>
)

const OperatorsOnly = ({ title, lede, actions, children }: OperatorPageProps) => {
  const here = useLocation().path
  if (usePerson().person?.operator)
    return (
      <Page title={title} fullTitle={titleIn(title)} lede={lede} actions={actions}>
        <nav class="tabs" aria-label="Operations">
          {places.map(({ path, label }) => (
            <a
              key={path}
              href={at(path)}
              aria-current={here === at(path) || here.startsWith(`${at(path)}/`) ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
        {children}
      </Page>
    )
  return (
    <Page title={title} fullTitle={titleIn(title)} isNarrow>
      <p>This page is for the operators of the service.</p>
    </Page>
  )
}

const area = 'Operations'

/** Clients and usage have pages in the account, too: the document's title says where these are. */
const titleIn = (title: string) => (title === area ? title : `${title} · ${area}`)
