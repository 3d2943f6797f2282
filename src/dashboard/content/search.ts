import { parseQuery } from '../../catalog/search/language/parse.ts'
import { facetNames } from '../../catalog/search/rank/facets.ts'
import { orderNames } from '../../catalog/search/search-query.ts'
import { findSetPaths } from '../../catalog/show/set-tree.ts'
import { ApiError } from '../../jsonapi/errors.ts'
import type { Content, Facet, SearchContent } from '../browser/catalog/content.ts'
import { type Named, type Resource, refOf, type SetResource } from '../browser/kit/documents.ts'
import type { Ask } from './ask.ts'
import { showCardsById } from './cards.ts'
import { showSets } from './sets.ts'

type Found = {
  data: Resource[]
  included?: Resource[]
  links: { next: string | null }
  meta: {
    page: { total?: number; estimatedTotal?: { bestGuess: number } }
    facets?: Counted
    suggestion?: string
  }
}

type Counted = Record<string, { id: string; value: string; count: number }[]>

const facets = facetNames.join()

/** A page of what a query finds: players, teams, sets and cards, best matches first. */
export const searchContent = async (ask: Ask): Promise<Content<SearchContent>> => {
  const words = (ask.query.q ?? '').trim()
  const view = ask.query.view === 'grid' ? 'grid' : 'list'
  const sort = orderNames.find((one) => one === ask.query.sort) ?? 'relevance'
  const common = { words, sort, sorts: orderNames, view } as const
  const head = {
    title: words ? `Search: ${words}` : 'Search',
    description: 'Search trading cards, sets, players and teams the way collectors type.',
    path: '/search',
    isUnlisted: true,
  }
  if (!words) return { head, value: common }
  try {
    return { head, value: { ...common, hits: await readHits(ask, common) } }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    const [first = { detail: error.errors[0]?.detail ?? error.message }] = parseQuery(words).faults
    return { head, value: { ...common, fault: first } }
  }
}

const readHits = async (
  ask: Ask,
  { words, sort, view }: Pick<SearchContent, 'words' | 'sort' | 'view'>,
): Promise<SearchContent['hits']> => {
  const { after } = ask.query
  const found = await ask.read<Found>('/v2/search', {
    q: words,
    include: 'genre,year,brand',
    'page[size]': '50',
    ...(after ? { 'page[after]': after } : {}),
    ...(sort === 'relevance' ? {} : { sort }),
    // Facets take longer than the search itself.
    ...(ask.query.facets === 'yes' ? { facets } : {}),
  })
  const of = (type: string) => found.data.filter((one) => one.type === type)
  const [sets, cards] = await Promise.all([
    showSets(ask, of('sets') as SetResource[], found.included, { withPaths: true }),
    showCardsById(
      ask,
      of('cards').map(({ id }) => id),
      { withSets: true, size: view === 'grid' ? 'small' : 'thumb' },
    ),
  ])
  const { total, estimatedTotal } = found.meta.page
  return {
    players: (of('players') as Named[]).map(refOf),
    teams: (of('teams') as Named[]).map(refOf),
    sets,
    cards,
    suggestion: found.meta.suggestion,
    total: total ?? estimatedTotal?.bestGuess ?? 0,
    isEstimate: total === undefined,
    next: found.links.next && new URL(found.links.next).searchParams.get('page[after]'),
    facets: found.meta.facets && (await showFacets(ask, found.meta.facets)),
  }
}

/** Facets with the names of their values. A set's names include those of the sets above it. */
const showFacets = async ({ context, level }: Ask, counted: Counted): Promise<Facet[]> => {
  const sets = (counted.set ?? []).map(({ id }) => id)
  const paths = await findSetPaths(context.db, sets, level)
  return Object.entries(counted).map(([name, values]) => ({
    name,
    values: values.map(({ id, value, count }) => ({
      id,
      count,
      names: paths.get(id)?.map((set) => set.name) ?? [value],
    })),
  }))
}
