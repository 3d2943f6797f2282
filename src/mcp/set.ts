import { Type } from '@sinclair/typebox'
import { findSetPaths } from '../catalog/show/set-tree.ts'
import { integer } from '../jsonapi/fields.ts'
import { cardIncludes, identifiersIn, listedCard, showCards } from './card.ts'
import {
  followMerged,
  includedIn,
  type Many,
  type One,
  pageAddress,
  pageQuery,
  placeOf,
  type Reader,
  relatedTo,
} from './reader.ts'
import { identifiers, kind, named, only, place, status, textOrNull } from './schema.ts'

type SetAttributes = {
  name: string
  kind: string
  status: string
  description: string | null
  release_date: string | null
  aliases: string[]
  cards_count: number
  cards_count_total: number
}

const references = ['genre', 'year', 'brand', 'manufacturer'] as const

const brief = {
  id: Type.String(),
  name: Type.String(),
  kind: kind(),
  status: status(),
  cards_count: integer(0),
  cards_count_total: { ...integer(0), description: 'With the cards of all sets below it.' },
  url: Type.String({ description: 'The page of the set.' }),
}

/** A set, and a page of the sets right below it. */
export const wholeSet = () =>
  only({
    ...brief,
    path: Type.Array(named(), { description: 'The sets from the root down to this one.' }),
    description: textOrNull(),
    release_date: textOrNull(),
    ...Object.fromEntries(references.map((name) => [name, textOrNull()])),
    aliases: Type.Array(Type.String()),
    identifiers: identifiers(),
    subsets: only({ ...place, sets: Type.Array(only(brief)) }),
  })

/** How many subsets one answer lists. */
const mostSubsets = 100

/** A set by its id, with a page of the sets right below it. */
export const getSet = (reader: Reader, id: string, cursor?: string) =>
  followMerged(reader, 'set', id, async (id) => {
    const [{ data, included = [] }, below, paths] = await Promise.all([
      reader.read<One<SetAttributes>>(`/v2/sets/${id}`, { include: `${references.join()},identifiers` }),
      reader.read<Many<SetAttributes>>('/v2/sets', {
        'filter[parent]': id,
        sort: 'name',
        ...pageQuery(mostSubsets, cursor),
      }),
      findSetPaths(reader.context.db, [id], reader.level),
    ])
    const find = includedIn(included)
    const { description, release_date, aliases } = data.attributes
    const places = references.map((name) => {
      const [record] = relatedTo(data, name).map(find)
      return [name, record ? String(record.attributes.name) : null]
    })
    return {
      ...briefOf(reader, data),
      path: paths.get(id) ?? [],
      description,
      release_date,
      aliases,
      ...Object.fromEntries(places),
      identifiers: identifiersIn(included),
      subsets: { ...placeOf(below), sets: below.data.map((set) => briefOf(reader, set)) },
    }
  })

const briefOf = (reader: Reader, { id, attributes }: One<SetAttributes>['data']) => {
  const { name, kind, status, cards_count, cards_count_total } = attributes
  return { id, name, kind, status, cards_count, cards_count_total, url: pageAddress(reader, 'sets', id) }
}

/** A page of a set's cards. */
export const cardPage = () => only({ ...place, cards: Type.Array(listedCard()) })

/** A page of a set's own cards, in the order of its checklist. */
export const listSetCards = (reader: Reader, id: string, size: number, cursor?: string) =>
  followMerged(reader, 'set', id, async (id) => {
    const page = await reader.read<Many>(`/v2/sets/${id}/checklist`, {
      include: cardIncludes,
      ...pageQuery(size, cursor),
    })
    return { ...placeOf(page), cards: await showCards(reader, page) }
  })
