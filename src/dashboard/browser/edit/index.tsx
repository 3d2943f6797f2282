import type { ComponentChildren, FunctionComponent } from 'preact'
import style from './edit.css' with { type: 'file' }
import { Entry } from './entry/entry.tsx'
import { Facts } from './facts.tsx'
import { Images } from './images/images.tsx'
import { useEdited } from './record.ts'
import { Tools } from './tools.tsx'

/** A part that starts fresh for each record: nothing typed or shown on one page carries over to the next. */
const anew = (Part: FunctionComponent<{ children?: ComponentChildren }>) =>
  function PartOfRecord({ children }: { children?: ComponentChildren }) {
    const { type, id } = useEdited()
    return <Part key={`${type} ${id}`}>{children}</Part>
  }

/** The parts of catalog pages that operators can edit, by the names that the pages use for them. */
export const parts = { entry: anew(Entry), facts: anew(Facts), images: anew(Images), tools: anew(Tools) }

/** Settles once the editor's styles are loaded. */
export const styled = new Promise<void>((done) => {
  const link = Object.assign(document.createElement('link'), {
    rel: 'stylesheet',
    href: new URL(style, import.meta.url).href,
    // The editor works without them, too.
    onload: () => done(),
    onerror: () => done(),
  })
  document.head.append(link)
})
