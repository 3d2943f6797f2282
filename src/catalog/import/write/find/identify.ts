import type { Database } from '../../../../../db/client.ts'
import { mayBeOneNumber, numberKey, partsOfNumber } from '../../../model/card-number.ts'
import { readCards } from '../../../write/card/read.ts'
import { readCurated } from '../../../write/history/curated.ts'
import { withCardFields } from '../../../write/history/fields.ts'
import type { CardRecord, CardState, Curated, StoredEntry } from '../../../write/record.ts'
import { derivedId } from '../../read/identity.ts'
import type { Unsaid } from '../../read/item.ts'
import { idsOf } from '../plan/laid-over.ts'
import { findMerged, type Session, writerOf } from '../session.ts'
import { basePlaceOf, findIdentified, findNumbered, keyOfIdentifier, placeOf, type WantedCard } from './cards.ts'
import { findCopies } from './copies.ts'
import { type Told, takeLast } from './last-cards.ts'
import { readMarks } from './marks.ts'
import { findNearNames } from './near-names.ts'
import { peopleOf } from './same-people.ts'
import { findSeveralPeople } from './several-people.ts'

/**
 * Which card a row is: its id, or `late` if that is only known once all rows of the file have claimed theirs, `again` if an
 * earlier row is the same card, `merged` if its id redirects to another card, `among` if it is one of several and nothing says which.
 * `isFirst`: no row of an earlier file has the card.
 */
type Identified =
  | ({ id: string; isFirst: boolean } & Told)
  | { merged: string }
  | { among: CardRecord[] }
  | 'late'
  | 'again'

/**
 * Finds the card of each row, in this order: by the row's own id; the live card of its set with one of its identifiers and the
 * same number or somebody in common; the card that equals it, now or as an import last set it. Equal rows of a file take equal
 * cards in turn. Once the file has been read (`isLast`), a row can also be a live card of its set that no other row of its file
 * claims (`takeLast`). A new row gets an id derived from its identity, so that a killed import finds its cards again.
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
  const taken = new Map<WantedCard, Extract<Identified, { id: string }>>()
  const among = new Map<WantedCard, CardRecord[]>()
  const contested = new Map<WantedCard, CardRecord>()
  const isFree = (one: WantedCard) => (id: string) => !seen.has(id, fileOf(one))
  const take = (one: WantedCard, id: string | undefined, told: Told = {}) => {
    if (!id || taken.has(one)) return
    const claimed = seen.claim(id, fileOf(one))
    if (claimed !== 'again') taken.set(one, { id, isFirst: claimed === 'first', ...told })
  }
  for (const one of wanted) if (one.item.id && !merged.has(one.item.id)) take(one, one.item.id)
  if (look) {
    for (const one of open) take(one, look.identified(one))
    const placesOf = (one: WantedCard) => [...look.numbered(one), ...look.respelled(one)]
    const marks = await readMarks(db, open, (one) => placesOf(one).map(look.card), session)
    /** Whether a row without a mark made or took a card that is a variation by now: another row of its file may be that. */
    const isTurned = (one: WantedCard, card: CardRecord) => marks.isVariation(card) && !marks.isVariation(one.state)
    for (const one of open) if (!taken.has(one)) take(one, look.equal(one, isTurned), { isSame: true })
    for (const one of open) if (!taken.has(one)) take(one, look.said(one).find(isFree(one)))
    const left = open.filter((one) => !taken.has(one))
    /** Whether an earlier file's row was taken for a variation, which another row of this file is. */
    const isParted = (one: WantedCard) => {
      const cards = look.alike(one)
      return cards.length > 0 && cards.every((id) => isTurned(one, look.card(id)))
    }
    const fresh: WantedCard[] = []
    if (isLast)
      await takeLast(db, left, look, marks, session, {
        ...{ isFree, take },
        isOpen: (one) => !taken.has(one) && !among.has(one) && !contested.has(one),
        leave: (one, cards) => among.set(one, cards),
        contest: (one, card) => contested.set(one, card),
      })
    for (const one of left) {
      const told = taken.get(one)
      const card = told && look.card(told.id)
      const isVariation = marks.isVariation(one.state)
      if (card && isVariation !== marks.isVariation(card))
        taken.set(one, { ...told, unlike: isVariation ? 'row' : 'card' })
      if (isLast && !told && isParted(one)) one.item = { ...one.item, isRepeated: undefined }
      if (told || among.has(one) || (isLast && one.item.isRepeated)) continue
      const others = placesOf(one).filter(isFree(one))
      if (isLast) take(one, look.fresh(one), { beside: others.map(look.card), contested: contested.get(one) })
      else if (others.length === 0 && !look.alike(one).some(isFree(one))) take(one, look.fresh(one))
      if (taken.has(one)) fresh.push(one)
    }
    const claimedOf = (one: WantedCard) => look.numbered(one).flatMap((id) => (isFree(one)(id) ? [] : look.card(id)))
    const tell = (one: WantedCard, more: Told) => {
      const told = taken.get(one)
      if (told) taken.set(one, { ...told, ...more })
    }
    for (const one of await findCopies(db, fresh, claimedOf, session)) tell(one, { isCopy: true })
    const near = await findNearNames(db, fresh, claimedOf, session)
    for (const [one, name] of near) tell(one, { near: name })
    for (const one of findSeveralPeople(fresh, claimedOf))
      if (!near.has(one) && !taken.get(one)?.beside?.length) tell(one, { isOfOthers: true })
  }
  return wanted.map((one) => {
    const into = one.item.id && merged.get(one.item.id)
    if (into) return { merged: into }
    const cards = among.get(one)
    return taken.get(one) ?? (cards ? { among: cards } : one.item.id || isLast ? 'again' : 'late')
  })
}

const fileOf = ({ item }: WantedCard) => item.fileNo ?? 1

/** The ways to find the cards of rows without ids. */
const lookFor = async (db: Database, open: WantedCard[], session: Session) => {
  const idsOf = deriveIds()
  const derived = new Map(open.map((one) => [one, idsOf(identityOf(one.state), one.item.occurrence + 1).at(-1) ?? '']))
  const pretended = session.pretendedCards
  const stored = await findNumbered(db, open)
  const numbered = pretended ? pretended.numbered(open, stored) : stored
  const identified = new Map([...(await findIdentified(db, open)), ...(pretended?.identified(open) ?? [])])
  const own = [...derived.values()]
  const ids = [...new Set([...numbered, ...own, ...identified.values()])]
  const cards = await readCards(db, ids)
  for (const card of pretended?.among(ids) ?? []) cards.set(card.id, card)
  const curated = await readCurated(db, [...cards.keys()], writerOf(session, new Date(session.began)))
  const live = numbered.filter((id) => cards.get(id)?.deleted === false)
  const gone = numbered.filter((id) => cards.get(id)?.deleted)
  const corrected = [...new Set([...numbered, ...own])].filter((id) => curated.has(id))
  const equals = Map.groupBy(live, (id) => identityOf(cards.get(id)))
  const deleted = Map.groupBy(gone, (id) => identityOf(cards.get(id)))
  const said = Map.groupBy(corrected, (id) => identityOf(asSaid(cards.get(id), curated.get(id))))
  const placed = Map.groupBy(live, (id) => placeOf(cards.get(id)))
  const based = Map.groupBy(live, (id) => basePlaceOf(cards.get(id)))
  const alike = new Map<string, Map<string, string[]>>()
  const numberedOf = ({ state }: WantedCard) => (state.number === null ? [] : (placed.get(placeOf(state)) ?? []))
  /** Whether a row equals several cards in all that it says, and none of them exactly. */
  const isOneOfSeveral = (one: WantedCard, card: CardRecord) => {
    const { item, state } = one
    const some = item.unsaid ? numberedOf(one) : []
    if (some.length < 2 || identityOf(card) === identityOf(state)) return false
    const identity = identityOf(state, item.unsaid)
    return some.filter((id) => identityOf(cards.get(id), item.unsaid) === identity).length > 1
  }
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
    equal: (one: WantedCard, isTurned: (one: WantedCard, card: CardRecord) => boolean) => {
      const identity = identityOf(one.state)
      const ids = idsOf(identity, one.item.occurrence + 1)
      const mine = derived.get(one) as string
      const unsaid = one.item.unsaid
      const card = cards.get(mine)
      const isMine = card && identityOf(card, unsaid) === identityOf(one.state, unsaid) && !isTurned(one, card)
      if (isMine && (!isOneOfSeveral(one, card) || addsNothing(one, card))) return mine
      const equal = equals.get(identity) ?? []
      const made = new Set(idsOf(identity, ids.length + equal.length))
      const others = equal.filter((id) => !made.has(id))
      const there = new Set(equal)
      const earlier = ids.slice(0, -1).filter((id) => !there.has(id)).length
      return others[earlier]
    },
    /** The live card that was created for this row, if it still has its number: a file may have corrected its people. */
    made: (one: WantedCard) => {
      const card = cards.get(derived.get(one) as string)
      return card && !card.deleted && placeOf(card) === placeOf(one.state) ? card : undefined
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
    numbered: numberedOf,
    /** The live cards of the row's set with its number, written in another way. */
    respelled: ({ state }: WantedCard) => {
      const some = state.number === null ? [] : (based.get(basePlaceOf(state)) ?? [])
      const [place, parts] = [placeOf(state), partsOfNumber(numberKey(state.number))]
      return some.filter((id) => {
        const card = cards.get(id)
        return placeOf(card) !== place && mayBeOneNumber(partsOfNumber(numberKey(card?.number ?? null)), parts)
      })
    },
    /** A new card's id. If an earlier row has just this card, it is that card's: the row makes no second one. */
    fresh: (one: WantedCard) => {
      const mine = derived.get(one) as string
      const isAgain = session.seen.has(mine, fileOf(one)) && identityOf(cards.get(mine)) === identityOf(one.state)
      return cards.has(mine) && !isAgain ? crypto.randomUUID() : mine
    },
  }
}

/** Whether a row that equals a card has nothing else for it: no code, no notes, no identifier. */
const addsNothing = ({ item, state, denied }: WantedCard, { attributeIds, notes }: CardRecord) =>
  state.attributeIds.every((id) => attributeIds.includes(id)) &&
  !denied.some((id) => attributeIds.includes(id)) &&
  (state.notes === null || state.notes === notes) &&
  item.identifiers === undefined

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
