/** @jsxImportSource preact */
import { sayNumber } from '../kit/format.ts'
import { Page, Section } from '../kit/page.tsx'
import { at, settings } from '../kit/settings.ts'
import { CatalogPage } from './catalog-page.tsx'
import type { HomeContent } from './content.ts'
import { SearchForm } from './search-form.tsx'
import { NothingYet, SetList } from './set-list.tsx'

/** Example searches. */
const examples = ['jordan rookie', '1986-87 fleer', 'griffey refractor', 'is:auto year>=2020']

const counted: [keyof HomeContent['counts'], string, string?][] = [
  ['releases', 'release'],
  ['sets', 'set', 'with inserts and parallels'],
  ['cards', 'card'],
  ['players', 'player'],
  ['teams', 'team'],
]

/** The home page: search, counts, genres, and the newest releases. */
export const Home = () => (
  <CatalogPage<HomeContent> title={settings.title} lines={20}>
    {({ counts, genres, newest }, { title }) => (
      <Page title={title}>
        <div class="hero">
          <SearchForm />
          <p class="faint">
            Try{' '}
            {examples.map((words, place) => (
              <span key={words}>
                {place > 0 && ', '}
                <a href={`${at('/search')}?${new URLSearchParams({ q: words })}`}>{words}</a>
              </span>
            ))}
            , or see <a href={at('/search/syntax')}>how to search</a>.
          </p>
        </div>
        <ul class="counts">
          {counted.map(([name, noun, note]) => (
            <li key={name}>
              <strong>{sayNumber(counts[name])}</strong> {counts[name] === 1 ? noun : `${noun}s`}
              {note && counts.sets > counts.releases && `, ${note}`}
            </li>
          ))}
        </ul>
        {genres.length > 0 && (
          <Section title="Sports and games">
            <ul class="chips">
              {genres.map(({ id, name }) => (
                <li key={id}>
                  <a class="button" href={at(`/sets?genre=${id}`)}>
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </Section>
        )}
        <Section title="Newest releases" actions={<a href={at('/sets')}>All releases</a>}>
          {newest.length > 0 ? <SetList sets={newest} /> : <NothingYet />}
        </Section>
      </Page>
    )}
  </CatalogPage>
)
