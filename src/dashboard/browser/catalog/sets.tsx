/** @jsxImportSource preact */
import { useLocation } from 'preact-iso/router'
import { Empty } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { Pager } from '../kit/pager.tsx'
import { at } from '../kit/settings.ts'
import { CatalogPage } from './catalog-page.tsx'
import type { SetsContent } from './content.ts'
import { Choice, Narrow } from './narrow.tsx'
import { NothingYet, SetList } from './set-list.tsx'

/** Root sets, filtered by genre and year. */
export const Sets = () => (
  <CatalogPage<SetsContent> title="Sets" lines={20}>
    {({ sets, genres, years, chosen, meta }, { title }) => (
      <Page title="Sets" fullTitle={title} lede="Every release. Open one to see its base set, inserts and parallels.">
        <Narrow action="/sets">
          <Choice name="genre" label="Genre" value={chosen.genre} none="All genres" options={genres} />
          <Choice name="year" label="Year" value={chosen.year} none="All years" options={years} />
        </Narrow>
        {sets.length > 0 ? <SetList sets={sets} /> : <NoSets isFiltered={Boolean(chosen.genre || chosen.year)} />}
        <SetsPager meta={meta} />
      </Page>
    )}
  </CatalogPage>
)

const SetsPager = ({ meta }: Pick<SetsContent, 'meta'>) => {
  const { query } = useLocation()
  return (
    <Pager
      meta={meta}
      noun="release"
      hrefOf={(to) => at(`/sets?${new URLSearchParams({ ...query, page: String(to) })}`)}
    />
  )
}

const NoSets = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty>
      <p>There are no sets of this genre and year.</p>
      <a href={at('/sets')}>All sets</a>
    </Empty>
  ) : (
    <NothingYet />
  )
