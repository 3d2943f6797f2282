import { type Database, openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { blankCard } from '../../src/catalog/write/card/read.ts'
import { writeCards } from '../../src/catalog/write/card/write.ts'
import type { CardPlan } from '../../src/catalog/write/record.ts'
import { enter } from '../../src/catalog/write/write-transaction.ts'
import { type Step, steps } from '../../src/lib/workflow-steps.ts'
import { initializeSets } from '../../src/operations/workflow/initialize.ts'
import { settleCounts } from './generate.ts'
import { type Load, load } from './load.ts'
import { start } from './reads.ts'

export type ActionableRun = { alone: Load; busy: Load; cardsPerSecond: number; workflowsPerSecond: number }

/**
 * Asks for actionable sets and their counts, by every filter in turn, over four connections: with nothing else to do, and
 * while cards are written into the same sets, a thousand in a transaction.
 */
export const askActionable = async (
  databaseUrl: string,
  workflows: number,
  seconds: number,
): Promise<ActionableRun> => {
  const db = await openDatabase({ databaseUrl, dataDir: '' })
  await migrate(db)
  const workflowsPerSecond = await fill(db, workflows)
  const service = await start('service.ts', 43204, databaseUrl, 'operator')
  const headers = { Authorization: `Bearer ${service.token}` }
  const urls = questions().map((question) => `${service.url}/internal/${question}`)
  await load(urls, headers, 2, 4)
  const alone = await load(urls, headers, seconds, 4)
  const batch = writeBatches(db)
  await load(urls, headers, 2, 4)
  const busy = await load(urls, headers, seconds, 4)
  const cardsPerSecond = await batch.stop()
  service.stop()
  await db.close()
  return { alone, busy, cardsPerSecond, workflowsPerSecond }
}

const questions = () => {
  const narrowings = [
    '',
    '&priority=current',
    '&priority=backlog',
    `&genre_id=${labelId(1, 3)}`,
    '&year=1999',
    '&status=review&limit=100',
  ]
  const asked = narrowings.flatMap((narrowing) => steps.map((step: Step) => `step=${step}${narrowing}`))
  return asked.flatMap((question) => [`actionable-sets?${question}`, `actionable-sets/count?${question}`])
}

const labelId = (kind: number, n: number) => `0000000${kind}-0000-7000-8000-${String(n).padStart(12, '0')}`

/** Sets of 20 genres and 100 years, the last of them this one; each has a workflow, worked off to some place. */
const fill = async (db: Database, workflows: number) => {
  const { sql } = db
  await sql.unsafe(`
    insert into genres (id, name, created_at, updated_at)
    select ('00000001-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Genre ' || n, now(), now() from generate_series(1, 20) n`)
  await sql.unsafe(`
    insert into years (id, name, created_at, updated_at)
    select ('00000002-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, (extract(year from now()) - 100 + n)::int::text, now(), now()
    from generate_series(1, 100) n`)
  await sql.unsafe(
    `insert into sets (id, no, name, status, audience, genre_id, year_id, year_key, created_at, updated_at)
     select gen_random_uuid(), n, 'Set ' || md5(n::text), case when n % 3 = 0 then 'published' else 'draft' end,
       case when n % 3 = 0 then 2 else 1 end, g.id, y.id, y.name_key, now(), now()
     from generate_series(1, $1::int) n
     join genres g on g.name = 'Genre ' || n / 100 % 20 + 1
     join years y on y.name = (extract(year from now()) - n % 100)::int::text`,
    [workflows],
  )
  await settleCounts(sql)
  await sql`vacuum analyze`
  const rows = await sql<{ id: string }[]>`select id from sets order by no`
  const ids = rows.map(({ id }) => id)
  const began = performance.now()
  for (let at = 0; at < ids.length; at += 250)
    await db.transaction((tx) => initializeSets(tx, ids.slice(at, at + 250), { agent: null, now: new Date() }))
  const perSecond = (workflows / (performance.now() - began)) * 1000
  await workOff(db)
  return perSecond
}

/** Each set gets as far as chance lets it; what is kept beside it is taken from the recomputed truth. */
const workOff = async ({ sql }: Database) => {
  await sql`
    update set_todos t set
      status = case when sort_order < far then 'completed' when sort_order > far then status
        else (array['pending', 'in_progress', 'review'])[1 + s.no % 3] end,
      completed_at = case when sort_order < far then now() end
    from (select id, no, no * 7 % 9 as far from sets) s where s.id = t.set_id`
  await sql`update set_todos t set actionable = m.actionable from true_todos m where m.id = t.id and t.actionable <> m.actionable`
  await sql`delete from todo_counts`
  await sql`
    insert into todo_counts (step, status, year_id, genre_id, todos)
    select step, status, year_id, genre_id, count(*) from true_todos where live and actionable group by 1, 2, 3, 4`
  await sql`vacuum analyze`
}

/** Writes cards into the sets, batch after batch, until it is told to stop; answers how many a second. */
const writeBatches = (db: Database) => {
  let [written, isOver] = [0, false]
  const began = performance.now()
  const writing = (async () => {
    const sets = await db.sql<{ id: string }[]>`select id from sets order by id`
    for (let first = 0; !isOver; first += 20) {
      const chosen = Array.from({ length: 20 }, (_, n) => sets[(first + n) % sets.length]?.id as string)
      const plans = chosen.flatMap((setId) => Array.from({ length: 50 }, (_, n) => aCard(setId, String(n + 1))))
      await enter(db, (tx) => writeCards(tx, plans, { level: 1, now: new Date() }))
      written += plans.length
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await writing
      return (written / (performance.now() - began)) * 1000
    },
  }
}

const aCard = (setId: string, number: string): CardPlan => ({
  id: crypto.randomUUID(),
  setId,
  change: () => ({ ...blankCard, set_id: setId, number, title: 'Of a batch' }),
})
