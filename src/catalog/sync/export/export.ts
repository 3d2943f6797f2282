import type { Queryable } from '../../../../db/client.ts'
import { exportCards } from './cards.ts'
import { exportMerges } from './merges.ts'
import { attachedRecords, exportRecords, type Line, vocabulary } from './records.ts'
import { exportSets } from './sets.ts'

/**
 * The catalog in pages of lines, in an order in which it can be imported, in flat memory but for an id for each set. Each page
 * is one read: what is written meanwhile may be in it or not. Images and accounts are not part of it.
 */
export async function* exportCatalog(db: Queryable): AsyncGenerator<Line[]> {
  for (const type of vocabulary) yield* exportRecords(db, type)
  yield* exportSets(db)
  yield* exportCards(db)
  for (const type of attachedRecords) yield* exportRecords(db, type)
  yield* exportMerges(db)
}
