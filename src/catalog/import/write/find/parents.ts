import { arrayOf } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { mayBeOneNumber, numberKey, partsOfNumber } from '../../../model/card-number.ts'
import { addEntries } from '../../../write/card/read.ts'
import type { CardRecord, StoredEntry } from '../../../write/record.ts'
import { alikeKey } from '../../read/names/alike.ts'
import { idsOf } from '../plan/laid-over.ts'
import type { PlacedSets, Session } from '../session.ts'
import { basePlaceOf, findSpelled, placeOf, type WantedCard } from './cards.ts'

/** A row's parent card: an id, null for none, undefined if the row doesn't say, or `missing` if no card has the id. */
type Parent = string | null | undefined | 'missing'

/** A card whose parent is the card of a set with its number. */
export type Based = Pick<CardRecord, 'set_id' | 'number' | 'title'> & { entries: StoredEntry[] }

/** Finds the parent card of each row. Rows of the same chunk may be parents, too. */
export const findParents = async (
  db: Database,
  wanted: WantedCard[],
  ids: (string | null)[],
  sets: PlacedSets,
  session: Session,
): Promise<Parent[]> => {
  if (!wanted.some(({ item }) => item.parent)) return wanted.map(({ item: { parent } }) => (parent ? null : parent))
  const byId = wanted.flatMap(({ item: { parent } }) => (parent && 'id' in parent ? [parent.id] : []))
  const there = new Set([...(await findCards(db, byId)), ...ids])
  const based = new Map(
    wanted.flatMap((one): [WantedCard, Based][] => {
      const { parent } = one.item
      const set = parent && 'setKey' in parent ? sets.get(parent.setKey) : undefined
      return set && parent && 'setKey' in parent ? [[one, { ...one.state, set_id: set.id, number: parent.number }]] : []
    }),
  )
  const numbered = await findBases(db, [...based.values()], session)
  return wanted.map((one) => {
    const { parent } = one.item
    if (!parent) return parent
    if ('id' in parent)
      return there.has(parent.id) || (session.isDry && session.seen.isMet(parent.id)) ? parent.id : 'missing'
    const of = based.get(one)
    return (of && numbered.get(of)) ?? null
  })
}

const findCards = async ({ sql }: Database, ids: string[]) => {
  if (ids.length === 0) return []
  const rows = await sql<{ id: string }[]>`select id from cards where id = any(${arrayOf(ids)}::uuid[])`
  return rows.map((row) => row.id)
}

type Base = Pick<CardRecord, 'id' | 'set_id' | 'number' | 'title'> & { entries: StoredEntry[] }

/**
 * Finds the live cards that others are based on, by the set and number that these name: the only card whose number is written alike, or
 * else the only one with that number. Of several it's the one with somebody in common and the same title, or the only one without a title.
 */
export const findBases = async (
  db: Database,
  based: Based[],
  { pretendedCards }: Pick<Session, 'pretendedCards'>,
): Promise<Map<Based, string>> => {
  const stored = new Map(
    (await findSpelled(db, based)).map((card): [string, Base] => [card.id, { ...card, entries: [] }]),
  )
  const pretended = [...new Set(based.map(basePlaceOf))].flatMap((place) => pretendedCards?.at(place) ?? [])
  for (const { id } of pretended) stored.delete(id)
  const places = Map.groupBy([...stored.values(), ...pretended] as Base[], basePlaceOf)
  const several = [...places.values()].flatMap((some) =>
    some.length > 1 ? some.filter(({ id }) => stored.has(id)) : [],
  )
  if (several.length > 0) await addEntries(db, new Map(several.map((card) => [card.id, card])))
  return new Map(
    based.flatMap((one): [Based, string][] => {
      const id = chooseBase(one, places.get(basePlaceOf(one)) ?? [])
      return id ? [[one, id]] : []
    }),
  )
}

const chooseBase = (one: Based, cards: Base[]): string | undefined => {
  const parts = partsOfNumber(numberKey(one.number))
  const some = cards.filter((card) => card.set_id === one.set_id)
  const alike = some.filter((card) => placeOf(card) === placeOf(one))
  const left =
    alike.length > 0 ? alike : some.filter((card) => mayBeOneNumber(partsOfNumber(numberKey(card.number)), parts))
  if (left.length < 2) return left[0]?.id
  if (alike.length === 0) return undefined
  const players = idsOf(one.entries, 'playerId')
  const theirs = left.filter((card) => idsOf(card.entries, 'playerId').some((id) => players.includes(id)))
  const among = theirs.length > 0 ? theirs : left
  const titled = among.filter((card) => alikeKey(card.title ?? '') === alikeKey(one.title ?? ''))
  const plain = among.filter((card) => card.title === null)
  const [only] = [among, titled, plain].filter((cards) => cards.length === 1)
  return only?.[0]?.id
}
