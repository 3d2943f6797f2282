import type { Transaction } from '../../../../db/client.ts'
import { writeCards } from '../../write/card/write.ts'
import type { CardPlan, Writer } from '../../write/record.ts'
import { refuseFailed } from './entities.ts'

const cardsAtOnce = 2000

/** Writes any number of cards in one transaction that already holds all their locks. */
export const writeManyCards = async (tx: Transaction, plans: CardPlan[], writer: Writer) => {
  for (let at = 0; at < plans.length; at += cardsAtOnce)
    refuseFailed(await writeCards(tx, plans.slice(at, at + cardsAtOnce), writer))
}
