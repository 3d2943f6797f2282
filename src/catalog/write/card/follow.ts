import type { Transaction } from '../../../../db/client.ts'
import { comingBack, followCard, following, leadsOfCards } from '../history/merged.ts'
import { lockSets } from '../locks/sets.ts'
import type { CardPlan, CardRecord, CardState, LockedSet } from '../record.ts'

/** Plans that bring deleted cards back with references to merged records replaced. Locks the sets that they come back to. */
export const followMerged = async (
  tx: Transaction,
  plans: CardPlan[],
  sets: Map<string, LockedSet>,
  stored: Map<string, CardRecord>,
): Promise<CardPlan[]> => {
  const deleted = [...stored.values()].filter(({ deleted }) => deleted)
  const leads = await leadsOfCards(tx, deleted)
  if (leads.size === 0) return plans
  const others = [...stored.values()].flatMap((card) => leads.get(card.set_id) ?? []).filter((id) => !sets.has(id))
  for (const [id, set] of await lockSets(tx, [...new Set(others)])) sets.set(id, set)
  const follow = comingBack((card: CardState) => followCard(card, leads))
  return plans.map((plan) => following(plan, follow))
}
