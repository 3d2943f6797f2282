import { Notice } from './kit/notice.tsx'
import { Page } from './kit/page.tsx'

/** What stands where a page's script did not come, or fails. */
export const Broken = () => (
  <Page title="This page could not be shown" isNarrow>
    <Notice kind="bad">
      <p>Its script did not load, or failed. Are you online?</p>
      <button type="button" onClick={() => location.reload()}>
        Try again
      </button>
    </Notice>
  </Page>
)
