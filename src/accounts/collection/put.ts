import { arrayOf, arrayOfTexts } from '../../../db/arrays.ts'
import type { Transaction } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import { conflict, unauthenticated } from '../../jsonapi/errors.ts'
import { sizes } from '../../limits.ts'
import { type Owner, ownCards, type Status, stateOf } from './cards.ts'

/** What a request says of a card. Null takes it out. What isn't said stays, or is 1 and no note for a new one. */
export type Wish = { cardId: string; status: Status | null; quantity?: number; note?: string | null }

/** What came of wishes: how many cards of each kind, the ids that are no cards, and those that are there by now. */
export type Put = {
  created: number
  updated: number
  kept: number
  deleted: number
  missing: string[]
  ids: string[]
  before: string
  state: string
}

/**
 * Puts cards into a collection, changes those that are in it (unless they are to be `kept`), and takes out others. All of it or,
 * with more cards than an account may have, nothing.
 */
export const putCards = (
  { db }: Context,
  owner: Owner,
  wishes: Wish[],
  { keeps, now }: { keeps: boolean; now: Date },
): Promise<Put> =>
  db.transaction(async (tx) => {
    const total = await countLocked(tx, owner.userId)
    const before = await stateOf(tx, owner.userId)
    const cards = await findToday(tx, owner, wishes)
    const known = await findOwn(tx, owner, [...cards.values()])
    const asked = wishes.flatMap((wish) => {
      const card = cards.get(wish.cardId)
      return card ? [{ ...wish, card, own: known.get(card) }] : []
    })
    // Of several wishes for one card, the last one counts.
    const last = [...new Map(asked.map((one) => [one.card, one])).values()]
    const created = last.filter(({ own, status }) => !own && status)
    const there = last.filter(({ own, status }) => own && status)
    const updated = keeps ? [] : there
    const deleted = last.filter(({ own, status }) => own && !status)
    if (total + created.length - deleted.length > sizes.collectedCards.most)
      throw conflict(`A collection has at most ${sizes.collectedCards.most} cards.`)
    const at = now.toISOString()
    const ids = created.map(() => Bun.randomUUIDv7())
    await insert(tx, owner.userId, created, ids, at)
    await update(tx, updated, at)
    await tx.sql`
      delete from collection_cards where id = any(${arrayOf(deleted.map(({ own }) => String(own)))}::text::uuid[])`
    return {
      ...{ created: created.length, updated: updated.length, deleted: deleted.length },
      kept: there.length - updated.length,
      missing: wishes.flatMap(({ cardId, status }) => (status && !cards.has(cardId) ? [cardId] : [])),
      ...{ ids, before, state: await stateOf(tx, owner.userId) },
    }
  })

/** How many cards the collection has. The account's row is the lock, so that two requests don't both take the last place. */
const countLocked = async (tx: Transaction, userId: string) => {
  const locked = await tx.sql`select id from users where id = ${userId} for no key update`
  if (locked.length === 0) throw unauthenticated('The account is deleted.')
  const [counted] = await tx.sql<{ total: number }[]>`
    select count(*)::int as total from collection_cards where user_id = ${userId}`
  return counted?.total ?? 0
}

/** The ids today of the cards that wishes name. A card can be put in only if it is visible, but taken out anyway. */
const findToday = async (tx: Transaction, { level }: Owner, wishes: Wish[]): Promise<Map<string, string>> => {
  const rows = await tx.sql<{ given: string; id: string }[]>`
    select g.given, coalesce(t.id, g.id) as id from (
      select w.given, w.removes, coalesce(case when r.id is not null then merged_into(w.given) end, w.given) as id
      from unnest(
        ${arrayOf(wishes.map(({ cardId }) => cardId))}::text::uuid[],
        ${arrayOf(wishes.map(({ status }) => status === null))}::text::boolean[]
      ) as w (given, removes) left join redirects r on r.id = w.given
    ) g left join (cards t join sets s on s.id = t.set_id and s.audience >= ${level})
      on t.id = g.id and t.deleted_at is null
    where t.id is not null or g.removes`
  return new Map(rows.map(({ given, id }) => [given, id]))
}

/** Which of these cards are in the collection: their ids there, by the cards' ids. */
const findOwn = async (tx: Transaction, { userId }: Owner, cards: string[]): Promise<Map<string, string>> => {
  const rows = await tx.sql.unsafe<{ id: string; card: string }[]>(
    `with ${ownCards} select own.id, own.now_id as card from own where own.now_id = any($2::text::uuid[])`,
    [userId, arrayOf(cards)],
  )
  return new Map(rows.map(({ id, card }) => [card, id]))
}

type Asked = Wish & { card: string; own?: string }

const insert = async (tx: Transaction, userId: string, asked: Asked[], ids: string[], at: string) => {
  await tx.sql`
    insert into collection_cards (id, user_id, card_id, status, quantity, note, created_at, updated_at)
    select n.id, ${userId}, n.card_id, n.status, n.quantity, n.note, ${at}, ${at}
    from unnest(
      ${arrayOf(ids)}::text::uuid[], ${arrayOf(asked.map(({ card }) => card))}::text::uuid[],
      ${arrayOfTexts(asked.map(({ status }) => status))}::text::text[],
      ${arrayOf(asked.map(({ quantity = 1 }) => quantity))}::text::integer[],
      ${arrayOfTexts(asked.map(({ note = null }) => note))}::text::text[]
    ) as n (id, card_id, status, quantity, note)`
}

const update = async (tx: Transaction, asked: Asked[], at: string) => {
  await tx.sql`
    update collection_cards c set status = n.status, quantity = coalesce(n.quantity, c.quantity),
      note = case when n.has_note then n.note else c.note end, updated_at = ${at}
    from unnest(
      ${arrayOf(asked.map(({ own }) => String(own)))}::text::uuid[],
      ${arrayOfTexts(asked.map(({ status }) => status))}::text::text[],
      ${arrayOf(asked.map(({ quantity = null }) => quantity))}::text::integer[],
      ${arrayOfTexts(asked.map(({ note = null }) => note))}::text::text[],
      ${arrayOf(asked.map(({ note }) => note !== undefined))}::text::boolean[]
    ) as n (id, status, quantity, note, has_note)
    where c.id = n.id`
}
