import { send } from '../../kit/api.ts'
import { sayCount, sayNumber } from '../../kit/format.ts'
import { nouns, type RecordType } from '../../kit/records.tsx'

/** A set that could be published. `depth` is how far below the first one it is. */
export type SetBelow = {
  id: string
  name: string
  kind: string
  status: 'draft' | 'published'
  cards_count: number
  depth: number
}

/** The API's preview of publishing or unpublishing a set. */
export type Publication = {
  set: SetBelow
  below: SetBelow[]
  is_whole: boolean
  comes_into_sight: { sets: number; cards: number; records: Seen[] }
  leaves_sight: { cards: number; records: Seen[] }
}

type Seen = { type: RecordType; count: number; names: string[] }

/** How many ids fit in a URL. */
const mostNamed = 200

/** The path of the preview, for all drafts or for the given ones. */
export const publicationOf = (id: string, setIds?: string[]) =>
  `/internal/sets/${id}/publication${setIds && setIds.length <= mostNamed ? `?set_ids=${setIds.join(',')}` : ''}`

/** How many sets are published in one transaction. */
const chunk = 25

const atomic = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

/** Publishes sets in this order, and reports how many are done. Throws Refused. What was published before that stays so. */
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

/** `2 players: Jackson Holliday, Wyatt Langford`, followed by `and 12 more` if there are more than the names given. */
export const sayRecords = ({ type, count, names }: Seen) => {
  const more = count > names.length ? ` and ${sayNumber(count - names.length)} more` : ''
  return `${sayCount(count, nouns[type], type)}: ${names.join(', ')}${more}`
}
