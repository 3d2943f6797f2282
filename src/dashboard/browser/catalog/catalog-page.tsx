/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from 'preact'
import { useContext, useEffect, useMemo } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso/router'
import { get, Refused } from '../kit/api.ts'
import { type Loaded, useLoaded } from '../kit/load.ts'
import { LoadFailure, mayPass, Placeholder } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { GivenWithPage } from '../kit/server-data.ts'
import { at, settings } from '../kit/settings.ts'
import type { Content, Head, Moved } from './content.ts'
import { Shown } from './shown.ts'

type CatalogPageProps<T> = {
  /** The heading while the content is loading, or if it can't be read. */
  title: string
  lines?: number
  children: (value: T, head: Head) => VNode
}

/**
 * A catalog page. It shows what the service read for its URL, or says why it couldn't. If only a later read fails, the page
 * stays, along with what was typed on it.
 */
export const CatalogPage = <T,>({ title, lines = 12, children }: CatalogPageProps<T>) => {
  const { route } = useLocation()
  const url = useOwnUrl()
  const read = async (signal: AbortSignal) => {
    const content = await get<Content<T> | Moved>(contentPath(url), { signal })
    if (!('moved' in content)) return content
    route(at(content.moved), true)
    // The new URL is read instead.
    return new Promise<never>(() => {})
  }
  const loaded = useLoaded(read, url, useGiven<T>(url))
  const { value: content, failure } = loaded
  const notice = failure && <LoadFailure of={{ ...loaded, failure }} />
  if (content && (!failure || mayPass(failure)))
    return (
      <Shown.Provider value={{ value: content.value, reload: loaded.reload }}>
        {notice}
        {children(content.value, content.head)}
      </Shown.Provider>
    )
  if (failure?.status === 401) return <Closed />
  const isGone = failure?.status === 404
  return (
    <Page title={isGone ? 'Not found' : title}>
      {notice ?? <Placeholder lines={lines} />}
      {(isGone || failure?.status === 400) && <BackToSets />}
    </Page>
  )
}

/**
 * This page's URL, from its route. While the next page's script loads, this one is still shown, but the location is already the
 * next one's. The service draws pages without routes, so there it is the location.
 */
const useOwnUrl = () => {
  const { url } = useLocation()
  return (useRoute() as { url?: string }).url ?? url
}

/** The path to read a page's content from. */
const contentPath = (url: string) => `/pages/content${url.slice(settings.base.length).replace(/^\/(?=\?|$)/, '')}`

/** What came with the loaded page, if that is this one. It is used once. */
const useGiven = <T,>(url: string): Pick<Loaded<Content<T>>, 'value' | 'failure'> | undefined => {
  const place = useContext(GivenWithPage)
  const mine = useMemo(() => (place.given?.url === url ? place.given : undefined), [])
  useEffect(() => {
    place.given = undefined
  }, [])
  return useMemo(() => {
    if (!mine) return undefined
    const { content, failure } = mine
    if (!failure) return { value: content as Content<T> }
    return { failure: new Refused(failure.status, failure.faults, failure.waitSeconds) }
  }, [mine])
}

const BackToSets = () => (
  <p>
    <a href={at('/sets')}>All sets</a>
  </p>
)

const Closed = () => (
  <Page title="This catalog isn’t public" isNarrow>
    <p>
      <a href={at('/signin')}>Sign in</a> to browse it, or <a href={at('/signup')}>sign up</a>.
    </p>
  </Page>
)

/** Breadcrumbs, starting at the list of sets. */
export const Crumbs = ({ children }: { children?: ComponentChildren }) => (
  <nav class="crumbs" aria-label="Breadcrumbs">
    <a href={at('/sets')}>Sets</a>
    {children}
  </nav>
)
