import { OperatorPage } from './operator-page.tsx'

/** The operator console's first page. */
export const Overview = () => (
  <OperatorPage title="Operations">
    <p>What operators do is at /internal of the API for now.</p>
  </OperatorPage>
)
