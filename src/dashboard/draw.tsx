/** @jsxImportSource preact */
import { LocationProvider } from 'preact-iso/router'
import { renderToString } from 'preact-render-to-string'
import { views as catalog } from './browser/catalog.tsx'
import { views as extras } from './browser/extras.tsx'
import { PersonProvider } from './browser/kit/person.tsx'
import { type Given, GivenWithPage } from './browser/kit/server-data.ts'
import { drawWith } from './browser/kit/settings.ts'
import { Layout } from './browser/layout.tsx'
import { NotFound } from './browser/not-found.tsx'
import type { PagePath } from './browser/paths.ts'
import type { Settings } from './browser/settings.ts'

const views = { ...catalog, ...extras }

/**
 * Draws a catalog page as HTML, with the same components that run in the browser. Without a path, it draws the page for unknown
 * addresses.
 */
export const drawPage = (settings: Settings, path: PagePath | undefined, given: Given): string => {
  // Drawing is synchronous, so another page's settings can't get in between.
  drawWith(settings)
  const View = (path && views[path]) ?? NotFound
  return renderToString(
    <GivenWithPage.Provider value={{ given }}>
      <PersonProvider>
        <LocationProvider.ctx.Provider value={locationOf(given.url)}>
          <Layout>
            <View />
          </Layout>
        </LocationProvider.ctx.Provider>
      </PersonProvider>
    </GivenWithPage.Provider>,
  )
}

/** What the browser's router would report for a URL. */
const locationOf = (url: string) => {
  const { pathname, searchParams } = new URL(url, 'http://cardstock')
  return {
    url,
    path: pathname.replace(/\/+$/, '') || '/',
    query: Object.fromEntries(searchParams),
    route: nowhere,
    back: nowhere,
    forward: nowhere,
  }
}

const nowhere = () => {}
