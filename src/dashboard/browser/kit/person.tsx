import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import type { Person } from '../settings.ts'
import { get, onSignedOut, remove } from './api.ts'
import { dropKey } from './key-in-tab.ts'
import { settings } from './settings.ts'

type Present = {
  person: Person | null
  /** Asks the service who is signed in now, after signing in or a change of the account. */
  refresh: () => Promise<void>
  signOut: () => Promise<void>
}

const PersonContext = createContext<Present>({ person: null, refresh: async () => {}, signOut: async () => {} })

/** Who is signed in, and how that changes. */
export const usePerson = () => useContext(PersonContext)

export const PersonProvider = ({ children }: { children: ComponentChildren }) => {
  const [person, setPerson] = useState(settings.person)
  useEffect(() => onSignedOut(() => setPerson(null)), [])
  const present = useMemo(
    () => ({
      person,
      refresh: async () => setPerson((await get<{ data: { attributes: Person } }>('/v1/me')).data.attributes),
      signOut: async () => {
        await remove('/v1/session')
        dropKey()
        setPerson(null)
      },
    }),
    [person],
  )
  return <PersonContext.Provider value={present}>{children}</PersonContext.Provider>
}
