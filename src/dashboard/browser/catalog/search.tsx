import { useLocation } from 'preact-iso/router'
import { sayCount } from '../kit/format.ts'
import { Empty } from '../kit/notice.tsx'
import { Page, Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { CatalogPage } from './catalog-page.tsx'
import type { CardSet, Many, Named } from './read.ts'
import { SearchForm } from './search-form.tsx'
import { SetList } from './set-list.tsx'

/** Sets, players and teams whose names have these words. */
export const Search = () => {
  const words = (useLocation().query.q ?? '').trim()
  return (
    <CatalogPage
      of={`search ${words}`}
      title="Search"
      read={async (read, signal) => {
        if (!words) return undefined
        const like = `like:${words}`
        const [sets, players, teams] = await Promise.all([
          read<Many<CardSet>>(
            'sets',
            { 'filter[name]': like, include: 'genre,year,brand', scope: 'all', per_page: '25' },
            signal,
          ),
          read<Many<Named>>('players', { 'filter[full_name]': like, per_page: '25' }, signal),
          read<Many<Named>>('teams', { 'filter[name]': like, per_page: '25' }, signal),
        ])
        return { words, sets, players, teams }
      }}
    >
      {(found) => (
        <Page title={words ? `Search: ${words}` : 'Search'}>
          <SearchForm />
          {found && (
            <>
              {found.sets.meta.total + found.players.meta.total + found.teams.meta.total === 0 && (
                <Empty>Nothing is called “{found.words}”. A part of a name will do.</Empty>
              )}
              <People title="Players" path="players" found={found.players} />
              <People title="Teams" path="teams" found={found.teams} />
              {found.sets.data.length > 0 && (
                <Section title="Sets" actions={<More found={found.sets} />}>
                  <SetList sets={found.sets.data} included={found.sets.included} />
                </Section>
              )}
            </>
          )}
        </Page>
      )}
    </CatalogPage>
  )
}

const People = ({ title, path, found }: { title: string; path: string; found: Many<Named> }) =>
  found.data.length > 0 ? (
    <Section title={title} actions={<More found={found} />}>
      <ul class="chips">
        {found.data.map(({ id, attributes }) => (
          <li key={id}>
            <a class="button" href={at(`/${path}/${id}`)}>
              {attributes.name}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  ) : null

const More = ({ found: { data, meta } }: { found: Many<object> }) => (
  <span class="faint">
    {meta.total > data.length
      ? `The first ${data.length} of ${sayCount(meta.total, 'match', 'matches')}`
      : sayCount(meta.total, 'match', 'matches')}
  </span>
)
