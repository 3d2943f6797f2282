import { arrayOf } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { mayBeOneNumber, numberKey, partsOfNumber } from '../../../model/card-number.ts'
import { addEntries } from '../../../write/card/read.ts'
import type { CardRecord, StoredEntry } from '../../../write/record.ts'
import type { CardItem } from '../../read/item.ts'
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
  const isAlone = ({ setKey, parent }: CardItem) => parent && 'setKey' in parent && sets.get(setKey)?.hasNoBases
  const byId = wanted.flatMap(({ item: { parent } }) => (parent && 'id' in parent ? [parent.id] : []))
  const there = new Set([...(await findCards(db, byId)), ...ids])
  const based = new Map(
    wanted.flatMap((one): [WantedCard, Based][] => {
      const { parent } = one.item
      const set = parent && 'setKey' in parent && !isAlone(one.item) ? sets.get(parent.setKey) : undefined
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
 * else the only one with that number that isn't somebody else's. Of several it's the one with somebody in common and the same title, or the
 * only one without a title.
 */
export const findBases = async (
  db: Database,
  based: Based[],
  { pretendedCards }: Pick<Session, 'pretendedCards'>,
): Promise<Map<Based, string>> => {
  const places = await readPlaces(db, based, { pretendedCards })
  return new Map(
    based.flatMap((one): [Based, string][] => {
      const id = chooseBase(one, places.get(basePlaceOf(one)) ?? [])
      return id ? [[one, id]] : []
    }),
  )
}

/** Whether the cards of a set with a card's number, however it is written, have its people or its title. Undefined if there are none. */
export const compareBases = async (
  db: Database,
  based: Based[],
  session: Pick<Session, 'pretendedCards'>,
): Promise<Map<Based, 'same' | 'open' | 'other' | undefined>> => {
  const places = await readPlaces(db, based, session, true)
  return new Map(
    based.map((one) => {
      const parts = partsOfNumber(numberKey(one.number))
      const are = (places.get(basePlaceOf(one)) ?? []).flatMap((card) =>
        card.set_id === one.set_id && mayBeOneNumber(partsOfNumber(numberKey(card.number)), parts)
          ? likenessOf(one, card)
          : [],
      )
      return [one, are.includes('same') ? 'same' : are.includes('open') ? 'open' : are[0]]
    }),
  )
}

/** The live cards of sets with the numbers of others, however they are written. Who is on them is read where it matters, or of all. */
const readPlaces = async (
  db: Database,
  based: Based[],
  { pretendedCards }: Pick<Session, 'pretendedCards'>,
  ofAll = false,
): Promise<Map<string, Base[]>> => {
  const stored = new Map(
    (await findSpelled(db, based)).map((card): [string, Base] => [card.id, { ...card, entries: [] }]),
  )
  const pretended = [...new Set(based.map(basePlaceOf))].flatMap((place) => pretendedCards?.at(place) ?? [])
  for (const { id } of pretended) stored.delete(id)
  const places = Map.groupBy([...stored.values(), ...pretended] as Base[], basePlaceOf)
  const compared = [...Map.groupBy(based, basePlaceOf)].flatMap(([place, asked]) => {
    const cards = places.get(place) ?? []
    const isOne = new Set([...asked, ...cards].map(placeOf)).size === 1 && cards.length < 2
    return isOne && !ofAll ? [] : cards.filter(({ id }) => stored.has(id))
  })
  if (compared.length > 0) await addEntries(db, new Map(compared.map((card) => [card.id, card])))
  return places
}

const chooseBase = (one: Based, cards: Base[]): string | undefined => {
  const parts = partsOfNumber(numberKey(one.number))
  const some = cards.filter((card) => card.set_id === one.set_id)
  const alike = some.filter((card) => placeOf(card) === placeOf(one))
  const respelled = some.filter(
    (card) =>
      placeOf(card) !== placeOf(one) &&
      mayBeOneNumber(partsOfNumber(numberKey(card.number)), parts) &&
      likenessOf(one, card) !== 'other',
  )
  const theirs = respelled.filter((card) => likenessOf(one, card) === 'same')
  if (alike.length === 0) return onlyId(theirs.length > 0 ? theirs : respelled)
  if (theirs.length === 1 && alike.every((card) => likenessOf(one, card) === 'other')) return onlyId(theirs)
  return chooseAlike(one, alike)
}

const onlyId = ([only, ...others]: Base[]): string | undefined => (others.length === 0 ? only?.id : undefined)

/** Whether a card has the people of another, or its title if nobody is on either. `open` if one of them doesn't say. */
const likenessOf = (one: Based, card: Base): 'same' | 'open' | 'other' => {
  const [players, theirs] = [idsOf(one.entries, 'playerId'), idsOf(card.entries, 'playerId')]
  if (players.length > 0 && theirs.length > 0) return players.some((id) => theirs.includes(id)) ? 'same' : 'other'
  if (players.length !== theirs.length || one.title === null || card.title === null) return 'open'
  return alikeKey(one.title) === alikeKey(card.title) ? 'same' : 'other'
}

const chooseAlike = (one: Based, alike: Base[]): string | undefined => {
  if (alike.length < 2) return alike[0]?.id
  const theirs = alike.filter((card) => likenessOf(one, card) === 'same')
  const among = theirs.length > 0 ? theirs : alike
  const titled = among.filter((card) => alikeKey(card.title ?? '') === alikeKey(one.title ?? ''))
  const plain = among.filter((card) => card.title === null)
  const [only] = [among, titled, plain].filter((cards) => cards.length === 1)
  return only?.[0]?.id
}
