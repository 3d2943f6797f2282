import type { Database } from '../../../../../db/client.ts'
import type { CardRecord } from '../../../write/record.ts'
import { alikeKey } from '../../read/names/alike.ts'
import type { Session } from '../session.ts'
import { findBearers } from './bearers.ts'
import type { WantedCard } from './cards.ts'
import type { Marks } from './marks.ts'
import { arePlayersOf, areSamePeople, sharesPeople } from './same-people.ts'

/**
 * What else a row's card is to it. `isSame`: a card that says the same. `replaced` is the card before, if the row corrects somebody's name on
 * it. `respelled` is the card's number, if the row writes it in another way. `beside` are cards with the number of a new one, however it is
 * written. `contested` is a card that a new one could be if another row of its file couldn't just as well. `near` is a name that is nearly a new
 * card's, under the same number of the file. `isCopy`: another row of the file may be the same card. `isOfOthers`: one
 * has other players under its number. `unlike`: only the
 * row is a variation, or only its card.
 */
export type Told = {
  isSame?: boolean
  replaced?: CardRecord
  respelled?: string
  beside?: CardRecord[]
  contested?: CardRecord
  near?: string
  isCopy?: true
  unlike?: 'row' | 'card'
  isOfOthers?: true
}

/** The cards that rows may be: the ways of `lookFor` to find them. */
type Look = {
  card: (id: string) => CardRecord
  alike: (one: WantedCard) => string[]
  made: (one: WantedCard) => CardRecord | undefined
  numbered: (one: WantedCard) => string[]
  respelled: (one: WantedCard) => string[]
}

type Hand = {
  isFree: (one: WantedCard) => (id: string) => boolean
  /** Whether the row has no card yet, and may still get one. */
  isOpen: (one: WantedCard) => boolean
  take: (one: WantedCard, id: string, told?: Told) => void
  /** The row is one of several cards, and nothing says which. */
  leave: (one: WantedCard, among: CardRecord[]) => void
  /** The row and others of its file could each be this card, so that none is. */
  contest: (one: WantedCard, card: CardRecord) => void
}

/**
 * Takes the cards that no row of the file claims by itself, in this order: by a title that only looks different; those that equal rows in all that
 * the rows say; those with their numbers and people; those with their numbers and some of their people; those whose numbers are written in
 * another way. Of several cards, a row without a title is the one without a title or a mark of a variation. If no card is more likely than
 * another, or no row, none is taken.
 */
export const takeLast = async (
  db: Database,
  left: WantedCard[],
  look: Look,
  marks: Marks,
  session: Session,
  { isFree, isOpen, take, leave, contest }: Hand,
) => {
  const open = () => left.filter(isOpen)
  const cardsOf = (ids: string[]) => ids.map(look.card)
  const freeOf = (one: WantedCard) => look.numbered(one).filter(isFree(one))
  const respelledOf = (one: WantedCard) => look.respelled(one).filter(isFree(one))

  const takeBorne = (one: WantedCard, id: string) => {
    one.state = { ...one.state, entries: look.card(id).entries }
    take(one, id)
  }
  const titled = left.flatMap((one) => {
    const [id, ...others] = freeOf(one).filter((id) => isTitled(one, look.card(id)) && sharesPeople(one, look.card(id)))
    return id && others.length === 0 ? { one, card: look.card(id) } : []
  })
  const ofTitled = await findBearers(db, titled, session)
  for (const { one, card } of titled)
    if (!isFree(one)(card.id)) continue
    else if (ofTitled.bears(one, card)) takeBorne(one, card.id)
    else take(one, card.id)
  const alikeOf = (one: WantedCard) => look.alike(one).filter(isFree(one))
  for (const one of open()) {
    const [id, ...others] = alikeOf(one)
    if (id && others.length === 0) take(one, id)
  }
  /**
   * The only card among some with the title and the marks of variations that the row has. If none has a row's title, it's the only one
   * that codes mark.
   */
  const nearest = (one: WantedCard, ids: string[]) => {
    const same = ids.filter((id) => marks.of(look.card(id)) === marks.of(one.state))
    const isByCode = same.length === 0 && one.state.title !== null && ids.length > 1
    const near = isByCode ? ids.filter((id) => marks.isByCode(look.card(id))) : same
    return near.length === 1 ? near[0] : undefined
  }

  const isOnly = (rows: WantedCard[]) => rows.length === 1 || areInterchangeable(rows)
  for (const rows of Map.groupBy(open(), look.alike).values()) {
    const ids = rows[0] ? alikeOf(rows[0]) : []
    if (ids.length === 0) continue
    if (rows.length >= ids.length && isOnly(rows))
      for (const [at, id] of ids.entries()) take(rows[at] as WantedCard, id)
    for (const [id, [one, ...others]] of Map.groupBy(rows.filter(isOpen), (one) => nearest(one, ids)))
      if (id && one && isOnly([one, ...others])) take(one, id)
    const rest = rows.filter(isOpen)
    for (const one of rest) {
      const [id, ...others] = alikeOf(one)
      if (id && others.length === 0 && isOnly(rest)) take(one, id)
      else if (id) leave(one, cardsOf([id, ...others]))
    }
  }

  const { bears, isNear, resembles } = await findBearers(
    db,
    open().flatMap((one) => [...freeOf(one), ...respelledOf(one)].map((id) => ({ one, card: look.card(id) }))),
    session,
  )
  for (const one of open()) {
    const card = look.made(one)
    if (card && isFree(one)(card.id) && isNear(one, card) && !arePlayersOf(one, card)) takeBorne(one, card.id)
  }
  const isOther = (one: WantedCard, id: string) => look.numbered(one).length > 1 && differInTitle(one, look.card(id))
  const borneBy = (one: WantedCard) => freeOf(one).filter((id) => bears(one, look.card(id)) && !isOther(one, id))
  /** Lets each row of a number have its card, unless a row that says something else could have it, too. */
  const share = (idOf: (one: WantedCard) => string | undefined, give: (one: WantedCard, id: string) => void) => {
    const wanted = Map.groupBy(open(), (one) => idOf(one) ?? '')
    for (const [id, rows] of wanted)
      if (id === '') continue
      else if (isOnly(rows)) give(rows[0] as WantedCard, id)
      else for (const one of rows) contest(one, look.card(id))
  }
  share((one) => nearest(one, borneBy(one)), takeBorne)
  share((one) => {
    const [id, ...others] = borneBy(one)
    return others.length === 0 ? id : undefined
  }, takeBorne)
  for (const one of open()) {
    const ids = borneBy(one)
    if (isSilentOfTitles(one, cardsOf(ids))) leave(one, cardsOf(ids))
  }
  share(
    (one) => {
      const all = freeOf(one).filter((id) => !isOther(one, id))
      const same = all.filter((id) => arePlayersOf(one, look.card(id)))
      const [id, ...others] = same.length > 0 ? same : all
      if (!id || others.length > 0) return undefined
      const isIt =
        sharesPeople(one, look.card(id)) || (look.numbered(one).length === 1 && resembles(one, look.card(id)))
      return isIt ? id : undefined
    },
    (one, id) => take(one, id, sharesPeople(one, look.card(id)) ? {} : { replaced: look.card(id) }),
  )
  for (const one of open()) {
    const isIt = (id: string) =>
      !differInTitle(one, look.card(id)) && areSamePeople(one, look.card(id), bears(one, look.card(id)))
    const [id, ...others] = respelledOf(one).filter(isIt)
    if (!id) continue
    if (others.length > 0) {
      if (isSilentOfTitles(one, cardsOf([id, ...others]))) leave(one, cardsOf([id, ...others]))
      continue
    }
    const { number, entries } = look.card(id)
    take(one, id, { respelled: number ?? '' })
    if (bears(one, look.card(id))) one.state = { ...one.state, entries }
    if (!session.overwrite) one.item = { ...one.item, unsaid: [...(one.item.unsaid ?? []), 'number'] }
  }
}

/** Whether a row's title is a card's, however it is written. */
const isTitled = ({ state }: WantedCard, { title }: CardRecord) =>
  state.title !== null && title !== null && alikeKey(state.title) === alikeKey(title)

const differInTitle = (one: WantedCard, card: CardRecord) =>
  one.state.title !== null && card.title !== null && !isTitled(one, card)

/** Whether several cards differ in what a row doesn't say: their titles. */
const isSilentOfTitles = ({ item, state }: WantedCard, cards: CardRecord[]) =>
  cards.length > 1 &&
  state.title === null &&
  (item.unsaid?.includes('title') ?? false) &&
  cards.some(({ title }) => title !== null)

/** Whether rows say the same, so that it doesn't matter which of them gets which card. */
const areInterchangeable = (rows: WantedCard[]) => {
  const [first = '', ...others] = rows.map(({ item, state, denied }) =>
    JSON.stringify([state, denied, item.identifiers, item.parent, item.unsaid]),
  )
  return others.every((other) => other === first)
}
