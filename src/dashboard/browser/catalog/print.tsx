/** @jsxImportSource preact */
import { useLocation } from 'preact-iso/router'
import { sayCount, sayDate, sayNumber } from '../kit/format.ts'
import { Page } from '../kit/page.tsx'
import { Pager } from '../kit/pager.tsx'
import { at, settings } from '../kit/settings.ts'
import { CatalogPage } from './catalog-page.tsx'
import type { PrintContent } from './content.ts'
import { PathCrumbs } from './set.tsx'

/** A set's checklist for paper, in columns with checkboxes. */
export const PrintPage = () => (
  <CatalogPage<PrintContent> title="Checklist" lines={24}>
    {({ set, path, sources, day, groups, meta }, head) => (
      <Page
        title={[...path, set].map(({ name }) => name).join(' › ')}
        fullTitle={head.title}
        lede={sayPart(meta)}
        above={<PathCrumbs path={[...path, set]} />}
        actions={<PrintButton />}
      >
        {groups.map(({ name, lines }) => (
          <section key={name}>
            {name && <h2 class="for-paper">{name}</h2>}
            <ol class="boxes">
              {lines.map(({ id, line }) => (
                <li key={id}>{line}</li>
              ))}
            </ol>
          </section>
        ))}
        <p class="faint">
          {[
            ...sources.map(({ url, title }) => (title ? `${title} (${url})` : url)),
            `${settings.origin}${at(`/sets/${set.id}`)}`,
            sayDate(day),
          ].join(' · ')}
        </p>
        <PartPager id={set.id} meta={meta} />
      </Page>
    )}
  </CatalogPage>
)

/** Prints the page. Without JavaScript, readers use the browser's menu. */
const PrintButton = () => (
  <button type="button" class="primary with-script" onClick={() => print()}>
    Print
  </button>
)

const PartPager = ({ id, meta }: { id: string; meta: PrintContent['meta'] }) => {
  const { query } = useLocation()
  if (meta.last_page <= 1) return null
  const hrefOf = (to: number) => at(`/sets/${id}/print?${new URLSearchParams({ ...query, part: String(to) })}`)
  return <Pager meta={meta} noun="card" hrefOf={hrefOf} />
}

const sayPart = ({ from, to, total, last_page }: PrintContent['meta']) =>
  from !== null && to !== null && last_page > 1
    ? `${sayNumber(from)}–${sayNumber(to)} of ${sayCount(total, 'card')}`
    : sayCount(total, 'card')
