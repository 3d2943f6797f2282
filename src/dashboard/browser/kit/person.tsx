/** @jsxImportSource preact */
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import type { Person } from '../settings.ts'
import { get, onSignedOut, remove } from './api.ts'
import { dropKey } from './key-in-tab.ts'
import { settings } from './settings.ts'

type Present = {
  person: Person | null
  /** Whether the session ended while the page was open, without a sign-out here. */
  hasEnded: boolean
  /** Asks the service who is signed in, after signing in or changing the account. */
  refresh: () => Promise<void>
  signOut: () => Promise<void>
}

const PersonContext = createContext<Present>({
  person: null,
  hasEnded: false,
  refresh: async () => {},
  signOut: async () => {},
})

/** Who is signed in, and ways to change that. */
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

/** A channel to other tabs with these pages, which share the session cookie. */
const tabs = () => {
  channel ??= new BroadcastChannel(`${settings.base} person`)
  return channel
}

/** Reloads the page when another tab signs someone else in or signs out, because what it shows isn't theirs. */
const hearOfOthers = (person: Person | null) => {
  const hear = ({ data: email }: MessageEvent<string | null>) => {
    if (email === (person?.email ?? null)) return
    if (person) dropKey()
    location.reload()
  }
  tabs().addEventListener('message', hear)
  return () => tabs().removeEventListener('message', hear)
}
