import { useLocation } from 'preact-iso/router'
import { Select } from '../kit/form.tsx'
import { Empty } from '../kit/notice.tsx'
import { Page } from '../kit/page.tsx'
import { Pager } from '../kit/pager.tsx'
import { at } from '../kit/settings.ts'
import { CatalogPage } from './catalog-page.tsx'
import type { CardSet, Many, Named, Read } from './read.ts'
import { SearchForm } from './search-form.tsx'
import { NothingYet, SetList } from './set-list.tsx'

const perPage = '25'

/** Root sets by genre and year, with their parallels. */
export const Sets = () => {
  const { query, route } = useLocation()
  const { genre = '', year = '', page = '1' } = query
  const hrefOf = (change: Record<string, string>) => {
    const wanted = { genre, year, page: '1', ...change }
    const given = Object.entries(wanted).filter(([name, value]) => value && !(name === 'page' && value === '1'))
    return at(`/sets${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`)
  }
  return (
    <CatalogPage
      of={`sets ${genre} ${year} ${page}`}
      title="Sets"
      lines={20}
      read={async (read, signal) => {
        const [genres, years, sets] = await Promise.all([
          readNames(read, 'genres', signal),
          readNames(read, 'years', signal),
          readSets(read, { genre, year, page }, signal),
        ])
        return { genres, years: years.reverse(), sets }
      }}
    >
      {({ genres, years, sets }) => (
        <Page title="Sets">
          <SearchForm />
          <div class="inline filters">
            <Select
              name="genre"
              label="Genre"
              value={genre}
              options={[{ value: '', label: 'All genres' }, ...genres]}
              onChange={(value) => route(hrefOf({ genre: value }), true)}
            />
            <Select
              name="year"
              label="Year"
              value={year}
              options={[{ value: '', label: 'All years' }, ...years]}
              onChange={(value) => route(hrefOf({ year: value }), true)}
            />
          </div>
          {sets.meta.total > 0 ? (
            <SetList sets={sets.data} included={sets.included} />
          ) : (
            <NoSets isFiltered={Boolean(genre || year)} />
          )}
          <Pager meta={sets.meta} noun="set" hrefOf={(to) => hrefOf({ page: String(to) })} />
        </Page>
      )}
    </CatalogPage>
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

type Choice = { genre: string; year: string; page: string }

const readSets = (read: Read, { genre, year, page }: Choice, signal: AbortSignal) =>
  read<Many<CardSet>>(
    'sets',
    {
      scope: 'root',
      include: 'genre,year,brand,children',
      per_page: perPage,
      page,
      ...(genre ? { 'filter[genre]': genre } : {}),
      ...(year ? { 'filter[year]': year } : {}),
    },
    signal,
  )

/** All names of a vocabulary, by page after page; there are hundreds at most. */
const readNames = async (read: Read, path: 'genres' | 'years', signal: AbortSignal) => {
  const found: Named[] = []
  for (let page = 1; page <= 10; page++) {
    const { data, meta } = await read<Many<Named>>(path, { per_page: '100', page: String(page) }, signal)
    found.push(...data)
    if (page >= meta.last_page) break
  }
  return found.map(({ id, attributes }) => ({ value: id, label: attributes.name }))
}
