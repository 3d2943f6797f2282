import type { Database } from '../../../../../db/client.ts'
import { personName } from '../../../model/person-name.ts'
import { readSubjects } from '../../../write/card/read.ts'
import type { CardRecord } from '../../../write/record.ts'
import { areNear } from '../../read/names/near.ts'
import { idsOf } from '../plan/laid-over.ts'
import type { Session } from '../session.ts'
import { placeOf, type WantedCard } from './cards.ts'

/** Numbers with more cards aren't compared: they tell nothing, such as NNO. */
const cardsAtMost = 20

/**
 * Finds new cards whose only player is nearly called like the only one of a card that another row of their file has under the same number: one
 * of the two may be misspelled. Returns that name. `claimedOf` are a row's such cards that are stored or pretended.
 */
export const findNearNames = async (
  db: Database,
  fresh: WantedCard[],
  claimedOf: (one: WantedCard) => CardRecord[],
  session: Pick<Session, 'pretendedCards'>,
): Promise<Map<WantedCard, string>> => {
  const near = new Map<WantedCard, string>()
  const alone = fresh.filter(({ item, state }) => item.number !== null && idsOf(state.entries, 'playerId').length === 1)
  const compare = (one: WantedCard, others: string[]) => {
    const name = playerOf(one)
    const other = others.find((other) => other !== name && areNear(other, name))
    if (other && !near.has(one)) near.set(one, other)
  }
  for (const rows of Map.groupBy(alone, ({ state }) => placeOf(state)).values())
    if (rows.length > 1 && rows.length <= cardsAtMost)
      for (const [at, one] of rows.entries())
        compare(
          one,
          rows.slice(0, at).flatMap((other) => otherThan(one, other)),
        )
  const claimed = alone.flatMap((one) => {
    const cards = claimedOf(one)
    return cards.length > 0 && cards.length <= cardsAtMost ? [{ one, cards }] : []
  })
  if (claimed.length === 0) return near
  const stored = claimed.flatMap(({ cards }) => cards.flatMap((card) => idsOf(card.entries, 'playerId')))
  const subjects = await readSubjects(
    db,
    stored.map((id) => ({ type: 'players', id })),
    [],
  )
  for (const { one, cards } of claimed) {
    const names = cards.flatMap((card) => {
      const [id, ...others] = idsOf(card.entries, 'playerId')
      if (!id || others.length > 0 || one.people.includes(id)) return []
      return subjects.get(id)?.name ?? session.pretendedCards?.playerNamed(id) ?? []
    })
    compare(one, names)
  }
  return near
}

const playerOf = ({ item }: WantedCard) =>
  item.entries.flatMap(({ player }) => (player ? personName(player) : []))[0] ?? ''

const otherThan = (one: WantedCard, other: WantedCard) =>
  idsOf(other.state.entries, 'playerId').some((id) => one.people.includes(id)) ? [] : playerOf(other)
