import type { Transaction } from '../../../../db/client.ts'
import { turn } from '../../../lib/turn.ts'
import type { LockedSet } from '../locks/sets-locked.ts'
import { lostRace } from '../race.ts'
import { type Bearer, readBearers } from './bearers.ts'
import type { CardChange, Times } from './cards.ts'
import { countCards } from './counts.ts'
import { cardRows, writeCardRows } from './rows.ts'

/**
 * Counts first, which locks what the cards bear; then reads the bearers' names again, which nobody can change now. The
 * rows are made while the database counts, and once more where a name was changed until then.
 */
export const commitCards = async (
  tx: Transaction,
  changes: CardChange[],
  sets: Map<string, LockedSet>,
  expected: Map<string, Bearer>,
  now: Date,
  times?: Map<string, Times>,
) => {
  const [finish, soon] = await Promise.all([
    countCards(tx, changes, sets, expected),
    turn().then(() => cardRows(changes, sets, expected)),
  ])
  const { bearers, isRenamed } = await bearersAgain(tx, changes, expected)
  await writeCardRows(tx, isRenamed ? cardRows(changes, sets, bearers) : soon, now, times)
  await finish(now)
}

/** The bearers once they are locked, and whether one has another name than it had; one that went makes it lose a race. */
export const bearersAgain = async (tx: Transaction, changes: CardChange[], expected: Map<string, Bearer>) => {
  const bearers = await bearersOf(tx, changes)
  for (const [id, bearer] of expected) {
    const still = bearers.get(id)
    if (
      !still ||
      (still.audience === 0 && bearer.audience > 0) ||
      still.playerId !== bearer.playerId ||
      still.teamId !== bearer.teamId
    )
      throw lostRace('what a card bears was changed')
  }
  return { bearers, isRenamed: [...expected].some(([id, bearer]) => bearers.get(id)?.name !== bearer.name) }
}

/** The bearers that cards shall bear; deleted ones have the audience 0. */
export const bearersOf = (tx: Pick<Transaction, 'sql'>, changes: CardChange[]): Promise<Map<string, Bearer>> =>
  readBearers(
    tx,
    changes.flatMap((change) => change.after.entries),
    changes.flatMap((change) => change.after.attributeIds),
  )
