import { Notice } from './kit/notice.tsx'
import { Page } from './kit/page.tsx'

/** Shown if a page's script didn't load or failed. */
export const Broken = () => (
  <Page title="This page can’t be shown" isNarrow>
    <Notice kind="bad">
      <p>Its script failed or didn’t load. Are you online?</p>
      <button type="button" onClick={() => location.reload()}>
        Try again
      </button>
    </Notice>
  </Page>
)
