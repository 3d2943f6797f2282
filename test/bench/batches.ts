import { type Database, openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openLog } from '../../src/lib/log.ts'
import { enqueueBatch, writeCardBatch } from '../../src/operations/batches/job.ts'
import { workOff } from '../support/work-off.ts'
import { median } from './figures.ts'
import { copyTable, countCopied } from './imports.ts'

const cards = 10_000
const [sets, players] = [20, 1000]

type Ids = { sets: string[]; players: string[]; mark: string }

/**
 * A batch of 10,000 new cards, 500 in a set, each with a player and every tenth with a mark, as a job; then the same rows with
 * COPY into another database, whose tables have the same indexes and are counted by the views of the recomputed truth.
 * Several rounds, each into the catalog that the one before left; the medians.
 */
export const compareBatch = async (batchedUrl: string, copiedUrl: string, rounds: number) => {
  const urls: [string, string] = [batchedUrl, copiedUrl]
  const [batched, copied] = await Promise.all(urls.map((databaseUrl) => openDatabase({ databaseUrl, dataDir: '' })))
  if (!batched || !copied) throw new Error('No databases to compare.')
  await migrate(batched)
  await migrate(copied)
  const ids = await makeBearers(batched)
  for (const table of ['attributes', 'players', 'sets']) await copyTable(batched, urls, table)
  const times: { batch: number; copy: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const batch = await timed(() => writeBatchOnce(batched, ids))
    await copied.sql`truncate cards, oncard, card_attributes cascade`
    const copy = await timed(async () => {
      for (const table of ['cards', 'oncard', 'card_attributes']) await copyTable(batched, urls, table)
      await countCopied(copied)
    })
    times.push({ batch, copy: copy / (round + 1) })
  }
  await Promise.all([batched.close(), copied.close()])
  return {
    ratio: median(times.map(({ batch, copy }) => copy / batch)),
    batchSeconds: median(times.map(({ batch }) => batch)),
    copySeconds: median(times.map(({ copy }) => copy)),
  }
}

const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** Sets, players and a mark, by plain SQL. */
const makeBearers = async ({ sql }: Database): Promise<Ids> => {
  const many = (count: number) => Array.from({ length: count }, () => Bun.randomUUIDv7())
  const ids = { sets: many(sets), players: many(players), mark: Bun.randomUUIDv7() }
  await sql`
    insert into sets (id, no, name, audience, created_at, updated_at)
    select id, place, 'Set ' || place, 1, now(), now() from unnest(${ids.sets}::uuid[]) with ordinality as s (id, place)`
  await sql`
    insert into players (id, first_name, last_name, name, created_at, updated_at)
    select id, 'Pat', 'Player ' || place, 'Pat Player ' || place, now(), now()
    from unnest(${ids.players}::uuid[]) with ordinality as p (id, place)`
  await sql`
    insert into attributes (id, attribute, name, audience, created_at, updated_at)
    values (${ids.mark}, 'RC', 'Rookie card', 2, now(), now())`
  return ids
}

/** The rows of a batch: 10,000 new cards, 500 in a set, each with a player and every tenth with a mark. */
export const batchRows = (ids: Ids) => {
  const one = (type: string, id: string | undefined) => ({ type, id: id ?? '' })
  return Array.from({ length: cards }, (_, n) => ({
    ...one('cards', Bun.randomUUIDv7()),
    attributes: { number: String(n % 500) },
    relationships: {
      set: { data: one('sets', ids.sets[Math.floor(n / 500)]) },
      oncard: { data: [one('players', ids.players[(n * 7) % players])] },
      attributes: { data: n % 10 ? [] : [one('attributes', ids.mark)] },
    },
  }))
}

const writeBatchOnce = async (db: Database, ids: Ids) => {
  const clock = systemClock()
  const rows = batchRows(ids)
  await db.transaction((tx) => enqueueBatch(tx, rows, { propagate: false, agent: null, now: clock.now() }))
  const [outcome] = await workOff({ db, clock, log: openLog('warn') } as never, [writeCardBatch])
  const [left] = await db.sql`select 1 from jobs where status <> 'completed'`
  if (left) throw new Error(`The batch was not written: ${JSON.stringify(outcome)}`)
}
