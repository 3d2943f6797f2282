import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { usePerson } from './person.tsx'
import { at } from './settings.ts'

/** Shows its content only to signed-in people. Others are sent to the sign-in page and come back afterward. */
export const SignedIn = ({ children }: { children: VNode }) => (usePerson().person ? children : <ToSignIn />)

/** Redirects only once, because this page stays in the tree while the next one loads, and sees the URL change. */
const ToSignIn = () => {
  const { url, route } = useLocation()
  useEffect(() => route(`${at('/signin')}?next=${encodeURIComponent(url)}`, true), [])
  return <main id="main" />
}
