import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Refused } from '../kit/api.ts'
import { Page } from '../kit/page.tsx'

/**
 * The token of the link that was opened: in its fragment, which no server or proxy sees, or in the query of older links. It is
 * removed from the address bar and the history at once. Another link on the same page opens it again.
 */
export const useTokenOfLink = (): string => {
  const { query } = useLocation()
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? query.token ?? '')
  useEffect(() => {
    history.replaceState(history.state, '', location.pathname)
    const open = () => location.reload()
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [])
  return token
}

/** Whether the service refused a link's token. */
export const isOfToken = (error: unknown) =>
  error instanceof Refused && error.faults.some(({ source }) => source?.pointer?.endsWith('/token'))

/** Shown if a link was used, is too old or is incomplete: says why, and how to get another one. */
export const DeadLink = ({ why, children }: { why?: string; children: ComponentChildren }) => (
  <Page title="The link doesn’t work" isNarrow>
    <p>{why ?? 'It was already used, is too old, or is incomplete.'}</p>
    {children}
  </Page>
)
