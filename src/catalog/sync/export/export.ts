import type { Queryable } from '../../../../db/client.ts'
import { exportCards } from './cards.ts'
import { exportMerges } from './merges.ts'
import { attachedRecords, exportRecords, type Line, vocabulary } from './records.ts'
import { exportSets } from './sets.ts'

/**
 * The catalog in pages of lines, in an order that can be imported. Memory stays flat, except for an id per set. Each page is a read of its
 * own, so changes made during the export may or may not be in it. Images and accounts aren't exported.
 */
export async function* exportCatalog(db: Queryable): AsyncGenerator<Line[]> {
  for (const type of vocabulary) yield* exportRecords(db, type)
  yield* exportSets(db)
  yield* exportCards(db)
  for (const type of attachedRecords) yield* exportRecords(db, type)
  yield* exportMerges(db)
}
