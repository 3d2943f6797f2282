import type { ComponentChildren, VNode } from 'preact'
import { type Loaded, useLoaded } from '../kit/load.ts'
import { LoadFailure, Placeholder } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { type Read, useCatalog } from './read.ts'

type CatalogPageProps<T> = {
  /** What is read, again whenever `of` changes. */
  read: (read: Read, signal: AbortSignal) => Promise<T>
  of: string
  /** What the heading says while nothing is known yet, or where it cannot be read. */
  title: string
  lines?: number
  children: (value: T, loaded: Loaded<T>) => VNode
}

/** A page of the catalog: reads what it shows, or says why it cannot. */
export const CatalogPage = <T,>(props: CatalogPageProps<T>) => {
  const read = useCatalog()
  return read ? <OpenPage {...props} through={read} /> : <Closed />
}

const OpenPage = <T,>({ read, of, title, lines = 12, children, through }: CatalogPageProps<T> & { through: Read }) => {
  const loaded = useLoaded((signal) => read(through, signal), of)
  const { value, failure } = loaded
  if (value !== undefined && !failure) return children(value, loaded)
  const isGone = failure?.status === 404
  return (
    <Page title={isGone ? 'Not here' : title}>
      {failure ? <LoadFailure of={{ ...loaded, failure }} /> : <Placeholder lines={lines} />}
      {(isGone || failure?.status === 400) && <BackToSets />}
    </Page>
  )
}

const BackToSets = () => (
  <p>
    <a href={at('/sets')}>All sets</a>
  </p>
)

const Closed = () => (
  <Page title="This catalog is not public" isNarrow>
    <p>
      <a href={at('/signin')}>Sign in</a> to browse it, or <a href={at('/signup')}>sign up</a>.
    </p>
  </Page>
)

/** The way from the start to here. */
export const Crumbs = ({ children }: { children: ComponentChildren }) => (
  <nav class="crumbs" aria-label="Where this is">
    <a href={at('/sets')}>Sets</a>
    {children}
  </nav>
)
