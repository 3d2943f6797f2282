/** @jsxImportSource preact */
import { sayCount, sayGiven, sayNumber } from '../kit/format.ts'
import { Empty } from '../kit/notice.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Pager } from '../kit/pager.tsx'
import { at } from '../kit/settings.ts'
import { CardRows } from './card-rows.tsx'
import { CatalogPage } from './catalog-page.tsx'
import type { SubjectContent } from './content.ts'
import { Editable } from './editable.tsx'

/** A player or a team and all of their cards: rookie cards first, then year by year. */
const SubjectPage = ({ title }: { title: string }) => (
  <CatalogPage<SubjectContent> title={title} lines={20}>
    {({ subject, total, listed, rookies, years, groups, meta }, head) => {
      const address = `/${subject.type}/${subject.id}`
      return (
        <Page
          title={subject.name}
          fullTitle={head.title}
          lede={[subject.lede, sayCount(total, 'card')].filter(Boolean).join(' · ')}
          actions={<Editable part="tools" />}
        >
          <Editable part="facts" />
          {total === 0 && <Empty>No card shows {sayGiven(subject.name)}.</Empty>}
          {years.length > 1 && <Years years={years} address={address} page={meta.current_page} />}
          {rookies.length > 0 && (
            <Section title="Rookie cards" id="rookies">
              <CardRows rows={rookies} />
            </Section>
          )}
          {groups.map(({ year, rows, above }) => (
            <Section key={year} title={nameOf(year)} id={placeOf(year)}>
              <CardRows rows={rows} />
              {above > 0 && (
                <p class="faint">
                  {rows.length > 0 && 'And '}
                  <a href="#rookies">{sayCount(above, 'rookie card')}, listed above</a>
                </p>
              )}
            </Section>
          ))}
          {total > 0 && <Pager meta={meta} noun="card" hrefOf={(to) => at(`${address}?page=${to}`)} />}
          {listed < total && (
            <p class="faint">
              Only the first {sayNumber(listed)} of {sayCount(total, 'card')} are listed here. Search for the others.
            </p>
          )}
        </Page>
      )
    }}
  </CatalogPage>
)

const nameOf = (year: string | null) => year ?? 'No year'
const placeOf = (year: string | null) => `year-${(year ?? 'none').replace(/\W+/g, '-')}`

type YearsProps = Pick<SubjectContent, 'years'> & { address: string; page: number }

/** How many cards each year has, with links to them. */
const Years = ({ years, address, page: here }: YearsProps) => (
  <ul class="chips" aria-label="Years">
    {years.map(({ year, cards, page }) => (
      <li key={year}>
        <a
          class="button small"
          href={`${page === here ? '' : at(page > 1 ? `${address}?page=${page}` : address)}#${placeOf(year)}`}
        >
          {nameOf(year)} <span class="faint">{sayNumber(cards)}</span>
        </a>
      </li>
    ))}
  </ul>
)

export const PlayerPage = () => <SubjectPage title="Player" />
export const TeamPage = () => <SubjectPage title="Team" />
