import { createContext } from 'preact'
import type { Content } from '../catalog/content.ts'
import type { Fault } from './api.ts'

/** What the service read for the page at a URL when it drew it: its content, or why there is none. */
export type Given = {
  url: string
  content?: Content
  failure?: { status: number; faults: Fault[]; waitSeconds?: number }
}

/** What came with the page. The browser removes it once it is shown. */
export const GivenWithPage = createContext<{ given?: Given }>({})

/** The id of the element that contains it. */
export const givenId = 'given'
