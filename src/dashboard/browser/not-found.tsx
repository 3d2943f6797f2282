/** @jsxImportSource preact */
import { Page } from './kit/page.tsx'
import { at } from './kit/settings.ts'

/** The page for unknown addresses. */
export const NotFound = () => (
  <Page title="Page not found" isNarrow>
    <p>
      There’s no page at this address. <a href={at('/')}>Go to the home page</a>.
    </p>
  </Page>
)
