import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable } from '../../../../db/client.ts'
import { createIdSet } from '../read/identity.ts'

/**
 * The cards that an import's rows matched, in 16 bytes each, and how many of them are live in each set. A set's other cards are
 * missing from the file. `isStored` saves them in the database, so that another process can take over the import.
 */
export const beginSeen = (importId: string, isStored: boolean) => {
  const cards = createIdSet()
  const merged = new Set<string>()
  const live = new Map<string, number>()
  return {
    has: cards.has,
    /** Whether this is the first row with the card. */
    add: cards.add,
    /** Adds a card that a row matched by the id of one merged into it. */
    addMerged: (id: string) => void merged.add(id),
    /** Whether the file has the card, by its own id or by that of a merged one. */
    isMet: (id: string) => cards.has(id) || merged.has(id),
    /** Counts a live card of a set. */
    countLive: (setId: string) => void live.set(setId, (live.get(setId) ?? 0) + 1),
    liveIn: (setId: string) => live.get(setId) ?? 0,
    /** Saves cards that existed before the import, in their chunk's transaction. Cards it creates are saved elsewhere (`noteMade`). */
    keep: async ({ sql }: Pick<Queryable, 'sql'>, ids: string[]) => {
      if (!isStored || ids.length === 0) return
      await sql`
        insert into import_seen (id, import_id, ids)
        values (${Bun.randomUUIDv7()}, ${importId}, ${arrayOf(ids)}::text::uuid[])`
    },
    /** Reads what an earlier run saved. */
    load: async ({ sql }: Pick<Queryable, 'sql'>) => {
      const rows = await sql<{ ids: string[] }[]>`
        select ids from import_seen where import_id = ${importId}
        union all select ids from import_made where import_id = ${importId} and object_type = 'cards'`
      for (const { ids } of rows) for (const id of ids) cards.add(id)
    },
  }
}
export type Seen = ReturnType<typeof beginSeen>
