import './style.css'
import './catalog.css'
import './icon.svg'
import { type ComponentType, hydrate, render, type VNode } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { exec, LocationProvider, Route, Router, useLocation } from 'preact-iso/router'
import { Broken } from './broken.tsx'
import { catchLostFocus } from './kit/lost-focus.ts'
import { PersonProvider } from './kit/person.tsx'
import { keepPlaces, seekPlace, useSteps } from './kit/scroll-restoration.ts'
import { type Given, GivenWithPage, givenId } from './kit/server-data.ts'
import { at } from './kit/settings.ts'
import { Layout } from './layout.tsx'
import { loadView } from './load-view.ts'
import { NotFound } from './not-found.tsx'
import { isReadable, type PagePath, pagePaths } from './paths.ts'
import { hearShortcuts } from './shortcuts/hear.ts'

const routes = (Object.keys(pagePaths) as PagePath[]).map((path) => ({
  path: at(path),
  view: lazy((): Promise<ComponentType<{ url?: string }>> => loadView(path)),
}))

const Pages = () => (
  <PersonProvider>
    <LocationProvider>
      <Layout>
        <Sound>
          <Places />
        </Sound>
      </Layout>
    </LocationProvider>
  </PersonProvider>
)

/** Shows an error if a page fails, until the reader opens another one. */
const Sound = ({ children }: { children: VNode }) => {
  const { url } = useLocation()
  const [error, forget] = useErrorBoundary((error) => reportError(error))
  useEffect(() => {
    if (error) forget()
  }, [url])
  return error ? <Broken /> : children
}

const Places = () => {
  useSteps()
  const { path, url } = useLocation()
  if (!isReadable(path)) return <NotFound />
  return (
    <ErrorBoundary>
      <Router onLoadEnd={seekPlace}>
        {routes.map(({ path, view }) => (
          <Route key={path} path={path} component={view} url={url} />
        ))}
        <Route default component={NotFound} />
      </Router>
    </ErrorBoundary>
  )
}

/** Hydrates a page that the service drew once its part's script is loaded. Any other page is drawn here. */
const start = async (place: HTMLElement) => {
  const text = document.getElementById(givenId)?.textContent
  const given = text ? (JSON.parse(text) as Given) : undefined
  const pages = (
    <GivenWithPage.Provider value={{ given }}>
      <Pages />
    </GivenWithPage.Provider>
  )
  if (place.hasChildNodes()) {
    if (isReadable(location.pathname)) await routes.find(({ path }) => exec(location.pathname, path))?.view.preload()
    hydrate(pages, place)
    seekPlace()
  } else render(pages, place)
  catchLostFocus(place)
}

keepPlaces()
hearShortcuts()
const place = document.getElementById('page')
if (place) void start(place)
