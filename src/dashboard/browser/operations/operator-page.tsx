import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { Page } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { at } from '../kit/settings.ts'
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
      <p>This page is only for operators of this service.</p>
    </Page>
  )
}

const area = 'Operations'

/** The document's title. It names the area, since the account also has pages for clients and usage. */
const titleIn = (title: string) => (title === area ? title : `${title} · ${area}`)
