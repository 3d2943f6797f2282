import type { Database, Transaction } from '../../../../db/client.ts'
import { turn } from '../../../lib/turn.ts'
import { type LockedSet, lockSets, readSets } from '../locks/sets-locked.ts'
import { lostRace } from '../race.ts'
import { keepFromErasing } from '../set/erasing.ts'
import type { Bearer } from './bearers.ts'
import {
  type CardChange,
  type CardOutcome,
  type CardPlan,
  placesOf,
  type Writer,
  weighCards,
  written,
} from './cards.ts'
import { bearersAgain } from './commit.ts'
import { countCards } from './counts.ts'
import { cardRows, layOutNew, type NewRows, writeNewRows } from './rows.ts'

/** What writing cards that are all new comes to, worked out while nothing is locked. */
export type Foreseen = {
  changes: CardChange[]
  sets: Map<string, LockedSet>
  bearers: Map<string, Bearer>
  rows: NewRows
}

/**
 * Works out what plans come to where their cards are all new. Undefined where one is there already, is refused or has an
 * image: those are for `writeCards`.
 */
export const foreseeCards = async (
  db: Pick<Database, 'sql'>,
  plans: CardPlan[],
  writer: Writer,
): Promise<Foreseen | undefined> => {
  if (plans.length === 0 || (await placesOf(db, plans)).size > 0) return undefined
  const sets = await readSets(db, [...new Set(plans.flatMap((plan) => plan.setId ?? []))])
  const { changes, bearers } = await weighCards(db, plans, { sets, stored: new Map() }, writer)
  if (changes.length < plans.length || changes.some(({ after }) => after.imageUuid)) return undefined
  await turn()
  const rows = cardRows(changes, sets, bearers)
  await turn()
  return { changes, sets, bearers, rows: layOutNew(rows) }
}

/**
 * Writes the rows of what was foreseen, the long part of it: it locks nothing that others count or change, so that two
 * writers do it side by side. `settleForeseen` has to follow in the same transaction.
 */
export const insertForeseen = async (tx: Transaction, { rows }: Foreseen, now: Date) => {
  await keepFromErasing(tx)
  await writeNewRows(tx, rows, now)
}

/**
 * Locks and counts as `writeCards` does, only after the rows. A set or a bearer that was changed since the cards were
 * foreseen makes it lose a race: what was written for the past must not be committed.
 */
export const settleForeseen = async (
  tx: Transaction,
  { changes, sets, bearers }: Foreseen,
  now: Date,
): Promise<CardOutcome[]> => {
  const locked = await lockSets(tx, [...sets.keys()])
  for (const { id, no, audience } of sets.values()) {
    const set = locked.get(id)
    if (set?.no !== no || set.audience !== audience) throw lostRace('a set was changed')
  }
  const finish = await countCards(tx, changes, locked, bearers)
  const { isRenamed } = await bearersAgain(tx, changes, bearers)
  if (isRenamed) throw lostRace('what a card bears was renamed')
  await finish(now)
  return changes.map((change) => written(change, locked))
}
