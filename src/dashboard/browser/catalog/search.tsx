import { useLocation } from 'preact-iso/router'
import type { Refused } from '../kit/api.ts'
import { sayCount } from '../kit/format.ts'
import { Empty, Failure } from '../kit/notice.tsx'
import { Page, Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { CatalogPage } from './catalog-page.tsx'
import { Checklist } from './checklist.tsx'
import type { Card, CardSet, Named, Resource } from './read.ts'
import { SearchForm } from './search-form.tsx'
import { SetList } from './set-list.tsx'

type Found = {
  data: Resource[]
  included?: Resource[]
  links: { next: string | null }
  meta: { page: { total?: number; estimatedTotal?: { bestGuess: number } } }
}

/** What a query finds by /v2/search: players, teams, sets and cards, each best first, page by page. */
export const Search = () => {
  const { query } = useLocation()
  const asked = (query.q ?? '').trim()
  const after = query.after ?? ''
  return (
    <CatalogPage
      of={`search ${asked} ${after}`}
      title="Search"
      read={async (read, signal) => {
        if (!asked) return { words: asked }
        const include = 'set.parent,oncard,card_attributes,genre,year,brand'
        const place = after ? { 'page[after]': after } : undefined
        return read<Found>('/v2/search', { q: asked, include, 'page[size]': '50', ...place }, signal).then(
          (found) => ({ words: asked, found }),
          (failure) => ({ words: asked, refused: ofQuery(failure) }),
        )
      }}
    >
      {({ words, found, refused }: { words: string; found?: Found; refused?: Refused }) => (
        <Page title={words ? `Search: ${words}` : 'Search'}>
          <SearchForm />
          <p class="faint">
            Type words in any order, or “a phrase”, #57, /25, RC, 1986-87, player:jordan, set:fleer, is:rookie, and
            -without.
          </p>
          {refused && <Failure failure={refused} />}
          {found && <Hits words={words} found={found} />}
        </Page>
      )}
    </CatalogPage>
  )
}

/** What is wrong with a query is said beside it; anything else is no matter of the query. */
const ofQuery = (failure: Refused): Refused => {
  if (failure.status !== 400) throw failure
  return failure
}

const Hits = ({ words, found: { data, included = [], links, meta } }: { words: string; found: Found }) => {
  if (data.length === 0) return <Empty>Nothing is found for “{words}”. Fewer words find more.</Empty>
  const of = <T extends Resource>(type: string) => data.filter((one) => one.type === type) as T[]
  const [sets, cards] = [of<CardSet>('sets'), of<Card>('cards')]
  // What was found itself is not there a second time for who refers to it.
  const known = [...data, ...included]
  const { total, estimatedTotal } = meta.page
  const next = links.next && new URL(links.next, location.origin).searchParams.get('page[after]')
  return (
    <>
      <People title="Players" path="players" found={of('players')} />
      <People title="Teams" path="teams" found={of('teams')} />
      {sets.length > 0 && (
        <Section title="Sets">
          <SetList sets={sets} included={known} />
        </Section>
      )}
      {cards.length > 0 && (
        <Section title="Cards">
          <Checklist caption={`Cards found for ${words}`} cards={cards} included={known} withSet />
        </Section>
      )}
      <nav class="pager" aria-label="Pages">
        <span>
          {total === undefined
            ? `About ${sayCount(estimatedTotal?.bestGuess ?? 0, 'match', 'matches')}`
            : sayCount(total, 'match', 'matches')}
        </span>
        {next && (
          <a href={`${at('/search')}?${new URLSearchParams({ q: words, after: next })}`} rel="next">
            Next
          </a>
        )}
      </nav>
    </>
  )
}

const People = ({ title, path, found }: { title: string; path: string; found: Named[] }) =>
  found.length > 0 ? (
    <Section title={title}>
      <ul class="chips">
        {found.map(({ id, attributes }) => (
          <li key={id}>
            <a class="button" href={at(`/${path}/${id}`)}>
              {attributes.name}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  ) : null
