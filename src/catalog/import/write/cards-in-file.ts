import type { Queryable } from '../../../../db/client.ts'
import { createIdMap, createIdSet } from '../read/identity.ts'

/** The cards that rows of one file created or matched. */
export type SeenInFile = { file: number; ids: string[] }

/**
 * The cards that an import's rows matched, in 20 bytes each, and how many of them are live in each set. A set's other cards are
 * missing from the import. A row claims its card for its own file, so that a later file's row may be the same card. `isStored` saves
 * them in the database, so that another process can take over the import.
 */
export const beginSeen = (importId: string, isStored: boolean) => {
  const cards = createIdMap()
  const merged = createIdSet()
  let hasMerged = false
  const live = new Map<string, number>()
  const isMerged = (id: string) => hasMerged && merged.has(id)
  return {
    /** Whether an earlier row of the file has the card. */
    has: (id: string, file: number) => cards.get(id) === file,
    /** Claims a card for a row of a file: `again` if an earlier row of it has the card, `first` if no row of any file has. */
    claim: (id: string, file: number): 'again' | 'first' | 'later' => {
      const before = cards.put(id, file)
      return before === file ? 'again' : before === 0 && !isMerged(id) ? 'first' : 'later'
    },
    /** Adds a card that a row matched by the id of one merged into it. */
    addMerged: (id: string) => {
      hasMerged = true
      merged.add(id)
    },
    /** Whether the import has the card, by its own id or by that of a merged one. */
    isMet: (id: string) => cards.get(id) !== 0 || isMerged(id),
    /** Counts a live card of a set. */
    countLive: (setId: string) => void live.set(setId, (live.get(setId) ?? 0) + 1),
    liveIn: (setId: string) => live.get(setId) ?? 0,
    /** Saves cards that existed before the import, in their chunk's transaction. Cards it creates are saved elsewhere (`noteMade`). */
    keep: async ({ sql }: Pick<Queryable, 'sql'>, some: SeenInFile[]) => {
      if (!isStored || some.length === 0) return
      const rows = some.map((each) => ({ ...each, id: Bun.randomUUIDv7() }))
      await sql`
        insert into import_seen (id, import_id, file, ids)
        select n.id, ${importId}, n.file, n.ids
        from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as n (id uuid, file int, ids uuid[])`
    },
    /** Reads what an earlier run saved. */
    load: async ({ sql }: Pick<Queryable, 'sql'>) => {
      const rows = await sql<SeenInFile[]>`
        select file, ids from (
          select id, coalesce(file, 1) as file, ids from import_seen where import_id = ${importId}
          union all
          select id, coalesce(file, 1), ids from import_made where import_id = ${importId} and object_type = 'cards'
        ) seen order by id`
      for (const { file, ids } of rows) for (const id of ids) cards.put(id, file)
    },
  }
}
export type Seen = ReturnType<typeof beginSeen>
