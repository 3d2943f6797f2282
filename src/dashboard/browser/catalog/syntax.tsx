/** @jsxImportSource preact */
import { Page, Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { CatalogPage } from './catalog-page.tsx'
import type { SyntaxContent } from './content.ts'
import { SearchForm } from './search-form.tsx'

/** The search syntax. Each part has an example that links to its results. */
export const Syntax = () => (
  <CatalogPage<SyntaxContent> title="How to search">
    {({ parts, compared, comparisons }, { title }) => (
      <Page
        title={title}
        lede={`Type words in any order. Compare ${compared.slice(0, -1).join(', ')} and ${compared.at(-1)} with ${comparisons.join(' ')}, or search a range such as year:1986..1990.`}
      >
        <SearchForm />
        {parts.map(({ title, lines }) => (
          <Section key={title} title={title}>
            <dl class="facts syntax">
              {lines.map(({ written, about, example }) => (
                <div key={written}>
                  <dt>
                    <code>{written}</code>
                  </dt>
                  <dd>
                    {about}: <a href={`${at('/search')}?${new URLSearchParams({ q: example })}`}>{example}</a>
                  </dd>
                </div>
              ))}
            </dl>
          </Section>
        ))}
      </Page>
    )}
  </CatalogPage>
)
