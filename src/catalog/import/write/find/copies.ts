import type { Database } from '../../../../../db/client.ts'
import type { CardState, StoredEntry } from '../../../write/record.ts'
import { alikeKey } from '../../read/names/alike.ts'
import { idsOf } from '../plan/laid-over.ts'
import type { Session } from '../session.ts'
import { placeOf, type WantedCard } from './cards.ts'

type Card = Pick<CardState, 'title' | 'serial_number' | 'attributeIds'> & { entries: StoredEntry[] }

/** Numbers with more cards aren't compared: they tell nothing, such as NNO. */
const cardsAtMost = 20

/**
 * Finds new cards that another row of their file may be, too: both have the same number, players, title and serial number, and one of them lacks a team
 * or the code RC. `claimedOf` are a row's cards that are stored or pretended.
 */
export const findCopies = async (
  { sql }: Database,
  fresh: WantedCard[],
  claimedOf: (one: WantedCard) => Card[],
  { pretendedNames }: Session,
): Promise<Set<WantedCard>> => {
  const numbered = fresh.filter(
    ({ item, state }) => item.number !== null && idsOf(state.entries, 'playerId').length > 0,
  )
  const pairs = [...Map.groupBy(numbered, ({ state }) => placeOf(state)).values()].flatMap((rows) =>
    rows.flatMap((one, at) => {
      const others = [...rows.slice(0, at).map(({ state }) => state), ...claimedOf(one)]
      const alike = others.length <= cardsAtMost ? others.filter((other) => areAlike(one.state, other)) : []
      return alike.map((other) => ({ one, codes: differing(one.state.attributeIds, other.attributeIds) }))
    }),
  )
  const isAnyCoded = pairs.some(({ codes }) => codes.length > 0)
  const stored = isAnyCoded ? await sql<{ id: string }[]>`select id from attributes where lower(attribute) = 'rc'` : []
  const rookie = new Set([
    ...stored.map(({ id }) => id),
    ...[...pretendedNames].flatMap(([id, name]) => (name.toLowerCase() === 'rc' ? id : [])),
  ])
  return new Set(pairs.flatMap(({ one, codes }) => (codes.every((id) => rookie.has(id)) ? one : [])))
}

const areAlike = (one: Card, other: Card) => {
  const [teams, others] = [idsOf(one.entries, 'teamId'), idsOf(other.entries, 'teamId')]
  const isLess = teams.every((id) => others.includes(id)) || others.every((id) => teams.includes(id))
  return (
    isLess &&
    (teams.length !== others.length || differing(one.attributeIds, other.attributeIds).length > 0) &&
    one.serial_number === other.serial_number &&
    alikeKey(one.title ?? '') === alikeKey(other.title ?? '') &&
    differing(idsOf(one.entries, 'playerId'), idsOf(other.entries, 'playerId')).length === 0
  )
}

/** What only one of two lists has. */
const differing = (one: string[], other: string[]) => [
  ...one.filter((id) => !other.includes(id)),
  ...other.filter((id) => !one.includes(id)),
]
