import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'

/** The token of the link that was opened. It leaves the address bar, and so the history, at once. */
export const useTokenOfLink = (): string => {
  const { query } = useLocation()
  const [token] = useState(query.token ?? '')
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  return token
}
