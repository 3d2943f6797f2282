import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { usePerson } from './person.tsx'
import { at } from './settings.ts'

/** Shows its content to signed-in people only; others are sent to sign in, and come back. */
export const SignedIn = ({ children }: { children: VNode }) => (usePerson().person ? children : <ToSignIn />)

/** Goes there once: this page stays in its place while that one is loaded, and sees the address change. */
const ToSignIn = () => {
  const { url, route } = useLocation()
  useEffect(() => route(`${at('/signin')}?next=${encodeURIComponent(url)}`, true), [])
  return <main id="main" />
}
