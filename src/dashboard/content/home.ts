import { counted } from '../../lib/counted.ts'
import type { Content, HomeContent, PageMeta } from '../browser/catalog/content.ts'
import { type Many, type Named, refOf, type SetResource } from '../browser/kit/documents.ts'
import type { Ask } from './ask.ts'
import { showSets } from './sets.ts'

/** How many of the newest sets are shown. */
const newest = 10

/** The home page: counts, genres, and the newest sets. */
export const homeContent = async (ask: Ask): Promise<Content<HomeContent>> => {
  const [counts, releases, genres, sets] = await Promise.all([
    ask.read<Omit<HomeContent['counts'], 'releases'>>('/v1/stats/counts'),
    ask.read<Many<SetResource, PageMeta>>('/v1/sets', { scope: 'root', per_page: '1' }),
    ask.read<Many<Named>>('/v1/genres', { per_page: '100' }),
    readNewest(ask),
  ])
  const { sets: all, cards, players, teams } = counts
  const { total } = releases.meta
  return {
    head: {
      title: 'Trading cards, set by set',
      description: `Checklists of ${cards} trading cards in ${counted(all, 'set')}, with their parallels, players and teams.`,
      path: '/',
    },
    value: {
      counts: { releases: total, sets: all, cards, players, teams },
      genres: genres.data.map(refOf),
      newest: await showSets(ask, sets.data, sets.included),
    },
  }
}

/** Root sets by release date, filled up by year if too few have one. */
const readNewest = async (ask: Ask) => {
  const include = 'genre,year,brand'
  // The index of release dates covers all sets, so read a hundred and pick the roots.
  const dated = await ask.read<Many<SetResource>>('/v2/sets', {
    include,
    'page[size]': '100',
    'filter[release_date][null]': 'false',
    sort: '-release_date',
  })
  const roots = dated.data.filter(({ relationships }) => !relationships?.parent?.data).slice(0, newest)
  if (roots.length === newest) return { data: roots, included: dated.included }
  const others = await ask.read<Many<SetResource>>('/v2/sets', {
    include,
    'page[size]': String(2 * newest),
    'filter[parent][null]': 'true',
    sort: '-year',
  })
  const known = new Set(roots.map(({ id }) => id))
  return {
    data: [...roots, ...others.data.filter(({ id }) => !known.has(id))].slice(0, newest),
    included: [...(dated.included ?? []), ...(others.included ?? [])],
  }
}
