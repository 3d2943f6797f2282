/** @jsxImportSource preact */
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import type { Person } from '../settings.ts'
import { get, onSignedOut, remove } from './api.ts'
import { dropKey } from './key-in-tab.ts'
import { settings } from './settings.ts'

type Present = {
  person: Person | null
  /** Whether the session has ended by itself while the page was open. */
  hasEnded: boolean
  /** Asks the service who is signed in now, after signing in or a change of the account. */
  refresh: () => Promise<void>
  signOut: () => Promise<void>
}

const PersonContext = createContext<Present>({
  person: null,
  hasEnded: false,
  refresh: async () => {},
  signOut: async () => {},
})

/** Who is signed in, and how that changes. */
export const usePerson = () => useContext(PersonContext)

export const PersonProvider = ({ children }: { children: ComponentChildren }) => {
  const [person, setPerson] = useState(settings.person)
  const [hasEnded, setEnded] = useState(false)
  useEffect(() => {
    onSignedOut(() => {
      dropKey()
      if (person) setEnded(true)
      setPerson(null)
    })
    return hearOfOthers(person)
  }, [person])
  const present = useMemo(
    () => ({
      person,
      hasEnded,
      refresh: async () => {
        const { data } = await get<{ data: { attributes: Person } }>('/v1/me')
        setPerson(data.attributes)
        setEnded(false)
        tabs().postMessage(data.attributes.email)
      },
      signOut: async () => {
        await remove('/v1/session')
        dropKey()
        setPerson(null)
        tabs().postMessage(null)
      },
    }),
    [person, hasEnded],
  )
  return <PersonContext.Provider value={present}>{children}</PersonContext.Provider>
}

let channel: BroadcastChannel | undefined

/** The other tabs with these pages: they share the session's cookie. */
const tabs = () => {
  channel ??= new BroadcastChannel(`${settings.base} person`)
  return channel
}

/** Where somebody else signed in in another tab, or signed out, what is shown here is not theirs: it is loaded again. */
const hearOfOthers = (person: Person | null) => {
  const hear = ({ data: email }: MessageEvent<string | null>) => {
    if (email === (person?.email ?? null)) return
    if (person) dropKey()
    location.reload()
  }
  tabs().addEventListener('message', hear)
  return () => tabs().removeEventListener('message', hear)
}
