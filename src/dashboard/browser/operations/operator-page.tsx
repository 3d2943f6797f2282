import type { ComponentChildren } from 'preact'
import { Page } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { SignedIn } from '../kit/signed-in.tsx'

type OperatorPageProps = { title: string; actions?: ComponentChildren; children: ComponentChildren }

/** A page of the console: for operators, others are told so. */
export const OperatorPage = (props: OperatorPageProps) => (
  <SignedIn>
    <OperatorsOnly {...props} />
  </SignedIn>
)

const OperatorsOnly = ({ title, actions, children }: OperatorPageProps) => {
  if (usePerson().person?.operator)
    return (
      <Page title={title} actions={actions}>
        {children}
      </Page>
    )
  return (
    <Page title={title} isNarrow>
      <p>This page is for the operators of the service.</p>
    </Page>
  )
}
