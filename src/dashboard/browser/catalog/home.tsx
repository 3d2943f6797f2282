import { sayNumber } from '../kit/format.ts'
import { Page, Section } from '../kit/page.tsx'
import { at, settings } from '../kit/settings.ts'
import { CatalogPage } from './catalog-page.tsx'
import type { CardSet, Many, Named } from './read.ts'
import { SearchForm } from './search-form.tsx'
import { NothingYet, SetList } from './set-list.tsx'

type Counts = Record<'cards' | 'sets' | 'players' | 'teams', number>

/** The start: search, what there is, genres, and the newest sets. */
export const Home = () => (
  <CatalogPage
    of="home"
    title={settings.title}
    lines={20}
    read={async (read, signal) => {
      const [counts, genres, newest] = await Promise.all([
        read<Counts>('stats/counts', {}, signal),
        read<Many<Named>>('genres', { per_page: '100' }, signal),
        read<Many<CardSet>>(
          'sets',
          { order_by: 'created_at', sort: 'desc', per_page: '10', include: 'genre,year,brand,children' },
          signal,
        ),
      ])
      return { counts, genres, newest }
    }}
  >
    {({ counts, genres, newest }) => (
      <Page title="Trading cards, set by set">
        <SearchForm />
        <ul class="counts">
          {(['sets', 'cards', 'players', 'teams'] as const).map((name) => (
            <li key={name}>
              <strong>{sayNumber(counts[name])}</strong> {name}
            </li>
          ))}
        </ul>
        {genres.data.length > 0 && (
          <Section title="Genres">
            <ul class="chips">
              {genres.data.map(({ id, attributes }) => (
                <li key={id}>
                  <a class="button" href={at(`/sets?genre=${id}`)}>
                    {attributes.name}
                  </a>
                </li>
              ))}
            </ul>
          </Section>
        )}
        <Section title="Newest sets" actions={<a href={at('/sets')}>All sets</a>}>
          {newest.data.length > 0 ? <SetList sets={newest.data} included={newest.included} /> : <NothingYet />}
        </Section>
      </Page>
    )}
  </CatalogPage>
)
