import type { Database } from '../../../../../db/client.ts'
import { readCards } from '../../../write/card/read.ts'
import { readCurated } from '../../../write/history/curated.ts'
import { withCardFields } from '../../../write/history/fields.ts'
import type { CardRecord, CardState, Curated, StoredEntry } from '../../../write/record.ts'
import { derivedId } from '../../read/identity.ts'
import type { Unsaid } from '../../read/item.ts'
import { idsOf } from '../plan/laid-over.ts'
import { findMerged, type Session, writerOf } from '../session.ts'
import { findBearers } from './bearers.ts'
import { findIdentified, findNumbered, keyOfIdentifier, placeOf, type WantedCard } from './cards.ts'

/**
 * Which card a row is: its id, or `late` if that is only known once all rows of the file have claimed theirs, `again` if an
 * earlier row is the same card, `merged` if its id redirects to another card.
 */
type Identified = { id: string } | { merged: string } | 'late' | 'again'

/**
 * Finds the card of each row, in this order: by the row's own id; the live card of its set with one of its identifiers and the
 * same number or somebody in common; the card that equals it, now or as an import last set it. Equal rows of a file take equal
 * cards in turn. Once the file has been read (`isLast`), a row can also be a live card of its set that no other row claims: one
 * that equals it in all that the row says, one with its number whose people bear the row's names, or else the only one with its
 * number, if they have somebody in common or one of them has nobody. A new row gets an id derived from its identity, so that a
 * killed import finds its cards again.
 */
export const identify = async (
  db: Database,
  wanted: WantedCard[],
  session: Session,
  isLast: boolean,
): Promise<Identified[]> => {
  const { seen } = session
  const given = wanted.flatMap(({ item }) => item.id ?? [])
  const merged = await findMerged(db, session, given)
  const open = wanted.filter(({ item }) => !item.id)
  const look = open.length > 0 ? await lookFor(db, open, session) : undefined
  const taken = new Map<WantedCard, string>()
  const take = (one: WantedCard, id: string | undefined) => {
    if (!id || (look && !one.item.id && seen.has(id)) || taken.has(one)) return
    if (seen.add(id)) taken.set(one, id)
  }
  for (const one of wanted) if (one.item.id && !merged.has(one.item.id)) take(one, one.item.id)
  if (look) {
    for (const one of open) take(one, look.identified(one))
    for (const one of open) if (!taken.has(one)) take(one, look.equal(one))
    for (const one of open) {
      if (taken.has(one)) continue
      const free = look.said(one).find((id) => !seen.has(id))
      take(one, free)
    }
    const isFree = (id: string) => !seen.has(id)
    const left = open.filter((one) => !taken.has(one))
    const bears = await findBearers(
      db,
      left.flatMap((one) =>
        look
          .numbered(one)
          .filter(isFree)
          .map((id) => ({ one, card: look.card(id) })),
      ),
    )
    const isLike = (one: WantedCard) => (id: string) =>
      isFree(id) && (look.shares(one, id) || bears(one, look.card(id)))
    if (isLast) {
      for (const one of left) take(one, look.alike(one).find(isFree))
      for (const one of left) {
        if (taken.has(one)) continue
        const [id, ...others] = look.numbered(one).filter((id) => isFree(id) && bears(one, look.card(id)))
        if (!id || others.length > 0) continue
        one.state = { ...one.state, entries: look.card(id).entries }
        take(one, id)
      }
      for (const one of left) {
        const [id, ...others] = taken.has(one) ? [] : look.numbered(one).filter(isFree)
        if (id && others.length === 0 && look.shares(one, id)) take(one, id)
      }
    }
    for (const one of left)
      if (!taken.has(one) && (isLast || !(look.alike(one).some(isFree) || look.numbered(one).some(isLike(one)))))
        take(one, look.fresh(one))
  }
  return wanted.map((one) => {
    const into = one.item.id && merged.get(one.item.id)
    if (into) return { merged: into }
    const id = taken.get(one)
    return id ? { id } : one.item.id || isLast ? 'again' : 'late'
  })
}

/** The ways to find the cards of rows without ids. */
const lookFor = async (db: Database, open: WantedCard[], session: Session) => {
  const idsOf = deriveIds()
  const derived = new Map(open.map((one) => [one, idsOf(identityOf(one.state), one.item.occurrence + 1).at(-1) ?? '']))
  const numbered = await findNumbered(db, open)
  const identified = await findIdentified(db, open)
  const own = [...derived.values()]
  const cards = await readCards(db, [...new Set([...numbered, ...own, ...identified.values()])])
  const curated = await readCurated(db, [...cards.keys()], writerOf(session, new Date(session.began)))
  const live = numbered.filter((id) => cards.get(id)?.deleted === false)
  const gone = numbered.filter((id) => cards.get(id)?.deleted)
  const corrected = [...new Set([...numbered, ...own])].filter((id) => curated.has(id))
  const equals = Map.groupBy(live, (id) => identityOf(cards.get(id)))
  const deleted = Map.groupBy(gone, (id) => identityOf(cards.get(id)))
  const said = Map.groupBy(corrected, (id) => identityOf(asSaid(cards.get(id), curated.get(id))))
  const places = Map.groupBy(live, (id) => placeOf(cards.get(id)))
  const alike = new Map<string, Map<string, string[]>>()
  return {
    card: (id: string) => cards.get(id) as CardRecord,
    /** The live card of the set that has an identifier of the row, if both have something else in common. */
    identified: ({ item, state, people }: WantedCard) =>
      item.identifiers
        ?.flatMap((one) => identified.get(keyOfIdentifier(state.set_id, one)) ?? [])
        .find((id) => {
          const card = cards.get(id)
          const others = peopleOf(card?.entries ?? [])
          return placeOf(card) === placeOf(state) || people.some((person) => others.includes(person))
        }),
    /** The card once created for this row, or else the next equal card that wasn't created for a row. */
    equal: (one: WantedCard) => {
      const identity = identityOf(one.state)
      const ids = idsOf(identity, one.item.occurrence + 1)
      const mine = derived.get(one) as string
      const unsaid = one.item.unsaid
      if (cards.has(mine) && identityOf(cards.get(mine), unsaid) === identityOf(one.state, unsaid)) return mine
      const equal = equals.get(identity) ?? []
      const made = new Set(idsOf(identity, ids.length + equal.length))
      const others = equal.filter((id) => !made.has(id))
      const there = new Set(equal)
      const earlier = ids.slice(0, -1).filter((id) => !there.has(id)).length
      return others[earlier]
    },
    /** Cards that equaled this row when an import last set them, and deleted ones that equal it. */
    said: ({ state }: WantedCard) => [
      ...(said.get(identityOf(state)) ?? []),
      ...(deleted.get(identityOf(state)) ?? []),
    ],
    /** The live cards that equal the row in what it says. */
    alike: ({ item: { unsaid }, state }: WantedCard) => {
      if (!unsaid) return []
      const key = unsaid.join(' ')
      const groups = alike.get(key) ?? Map.groupBy(live, (id) => identityOf(cards.get(id), unsaid))
      alike.set(key, groups)
      return groups.get(identityOf(state, unsaid)) ?? []
    },
    /** The live cards of the row's set with its number. */
    numbered: ({ state }: WantedCard) => (state.number === null ? [] : (places.get(placeOf(state)) ?? [])),
    shares: ({ people }: WantedCard, id: string) => {
      const others = peopleOf(cards.get(id)?.entries ?? [])
      return people.length === 0 || others.length === 0 || people.some((person) => others.includes(person))
    },
    /** A new card's id. If an earlier row has just this card, it is that card's: the row makes no second one. */
    fresh: (one: WantedCard) => {
      const mine = derived.get(one) as string
      const isAgain = session.seen.has(mine) && identityOf(cards.get(mine)) === identityOf(one.state)
      return cards.has(mine) && !isAgain ? crypto.randomUUID() : mine
    },
  }
}

const peopleOf = (entries: StoredEntry[]) =>
  entries.flatMap(({ playerId, teamId }) => [playerId, teamId].flatMap((id) => id ?? []))

/** The ids derived for the first of the rows with an identity. Each is derived once, because a file may have many equal rows. */
const deriveIds = () => {
  const known = new Map<string, string[]>()
  return (identity: string, count: number): string[] => {
    const ids = known.get(identity) ?? []
    known.set(identity, ids)
    while (ids.length < count) ids.push(derivedId('card', identity, ids.length))
    return ids.slice(0, count)
  }
}

type Identity = Pick<CardState, 'set_id' | 'number' | 'entries' | 'title' | 'attributeIds' | 'serial_number'>

/** A card as an import last set it. */
const asSaid = (card: CardRecord | undefined, curated: Curated | undefined): Identity | undefined =>
  card && curated ? withCardFields(card, Object.fromEntries(curated)) : card

/** What tells a card from others, without what a row leaves unsaid. */
const identityOf = (state: Identity | undefined, unsaid: Unsaid[] = []) => {
  if (!state) return ''
  const says = (part: Unsaid) => !unsaid.includes(part)
  return JSON.stringify([
    state.set_id,
    state.number,
    says('players') && says('teams')
      ? state.entries.map((entry) => entry.id)
      : [
          says('players') && idsOf(state.entries as StoredEntry[], 'playerId'),
          says('teams') && idsOf(state.entries as StoredEntry[], 'teamId'),
        ],
    says('title') && state.title,
    says('attributes') && state.attributeIds.toSorted(),
    says('serial_number') && state.serial_number,
  ])
}
