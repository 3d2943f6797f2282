import type { Transaction } from '../../../../db/client.ts'
import { lists } from '../../model/counts.ts'
import { applyTallies, count, type Tallies } from '../counts/tallies.ts'
import type { EntityType } from '../entity/tables.ts'

/** The types whose names (codes) only one live record may have, in any case. */
const unique: ReadonlySet<EntityType> = new Set(['attributes', 'brands', 'genres', 'manufacturers', 'years'])

/** So many locks are all the names of a type: names that share one wait for each other for nothing, and that is rare. */
const locksOfType = 256

/**
 * Adds the locks of names that come to a type. Two writers of one name would meet in its index, after all other locks; here
 * they meet in the order of the house.
 */
export const countNames = (tallies: Tallies, type: EntityType, names: (string | null | undefined)[]) => {
  if (!unique.has(type)) return
  for (const name of names) if (name) count(tallies, 'names', type, idOf(type, name))
}

/** Locks names that come to a type; tallies of owners come before them. */
export const lockNames = async (tx: Transaction, type: EntityType, names: (string | null | undefined)[]) => {
  const tallies: Tallies = new Map()
  countNames(tallies, type, names)
  await applyTallies(tx, tallies)
}

/** What the database's lower case might write otherwise than ours does not count. */
const idOf = (type: EntityType, name: string) => {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const part = Bun.hash.crc32(letters) % locksOfType
  return `00000000-0000-0000-${String(lists[type]).padStart(4, '0')}-${String(part).padStart(12, '0')}`
}
