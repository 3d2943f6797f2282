import type { Transaction } from '../../../../db/client.ts'
import { writeEdits } from '../history/audit.ts'
import { type BlockChange, pendingOf, type Tally, type TodosAdded } from '../locks/order.ts'
import { writeTallies } from '../locks/tallies.ts'
import { noteRecounted } from './changes.ts'
import { writeTitleWords } from './title-words.ts'

/**
 * Finishes a transaction that writes the catalog: writes the counts that nobody reads before the commit, each kind once and in
 * a fixed order. Every writer shares these rows with very many others, so they are held only for a moment.
 */
export const settle = async (tx: Transaction) => {
  const pending = pendingOf(tx)
  if (!pending) return
  await writeTallies(tx, [...pending.tallies.values()].filter(addsAny))
  await writeBlocks(tx, pending.blocks)
  await noteRecounted(tx, pending.recounted)
  await writeTitleWords(tx, pending.titleWords)
  await writeTodoCounts(tx, pending.todos)
  await writeEdits(tx)
}

const addsAny = ({ live, published, liveRoots, publishedRoots }: Tally) =>
  live !== 0 || published !== 0 || liveRoots !== 0 || publishedRoots !== 0

/** Adds cards to the blocks of 64 and of 4,096 sets that their sets are in. */
export const countBlocks = (tx: Transaction, added: BlockChange[]) => void pendingOf(tx)?.blocks.push(...added)

/** The year or genre of a set without one. */
export const noPlace = '00000000-0000-0000-0000-000000000000'

/** Adds to the counts of actionable todos. In a transaction that doesn't write the catalog, at once. */
export const countTodos = async (tx: Transaction, added: TodosAdded[]) => {
  const pending = pendingOf(tx)
  if (pending) pending.todos.push(...added)
  else await writeTodoCounts(tx, added)
}

const writeBlocks = async (tx: Transaction, added: BlockChange[]) => {
  const merged = new Map<string, { level: number; block: number; live: number; published: number }>()
  for (const part of added)
    for (const [level, shift] of [
      [1, 6],
      [2, 12],
    ] as const) {
      const key = `${level}:${part.no >> shift}`
      const row = merged.get(key) ?? { level, block: part.no >> shift, live: 0, published: 0 }
      row.live += part.live
      row.published += part.published
      merged.set(key, row)
    }
  const rows = [...merged.values()].filter(({ live, published }) => live !== 0 || published !== 0)
  if (rows.length === 0) return
  await tx.sql`
    insert into card_blocks as b (level, block, live, published)
    select level, block, live, published
    from unnest(
      ${rows.map((row) => row.level)}::smallint[], ${rows.map((row) => row.block)}::int[],
      ${rows.map((row) => row.live)}::int[], ${rows.map((row) => row.published)}::int[]
    ) as d (level, block, live, published)
    order by level, block
    on conflict (level, block) do update set live = b.live + excluded.live, published = b.published + excluded.published`
}

/** These are the last locks that a transaction takes, in the same order for all writers. */
const writeTodoCounts = async (tx: Transaction, added: TodosAdded[]) => {
  const merged = new Map<string, TodosAdded>()
  for (const one of added) {
    const key = [one.step, one.status, one.yearId, one.genreId].join(' ')
    merged.set(key, { ...one, todos: one.todos + (merged.get(key)?.todos ?? 0) })
  }
  const rows = [...merged.values()].filter(({ todos }) => todos !== 0)
  if (rows.length === 0) return
  await tx.sql`
    insert into todo_counts as c (step, status, year_id, genre_id, todos)
    select step, status, year_id, genre_id, todos
    from unnest(
      ${rows.map((row) => row.step)}::text[], ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.yearId)}::uuid[], ${rows.map((row) => row.genreId)}::uuid[],
      ${rows.map((row) => row.todos)}::int[]
    ) as d (step, status, year_id, genre_id, todos)
    order by step collate "C", status collate "C", year_id, genre_id
    on conflict (step, status, year_id, genre_id) do update set todos = c.todos + excluded.todos`
}
