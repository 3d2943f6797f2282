import { createContext } from 'preact'
import type { Content } from '../catalog/content.ts'
import type { Fault } from './api.ts'

/** What the service read for the page at an address when it drew it: its content, or why there is none. */
export type Given = {
  url: string
  content?: Content
  failure?: { status: number; faults: Fault[]; waitSeconds?: number }
}

/** What came with the page; a browser takes it out once it has been shown. */
export const GivenWithPage = createContext<{ given?: Given }>({})

/** The id of the element that holds it. */
export const givenId = 'given'
