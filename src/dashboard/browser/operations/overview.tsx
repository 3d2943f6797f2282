import { at } from '../kit/settings.ts'
import { ToPublish } from './board/to-publish.tsx'
import { OperatorPage } from './operator-page.tsx'
import { places } from './places.ts'

/** The operator console's first page. */
export const Overview = () => (
  <OperatorPage title="Operations">
    <ToPublish />
    <div class="panels">
      {places.map(({ path, label, about }) => (
        <section key={path} class="panel">
          <h2>
            <a href={at(path)}>{label}</a>
          </h2>
          <p>{about}</p>
        </section>
      ))}
    </div>
  </OperatorPage>
)
