/** @jsxImportSource preact */
import { sayCount, sayName, sayNumber } from '../kit/format.ts'
import { Empty, Notice } from '../kit/notice.tsx'
import { Page, Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { CardGrid, CardRows } from './card-rows.tsx'
import { CatalogPage } from './catalog-page.tsx'
import type { Facet, Ref, SearchContent } from './content.ts'
import { Instead } from './instead.tsx'
import { narrowingWords, withWord } from './query-words.ts'
import { useSearchAddress } from './search-address.ts'
import { SearchForm } from './search-form.tsx'
import { SetList } from './set-list.tsx'

type Hits = NonNullable<SearchContent['hits']>

/** A page of what a query finds: players, teams, sets and cards, best matches first. */
export const Search = () => (
  <CatalogPage<SearchContent> title="Search">
    {(content, { title }) => (
      <Page title={title}>
        <SearchForm />
        <NarrowedBy words={content.words} />
        <p class="faint">
          Type words in any order, or “a phrase”, #57, /25, RC, 1986-87, player:jordan, set:fleer, is:rookie, and
          -without: <a href={at('/search/syntax')}>how to search</a>.
        </p>
        {content.fault && <Fault fault={content.fault} />}
        {content.hits && <Found content={content} hits={content.hits} />}
      </Page>
    )}
  </CatalogPage>
)

/** The words that narrow the query, each with a link to drop it. */
const NarrowedBy = ({ words }: { words: string }) => {
  const addressOf = useSearchAddress()
  const narrowing = narrowingWords(words)
  return narrowing.length > 0 ? (
    <ul class="chips" aria-label="Filters">
      {narrowing.map(({ word, without }) => (
        <li key={word}>
          <a class="button small" href={addressOf({ q: without })} aria-label={`Without ${word}`}>
            {word} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  ) : null
}

/** What is wrong with a query, and what was meant if that is clear. */
const Fault = ({ fault: { detail, suggestion } }: { fault: NonNullable<SearchContent['fault']> }) => {
  const addressOf = useSearchAddress()
  return (
    <Notice kind="bad">
      {suggestion && (
        <p>
          Did you mean <a href={addressOf({ q: suggestion })}>{suggestion}</a>?
        </p>
      )}
      <p>{detail}</p>
    </Notice>
  )
}

const Found = ({ content: { words, view, sort, sorts }, hits }: { content: SearchContent; hits: Hits }) => {
  const addressOf = useSearchAddress()
  const { players, teams, sets, cards, total, isEstimate, suggestion, next, facets } = hits
  if (players.length + teams.length + sets.length + cards.length === 0)
    return (
      <Empty>
        <p>Nothing found for “{words}”.</p>
        <p>
          Try fewer words, or just a last name. See <a href={at('/search/syntax')}>how to search</a>, or browse{' '}
          <a href={at('/sets')}>all sets</a>.
        </p>
      </Empty>
    )
  const Cards = view === 'grid' ? CardGrid : CardRows
  const matches = sayCount(total, 'match', 'matches')
  return (
    <>
      {suggestion && <Instead words={suggestion} href={addressOf({ q: suggestion })} />}
      <div class="line found">
        <strong>{isEstimate ? `About ${matches}` : matches}</strong>
        <Ways label="View" now={view} ways={['list', 'grid']} hrefOf={(way) => addressOf({ view: way })} />
        {sorts.length > 0 && (
          <Ways label="Sort by" now={sort} ways={sorts} hrefOf={(way) => addressOf({ sort: way })} />
        )}
        {!facets && (
          <a class="button small" href={addressOf({ facets: 'yes' })}>
            Filters
          </a>
        )}
      </div>
      {facets && <Facets words={words} facets={facets} />}
      <People title="Players" path="players" found={players} />
      <People title="Teams" path="teams" found={teams} />
      {sets.length > 0 && (
        <Section title="Sets">
          <SetList sets={sets} />
        </Section>
      )}
      {cards.length > 0 && (
        <Section title="Cards">
          <Cards rows={cards} />
        </Section>
      )}
      {next && (
        <nav class="pager" aria-label="Pages">
          <a href={addressOf({ after: next })} rel="next">
            Next
          </a>
        </nav>
      )}
    </>
  )
}

type WaysProps = { label: string; now: string; ways: string[]; hrefOf: (way: string) => string }

/** Links to choose from, with the current one marked. */
const Ways = ({ label, now, ways, hrefOf }: WaysProps) => (
  <nav class="ways" aria-label={label}>
    <span aria-hidden="true">{label}</span>
    {ways.map((way) => (
      <a key={way} href={hrefOf(way)} aria-current={way === now ? 'true' : undefined}>
        {sayWay(way)}
      </a>
    ))}
  </nav>
)

/** A way's label, such as `latest` for `-year`. */
const sayWay = (way: string) =>
  ({ relevance: 'best match', year: 'oldest', '-year': 'latest', newest: 'newly added' })[way] ?? way

/** What the matches have in common, each with a link to see only those. */
const Facets = ({ words, facets }: { words: string; facets: Facet[] }) => {
  const addressOf = useSearchAddress()
  const hrefOf = (name: string) => (names: string[]) =>
    addressOf({ q: names.reduce((query, one) => withWord(query, name, one), words) })
  return (
    <Section title="Filters" actions={<a href={addressOf({ facets: '' })}>Hide</a>}>
      <div class="groups facets">
        {facets
          .filter(({ values }) => values.length > 1)
          .map(({ name, values }) => (
            <div key={name}>
              <h3>{sayName(name)}</h3>
              <Values values={values.slice(0, fewValues)} hrefOf={hrefOf(name)} />
              {values.length > fewValues && (
                <details>
                  <summary>{sayNumber(values.length - fewValues)} more</summary>
                  <Values values={values.slice(fewValues)} hrefOf={hrefOf(name)} />
                </details>
              )}
            </div>
          ))}
      </div>
    </Section>
  )
}

/** How many values of each facet are shown at first. */
const fewValues = 6

const Values = ({ values, hrefOf }: Pick<Facet, 'values'> & { hrefOf: (names: string[]) => string }) => (
  <ul class="plain">
    {values.map(({ id, names, count }) => (
      <li key={id}>
        <a href={hrefOf(names)}>{names.join(' › ')}</a> <span class="faint">{sayNumber(count)}</span>
      </li>
    ))}
  </ul>
)

const People = ({ title, path, found }: { title: string; path: string; found: Ref[] }) =>
  found.length > 0 ? (
    <Section title={title}>
      <ul class="chips">
        {found.map(({ id, name }) => (
          <li key={id}>
            <a class="button" href={at(`/${path}/${id}`)}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  ) : null
