import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { idsOf } from '../../../../db/rows.ts'
import { notFound } from '../../../jsonapi/errors.ts'
import { claimsOf } from '../../write/locks/claims.ts'
import { moveValues } from '../../write/merge/attached.ts'
import type { CardPlan } from '../../write/record.ts'
import { closeEntities } from './entities.ts'
import { writeManyCards } from './many-cards.ts'
import type { Merger } from './record.ts'

/** Attributes: live cards with one get the other, once, and its values become values of the other. */
export const attributeMerger: Merger = {
  claims: async (tx, { type, from, into }) => {
    const cards = (await findCards(tx, from)).map((id) => ({ type: 'cards', id }))
    return claimsOf(tx, [...cards, ...[...from, into].map((id) => ({ type, id }))], [])
  },
  work: async (tx, merging, writer) => {
    const { from, into } = merging
    const gone = new Set(from)
    const change: CardPlan['change'] = (now) =>
      now
        ? { ...now, attributeIds: [...new Set(now.attributeIds.map((id) => (gone.has(id) ? into : id)))] }
        : notFound()
    const plans = (await findCards(tx, from)).map((id) => ({ id, change }))
    await writeManyCards(tx, plans, writer)
    await moveValues(tx, from, into, writer)
    await closeEntities(tx, merging, writer)
    return []
  },
}

const findCards = (tx: Transaction, ids: string[]) =>
  idsOf(tx.sql<{ id: string }[]>`
    select distinct c.id from card_attributes m join cards c on c.id = m.card_id
    where m.attribute_id = any(${arrayOf(ids)}::text::uuid[]) and c.deleted_at is null`)
