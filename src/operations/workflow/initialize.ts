import { arrayOf } from '../../../db/arrays.ts'
import type { Transaction } from '../../../db/client.ts'
import { type Act, writeAudit } from '../../audit/write.ts'
import { countTodos, noPlace } from '../../catalog/write/counts/settle.ts'
import { pipeline, steps } from '../../lib/workflow-steps.ts'

/** The result of starting workflows: ids of sets that got one, already had one, or don't exist. */
type Initialized = { initialized: string[]; skipped: string[]; missing: string[] }

/**
 * Starts the workflow of sets that have none, with all eight todos pending. Sets whose workflow someone else starts at the same time
 * are skipped. It takes four statements, however many sets there are.
 */
export const initializeSets = async (tx: Transaction, setIds: readonly string[], act: Act): Promise<Initialized> => {
  const found = await makeWorkflows(tx, setIds, act.now)
  const made = found.filter(({ isMade }) => isMade)
  if (made.length > 0) await makeTodos(tx, made, act.now)
  await countTodos(
    tx,
    made.flatMap(({ yearId, genreId }) =>
      actionableAtOnce.map((step) => ({ step, status: 'pending', yearId, genreId, todos: 1 })),
    ),
  )
  await writeAudit(tx, act, made.map(entryOf))
  const existing = new Set(found.map(({ setId }) => setId))
  return {
    initialized: made.map(({ setId }) => setId),
    skipped: found.filter(({ isMade }) => !isMade).map(({ setId }) => setId),
    missing: setIds.filter((id) => !existing.has(id)),
  }
}

const entryOf = ({ setId }: Place) => ({
  eventType: 'set_todos.initialized',
  auditableType: 'set',
  auditableId: setId,
  data: { steps },
})

const actionableAtOnce = steps.filter((step) => pipeline.indexOf(step) <= 0)

type Place = { setId: string; yearId: string; genreId: string; isMade: boolean }

/** Creates the missing workflows of sets. Locks the sets in the order that all writers use, so that year and genre can't change. */
const makeWorkflows = (tx: Transaction, setIds: readonly string[], now: Date) => tx.sql<Place[]>`
  with places as (
    select id, no, audience, year_id, genre_id from sets
    where id = any(${arrayOf(setIds)}::text::uuid[]) and audience >= 1 order by no for share
  ), made as (
    insert into workflows (set_id, id, audience, year_id, genre_id, created_at, updated_at)
    select p.id, g.id, p.audience, p.year_id, p.genre_id, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    from places p join unnest(
      ${arrayOf(setIds)}::text::uuid[], ${arrayOf(setIds.map(() => Bun.randomUUIDv7()))}::text::uuid[]
    ) as g (set_id, id) on g.set_id = p.id
    order by p.no
    on conflict (set_id) do nothing
    returning set_id
  )
  select p.id as "setId", coalesce(p.year_id, ${noPlace}::uuid) as "yearId", coalesce(p.genre_id, ${noPlace}::uuid) as "genreId",
    m.set_id is not null as "isMade"
  from places p left join made m on m.set_id = p.id`

const makeTodos = async (tx: Transaction, places: Place[], now: Date) => {
  const rows = places.flatMap((place) => steps.map((step, at) => ({ ...place, step, sortOrder: at + 1 })))
  await tx.sql`
    insert into set_todos (id, set_id, step, status, sort_order, actionable, live, year_id, genre_id, created_at, updated_at)
    select id, set_id, step, 'pending', sort_order, step = any(${actionableAtOnce}::text[]), true, year_id, genre_id,
      ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    from unnest(
      ${arrayOf(rows.map(() => Bun.randomUUIDv7()))}::text::uuid[], ${arrayOf(rows.map(({ setId }) => setId))}::text::uuid[],
      ${arrayOf(rows.map(({ step }) => step))}::text::text[], ${arrayOf(rows.map(({ sortOrder }) => sortOrder))}::text::int[],
      ${arrayOf(rows.map(({ yearId }) => yearId))}::text::uuid[],
      ${arrayOf(rows.map(({ genreId }) => genreId))}::text::uuid[]
    ) as r (id, set_id, step, sort_order, year_id, genre_id)`
}
