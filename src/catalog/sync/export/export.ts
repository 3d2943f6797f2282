import type { Queryable } from '../../../../db/client.ts'
import { exportCards } from './cards.ts'
import { attachments, exportRecords, type Line, vocabulary } from './records.ts'
import { exportSets } from './sets.ts'

export type { Line }

/**
 * The catalog in pages of lines, in an order in which it can be imported, from beginning to end in flat memory (but for
 * an id a set). Each page is one read: what is written meanwhile may be in it or not. Images and accounts are not part of it.
 */
export async function* exportCatalog(db: Queryable): AsyncGenerator<Line[]> {
  for (const source of vocabulary) yield* exportRecords(db, source)
  yield* exportSets(db)
  yield* exportCards(db)
  for (const source of attachments) yield* exportRecords(db, source)
}
