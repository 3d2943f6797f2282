import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable } from '../../../../db/client.ts'
import { createIdSet } from '../read/identity.ts'

/**
 * The cards that the rows of an import are, 16 bytes each, and how many live ones each set has of them: what else a set has
 * is missing in the file. `isStored` keeps them in the database, for a process that takes the import over.
 */
export const beginSeen = (importId: string, isStored: boolean) => {
  const cards = createIdSet()
  const merged = new Set<string>()
  const live = new Map<string, number>()
  return {
    has: cards.has,
    /** Whether this is the first row with the card. */
    add: cards.add,
    /** A card that rows are by the ids of others that were merged into it. */
    addMerged: (id: string) => void merged.add(id),
    /** Whether the file has the card, by its own id or by that of a merged one. */
    isMet: (id: string) => cards.has(id) || merged.has(id),
    /** Counts the live cards of sets. */
    countLive: (setId: string) => void live.set(setId, (live.get(setId) ?? 0) + 1),
    liveIn: (setId: string) => live.get(setId) ?? 0,
    /** Keeps cards that were there before the import, in the transaction of their chunk; what it makes is kept as such. */
    keep: async ({ sql }: Pick<Queryable, 'sql'>, ids: string[]) => {
      if (!isStored || ids.length === 0) return
      await sql`
        insert into import_seen (id, import_id, ids)
        values (${Bun.randomUUIDv7()}, ${importId}, ${arrayOf(ids)}::text::uuid[])`
    },
    /** Reads what an earlier run kept. */
    load: async ({ sql }: Pick<Queryable, 'sql'>) => {
      const rows = await sql<{ ids: string[] }[]>`
        select ids from import_seen where import_id = ${importId}
        union all select ids from import_made where import_id = ${importId} and object_type = 'cards'`
      for (const { ids } of rows) for (const id of ids) cards.add(id)
    },
  }
}
export type Seen = ReturnType<typeof beginSeen>
