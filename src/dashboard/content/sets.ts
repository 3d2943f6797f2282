import { countBelow, findSetPaths } from '../../catalog/show/set-tree.ts'
import type { Content, PageMeta, Ref, SetRow, SetsContent } from '../browser/catalog/content.ts'
import { type Many, type Named, oneOf, type Resource, refOf, type SetResource } from '../browser/kit/documents.ts'
import type { Ask } from './ask.ts'

/** Sets as list rows. Each counts the cards of all sets below it, too. */
export const showSets = async (
  ask: Ask,
  sets: SetResource[],
  included: Resource[] = [],
  { withPaths = false } = {},
): Promise<SetRow[]> => {
  const ids = sets.map(({ id }) => id)
  const [below, paths] = await Promise.all([
    countBelow(ask.context.db, ids, ask.level),
    withPaths ? findSetPaths(ask.context.db, ids, ask.level) : undefined,
  ])
  return sets.map((set) => {
    const own = below.filter(({ root }) => root === set.id)
    return {
      id: set.id,
      name: set.attributes.name,
      isDraft: set.attributes.status === 'draft',
      place: ['genre', 'year', 'brand'].flatMap((name) => oneOf(set, name, included)?.attributes.name ?? []),
      cards: own.reduce((sum, { cards }) => sum + cards, set.attributes.cards_count),
      below: inOrder(own).map(({ kind, sets, cards }) => ({ kind, sets, cards })),
      ...(paths ? { path: paths.get(set.id)?.slice(0, -1) ?? [] } : {}),
    }
  })
}

const order = ['base', 'insert', 'autograph', 'variation', 'parallel']

/** Sets, or their counts, sorted by kind with parallels last. */
export const inOrder = <T extends { kind: string }>(sets: T[]): T[] =>
  sets.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))

/** The list of root sets, filtered by genre and year. */
export const setsContent = async (ask: Ask): Promise<Content<SetsContent>> => {
  const { genre = '', year = '', page = '1' } = ask.query
  const [genres, years, list] = await Promise.all([
    readNames(ask, 'genres'),
    readNames(ask, 'years'),
    ask.read<Many<SetResource, PageMeta>>('/v1/sets', {
      scope: 'root',
      include: 'genre,year,brand',
      per_page: '25',
      page,
      ...(genre ? { 'filter[genre]': genre } : {}),
      ...(year ? { 'filter[year]': year } : {}),
    }),
  ])
  const named = [years.find(({ id }) => id === year)?.name, genres.find(({ id }) => id === genre)?.name]
  const of = named.filter(Boolean).join(' ')
  const { current_page, last_page, from, to, total } = list.meta
  return {
    head: {
      title: of ? `${of} card sets` : 'Card sets',
      description: `${of ? `${of} trading card` : 'Trading card'} sets with their checklists, inserts and parallels.`,
      path: `/sets${listQuery({ genre, year, page: page === '1' ? '' : page })}`,
    },
    value: {
      sets: await showSets(ask, list.data, list.included),
      genres,
      years: years.reverse(),
      chosen: { genre, year },
      meta: { current_page, last_page, from, to, total },
    },
  }
}

/** A query string with the values that aren't empty, or an empty text. */
export const listQuery = (values: Record<string, string>) => {
  const given = Object.entries(values).filter(([, value]) => value)
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}

/** At most this many pages of names are read: a thousand names. */
const mostPages = 10

/** All names of a small vocabulary. It has a few hundred at most. */
const readNames = async (ask: Ask, path: 'genres' | 'years'): Promise<Ref[]> => {
  const read = (page: number) => ask.read<Many<Named, PageMeta>>(`/v1/${path}`, { per_page: '100', page: String(page) })
  const first = await read(1)
  const others = Array.from({ length: Math.min(first.meta.last_page, mostPages) - 1 }, (_, at) => read(at + 2))
  return [first, ...(await Promise.all(others))].flatMap(({ data }) => data.map(refOf))
}
