import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'

/** The token of the link that was opened. It is removed from the address bar and the history at once. */
export const useTokenOfLink = (): string => {
  const { query } = useLocation()
  const [token] = useState(query.token ?? '')
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  return token
}
