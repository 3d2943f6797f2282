import { anew } from './anew.tsx'
import style from './edit.css' with { type: 'file' }
import { Entry } from './entry/entry.tsx'
import { Facts } from './facts.tsx'
import { Images } from './images/images.tsx'
import { Tools } from './tools.tsx'

/** The parts of the catalog's pages in which operators edit, by the names under which the pages have a place for them. */
export const parts = { entry: anew(Entry), facts: anew(Facts), images: anew(Images), tools: anew(Tools) }

/** Settles once the editor's style is there. */
export const styled = new Promise<void>((done) => {
  const link = Object.assign(document.createElement('link'), {
    ...{ rel: 'stylesheet', href: new URL(style, import.meta.url).href },
    // Without it the editor works all the same.
    ...{ onload: () => done(), onerror: () => done() },
  })
  document.head.append(link)
})
