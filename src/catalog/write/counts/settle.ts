import type { Transaction } from '../../../../db/client.ts'
import { lateOf } from '../locks/order.ts'
import { writeBlocks } from '../locks/sets-locked.ts'
import { type Tally, writeTallies } from './tallies.ts'
import { writeTodoCounts } from './todo-counts.ts'
import { writeWords } from './words.ts'

const addsAny = ({ live, published, liveRoots, publishedRoots }: Tally) =>
  live !== 0 || published !== 0 || liveRoots !== 0 || publishedRoots !== 0

/**
 * Ends a transaction of the door: writes the counts that nobody asks for before the commit, each kind once and in one order.
 * Every writer shares these rows with very many others, and so holds them for a moment only.
 */
export const settle = async (tx: Transaction) => {
  const late = lateOf(tx)
  if (!late) return
  await writeTallies(tx, [...late.tallies.values()].filter(addsAny))
  await writeBlocks(tx, late.blocks)
  await writeWords(tx, late.words)
  await writeTodoCounts(tx, late.todos)
}
