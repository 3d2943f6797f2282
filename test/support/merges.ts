import type { Database } from '../../db/client.ts'
import type { Shown } from './answer.ts'
import type { TestApp } from './app.ts'

/** Merges and undoes as an operator. */
export const merging = ({ operator, db }: Pick<TestApp, 'operator' | 'db'>) => {
  const send = (body: object) =>
    operator.send('POST', '/internal/merges', {
      ...{ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
    })
  return {
    send,
    /** Merges records of one type into another one. Returns the merge. */
    merge: async (from: Shown[], into: Shown, note?: string) => {
      const body = { object_type: into.type, from_ids: from.map(({ id }) => id), into_id: into.id, note }
      const answer = await send(body)
      if (answer.status !== 201) throw new Error(`the merge answered ${answer.status} ${answer.text}`)
      return answer.one
    },
    everything: () => everythingIn(db),
    undo: ({ id }: Shown) => operator.delete(`/internal/merges/${id}`),
  }
}

/** Everything stored in the catalog, as text, except times, versions and history. */
export const everythingIn = async (db: Pick<Database, 'sql'>) => {
  const rows = await Promise.all(
    tables.map(async (table) => [
      table,
      await db.sql.unsafe(
        `select to_jsonb(t) - 'version' - 'updated_at' - 'deleted_at' as row from ${table} t
         ${counted[table] ?? ''} order by 1`,
      ),
    ]),
  )
  return JSON.stringify(rows, null, 1)
}

/** A count of zero is the same as none. */
const counted: Record<string, string> = {
  ...{ tallies: 'where live <> 0 or published <> 0', todo_counts: 'where todos <> 0' },
  card_blocks: 'where live <> 0',
}

const tables = [
  ...['cards', 'oncard', 'card_attributes', 'card_images', 'sets', 'set_sources', 'players', 'teams', 'player_teams'],
  ...['brands', 'manufacturers', 'genres', 'years', 'attributes', 'object_attributes', 'identifiers', 'redirects'],
  ...['tallies', 'card_blocks', 'curated_fields', 'workflows', 'set_todos', 'todo_counts'],
]
