/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { settings } from './settings.ts'

type PageProps = {
  title: string
  /** The title of the document, where it says more than the heading. */
  fullTitle?: string
  /** What stands beside the heading: buttons, links. */
  actions?: ComponentChildren
  /** The way here, above the heading. */
  above?: ComponentChildren
  /** A sentence below the heading. */
  lede?: ComponentChildren
  isNarrow?: boolean
  children: ComponentChildren
}

/** The title of the document of a page. */
const titleOf = (title: string) => (title === settings.title ? title : `${title} · ${settings.title}`)

let isFirst = true

/** The main part of a page. Its heading takes the focus when the page was changed to, so that a screen reader begins there. */
export const Page = ({ title, fullTitle = title, above, actions, lede, isNarrow, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = titleOf(fullTitle)
  }, [fullTitle])
  useLayoutEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true })
    isFirst = false
  }, [])
  return (
    <main id="main" class={isNarrow ? 'narrow' : undefined}>
      {above}
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {lede && <p class="lede">{lede}</p>}
      {children}
    </main>
  )
}

type SectionProps = Pick<PageProps, 'title' | 'actions' | 'children'> & { id?: string }

/** A part of a page under a heading of its own. */
export const Section = ({ title, actions, id, children }: SectionProps) => (
  <section class="section" id={id}>
    <div class="heading">
      <h2>{title}</h2>
      {actions && <div class="actions">{actions}</div>}
    </div>
    {children}
  </section>
)
