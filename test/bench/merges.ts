import { type Database, openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { mergeRecords } from '../../src/catalog/curate/merge/merge.ts'
import { undoMerge } from '../../src/catalog/curate/merge/undo.ts'
import { countCopied } from './imports.ts'

/** How long merging two players of 20,000 cards in all may take, in seconds, and undoing it. */
export const mergeBound = 2

const [cards, sets, teams] = [20_000, 200, 20]

export type MergeRow = { name: string; seconds: number }

/**
 * Merges two players of 20,000 cards in all, and undoes it: two who are written alike, and two who are not, whose cards get other
 * names. Every second card names them with a team. The truth is compared at the end.
 */
export async function* timeMerges(databaseUrl: string | undefined, dataDir: string): AsyncGenerator<MergeRow> {
  const db = await openDatabase({ databaseUrl, dataDir })
  await migrate(db)
  await makeSets(db)
  for (const [name, first] of [['of one name', 'Robert'] as const, ['of two names', 'Bob'] as const]) {
    const [intoId, from] = [await makePlayer(db, 'Robert'), await makePlayer(db, first)]
    await countCopied(db)
    await db.sql.unsafe('analyze')
    const by = () => ({ agent: 'service', now: new Date() })
    const started = performance.now()
    const { id } = await mergeRecords(db, { objectType: 'players', fromIds: [from], intoId }, by())
    const merged = performance.now()
    await undoMerge(db, id, by())
    const undone = performance.now()
    yield { name: `merge of two players ${name}`, seconds: (merged - started) / 1000 }
    yield { name: 'its undo', seconds: (undone - merged) / 1000 }
  }
  const drift = await db.sql`select what, place from drift limit 5`
  if (drift.length > 0) throw new Error(`A merge left the catalog wrong: ${JSON.stringify(drift)}`)
  await db.close()
}

const makeSets = async ({ sql }: Database) => {
  await sql`
    insert into sets (id, no, name, status, audience, created_at, updated_at)
    select gen_random_uuid(), place, 'Set ' || place, 'published', 2, now(), now() from generate_series(1, ${sets}::int) place`
  await sql`
    insert into teams (id, name, audience, created_at, updated_at)
    select gen_random_uuid(), 'Team ' || place, 2, now(), now() from generate_series(1, ${teams}::int) place`
}

/** A player on half of the cards, by plain SQL: on every second one with a team. */
const makePlayer = async ({ sql }: Database, first: string): Promise<string> => {
  const [id, name] = [Bun.randomUUIDv7(), `${first} Allen`]
  await sql`
    insert into players (id, first_name, last_name, name, audience, created_at, updated_at)
    values (${id}, ${first}, 'Allen', ${name}, 2, now(), now())`
  await sql`
    insert into player_teams (id, player_id, team_id, name, audience, created_at, updated_at)
    select gen_random_uuid(), ${id}, id, ${name} || ' (' || name || ')', 2, now(), now() from teams`
  await sql`
    with pairs as (
      select id, team_id, row_number() over (order by team_id) as turn from player_teams where player_id = ${id}
    ), numbered as (
      select gen_random_uuid() as id, place, lpad(place::text, 12, '0') as key, s.id as set_id, s.no,
        p.id as pair, p.team_id as team
      from generate_series(1, ${cards / 2}::int) place
      join sets s on s.no = 1 + place % ${sets}::int
      left join pairs p on place % 2 = 0 and p.turn = 1 + place / 2 % ${teams}::int
    ), made as (
      insert into cards (id, set_id, set_no, number, number_key, name, has_player, has_team, oncard_ids, created_at, updated_at)
      select id, set_id, no, place::text, key, place || ' ' || ${name}, true, pair is not null,
        coalesce('x' || pair, 'p' || ${id}), now(), now()
      from numbered
    )
    insert into oncard (card_id, position, player_id, team_id, player_team_id, set_no, number_key,
      lists_player, lists_team, lists_player_team)
    select id, 0, ${id}::uuid, team, pair, no, key, true, pair is not null, pair is not null from numbered`
  await sql`update sets s set live_cards = (select count(*) from cards c where c.set_id = s.id)`
  return id
}
