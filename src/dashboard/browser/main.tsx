import './style.css'
import './icon.svg'
import { type ComponentType, render } from 'preact'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { LocationProvider, Route, Router } from 'preact-iso/router'
import { PersonProvider } from './kit/person.tsx'
import { at } from './kit/settings.ts'
import { Layout } from './layout.tsx'
import { NotFound } from './not-found.tsx'
import { type PagePath, type Part, pagePaths } from './paths.ts'

/** What a part's script gives: a component for each of its paths. */
export type Views = Partial<Record<PagePath, ComponentType>>

const load: Record<Part, () => Promise<{ views: Views }>> = {
  catalog: () => import('./catalog.tsx'),
  account: () => import('./account.tsx'),
  operations: () => import('./operations.tsx'),
}

/** After an update of the service the scripts of before are gone: the page is loaded again, once. */
const loadAgain = (error: unknown): never => {
  const key = 'loaded-again'
  if (!sessionStorage.getItem(key)) {
    sessionStorage.setItem(key, 'yes')
    location.reload()
  }
  throw error
}

const viewOf = (path: PagePath) =>
  lazy(async () => {
    const { views } = await load[pagePaths[path]]().catch(loadAgain)
    sessionStorage.removeItem('loaded-again')
    return views[path] ?? NotFound
  })

const routes = (Object.keys(pagePaths) as PagePath[]).map((path) => ({ path: at(path), view: viewOf(path) }))

const Pages = () => (
  <PersonProvider>
    <LocationProvider>
      <Layout>
        <ErrorBoundary>
          <Router onLoadEnd={() => location.hash || scrollTo(0, 0)}>
            {routes.map(({ path, view }) => (
              <Route key={path} path={path} component={view} />
            ))}
            <Route default component={NotFound} />
          </Router>
        </ErrorBoundary>
      </Layout>
    </LocationProvider>
  </PersonProvider>
)

const place = document.getElementById('page')
if (place) render(<Pages />, place)
