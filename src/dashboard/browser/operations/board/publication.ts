import { send } from '../../kit/api.ts'
import { sayCount, sayNumber } from '../../kit/format.ts'

/** A set that may be published, and how far below the first it lies. */
export type SetBelow = {
  id: string
  name: string
  kind: string
  status: 'draft' | 'published'
  cards_count: number
  depth: number
}

/** What the API says before a set is published, or a draft again. */
export type Publication = {
  set: SetBelow
  below: SetBelow[]
  is_whole: boolean
  comes_into_sight: { sets: number; cards: number; records: Seen[] }
  leaves_sight: { cards: number; records: Seen[] }
}

type Seen = { type: string; count: number; names: string[] }

/** So many ids have room in an address. */
const mostNamed = 200

/** Where the preview is read: of all drafts, or of those that are named. */
export const publicationOf = (id: string, setIds?: string[]) =>
  `/internal/sets/${id}/publication${setIds && setIds.length <= mostNamed ? `?set_ids=${setIds.join(',')}` : ''}`

/** So many sets are published in one transaction. */
const chunk = 25

const atomic = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

/** Publishes sets in this order, and tells how many are done; throws Refused, with what was published before it. */
export const publishSets = async (ids: string[], tell: (done: number) => void) => {
  for (let done = 0; done < ids.length; done += chunk) {
    tell(done)
    const operations = ids.slice(done, done + chunk).map((id) => ({
      op: 'update',
      data: { type: 'sets', id, attributes: { status: 'published' } },
    }))
    const headers = { Accept: atomic, 'Content-Type': atomic }
    await send('POST', '/v2/operations', { 'atomic:operations': operations }, { headers })
  }
  tell(ids.length)
}

/** `3 sets with 321 cards`. */
export const saySets = (sets: SetBelow[]) => {
  const cards = sets.reduce((sum, { cards_count }) => sum + cards_count, 0)
  return `${sayCount(sets.length, 'set')} with ${sayCount(cards, 'card')}`
}

/** `2 players (Jackson Holliday, Wyatt Langford)`; of more than are named, `and 12 more`. */
export const sayRecords = ({ type, count, names }: Seen) => {
  const more = count > names.length ? ` and ${sayNumber(count - names.length)} more` : ''
  return `${sayCount(count, nouns[type] ?? type, type)}: ${names.join(', ')}${more}`
}

const nouns: Record<string, string> = {
  ...{ players: 'player', teams: 'team', brands: 'brand', manufacturers: 'manufacturer' },
  ...{ genres: 'genre', years: 'year' },
}
