import type { Database } from '../../db/client.ts'
import { withoutIndexes } from './indexes.ts'
import { openRig } from './rig.ts'
import { peopleNames } from './search.ts'

/** How long a page of the players who may be one can take, in seconds, among so many players. */
export const duplicatesBound = 3
export const duplicatesPlayers = 1_000_000

type DuplicatesRow = { name: string; seconds: number; total: number }

/** Asks an operator's route for duplicates among people of usual names: when the service has just begun, then again. */
export const timeDuplicates = async (databaseUrl: string, rounds: number): Promise<DuplicatesRow[]> => {
  const rig = await openRig(databaseUrl, 'operator')
  await makePeople(rig.db)
  const ask = async () => {
    const started = performance.now()
    const response = await rig.fetch('/internal/duplicates?filter[object_type]=players')
    const { meta } = (await response.json()) as { meta: { total: number } }
    return { seconds: (performance.now() - started) / 1000, total: meta.total }
  }
  const first = { name: 'first call', ...(await ask()) }
  const next: DuplicatesRow[] = []
  for (let round = 0; round < rounds; round++) next.push({ name: 'slowest of the next', ...(await ask()) })
  await rig.close()
  return [first, ...next.toSorted((a, b) => b.seconds - a.seconds).slice(0, 1)]
}

const makePeople = async (db: Database) => {
  const { first, last } = peopleNames()
  await db.transaction(({ sql }) =>
    withoutIndexes(sql, ['players'], async () => {
      await sql`
        insert into players (id, first_name, last_name, name, audience, created_at, updated_at)
        select gen_random_uuid(), n.first, n.last, n.first || ' ' || n.last, 2, now(), now() from (
          select (${first}::text[])[1 + floor(400 * power(random(), 3))::int] as first,
            (${last}::text[])[1 + floor(6000 * power(random(), 2))::int] as last
          from generate_series(1, ${duplicatesPlayers}::int)
        ) n`
    }),
  )
  await db.sql`vacuum analyze players`
}
