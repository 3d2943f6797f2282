/** @jsxImportSource preact */
import { Page } from './kit/page.tsx'
import { at } from './kit/settings.ts'

/** What stands where no page is. */
export const NotFound = () => (
  <Page title="No such page" isNarrow>
    <p>
      There is no page at this address. <a href={at('/')}>Go to the start page</a>.
    </p>
  </Page>
)
