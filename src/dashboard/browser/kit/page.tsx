/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { settings } from './settings.ts'

type PageProps = {
  title: string
  /** The document's title, if it says more than the heading. */
  fullTitle?: string
  /** Buttons and links next to the heading. */
  actions?: ComponentChildren
  /** Breadcrumbs above the heading. */
  above?: ComponentChildren
  /** A sentence below the heading. */
  lede?: ComponentChildren
  isNarrow?: boolean
  children: ComponentChildren
}

/** The document's title. */
const titleOf = (title: string) => (title === settings.title ? title : `${title} · ${settings.title}`)

let isFirst = true

/** A page's main part. After navigation its heading gets the focus, so that screen readers start there. */
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

/** A part of a page with its own heading. */
export const Section = ({ title, actions, id, children }: SectionProps) => (
  <section class="section" id={id}>
    <div class="heading">
      <h2>{title}</h2>
      {actions && <div class="actions">{actions}</div>}
    </div>
    {children}
  </section>
)
