import type { ComponentChildren } from 'preact'
import { Refused } from '../kit/api.ts'
import { Page } from '../kit/page.tsx'

/** Whether what the service found wrong is the token of a link. */
export const isOfToken = (error: unknown) =>
  error instanceof Refused && error.faults.some(({ source }) => source?.pointer?.endsWith('/token'))

/** What stands where a link was used, is too old, or is not whole: why, and the way to another. */
export const DeadLink = ({ why, children }: { why?: string; children: ComponentChildren }) => (
  <Page title="The link does not work" isNarrow>
    <p>{why ?? 'It was used already, is too old, or is incomplete.'}</p>
    {children}
  </Page>
)
