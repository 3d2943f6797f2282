import type { Database } from '../../db/client.ts'
import { withoutIndexes } from './indexes.ts'

/**
 * Fills an empty, migrated PostgreSQL with generated cards, 200 in a set, ten to a player, a hundred players to a first
 * name, every tenth set a draft: what the door would have written, less the feed, as after its 90 days. Rows are plain SQL
 * in one transaction, indexes are made when they are in. A minute for a million, a quarter of an hour for ten, on two busy
 * cores.
 */
export const generateCatalog = async (db: Database, cards: number) => {
  await db.transaction(async ({ sql }) => {
    for (const setting of settings) await sql.unsafe(`set local ${setting}`)
    await withoutIndexes(sql, tables, async () => {
      for (const statement of statementsFor(cards)) await sql.unsafe(statement)
      await settleCounts(sql)
    })
  })
  await db.sql`vacuum analyze`
}

const settings = ['synchronous_commit = off', `maintenance_work_mem = '1GB'`, `work_mem = '256MB'`]

const tables = [
  ...['attributes', 'brands', 'genres', 'manufacturers', 'years', 'teams', 'players', 'player_teams', 'sets', 'cards'],
  ...['oncard', 'card_attributes', 'card_images', 'object_attributes', 'set_sources'],
]

const at = `timestamptz '2026-01-01T00:00:00Z'`

const id = (kind: number, number: string) =>
  `('${String(kind).padStart(8, '0')}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

const half = (count: number) => `case when n % 3 = 1 then 1 else n % ${count} + 1 end`
const numberKey = `'0' || length(number::text) || number`
const yearName = `'years ' || lpad((${half(60)})::text, 4, '0')`
const audience = (setNo: string) => `case when ${setNo} % 10 = 0 then 1 else 2 end`

/** How many cards are written by one statement. */
const chunk = 500_000

const statementsFor = (cards: number): string[] => {
  const [sets, players, some] = [Math.ceil(cards / 200), Math.max(100, Math.ceil(cards / 10)), Math.ceil(cards / 20)]
  const chunks = Array.from({ length: Math.ceil(cards / chunk) }, (_, index) => index * chunk)
  return [
    ...labels(),
    `insert into players (id, first_name, last_name, name, audience, created_at, updated_at)
      select ${id(15, 'n')}, ${firstName('n', players)}, ${lastName('n')}, ${playerName('n', players)}, 2, ${at}, ${at}
      from generate_series(1, ${players}) n`,
    `insert into player_teams (id, player_id, team_id, name, audience, created_at, updated_at)
      select ${id(3, 'n')}, ${id(15, 'n')}, ${id(16, teamOf('n'))}, ${playerName('n', players)} || ' (' || ${teamName(teamOf('n'))} || ')', 2, ${at}, ${at}
      from generate_series(1, ${pairsOf(players)}) n`,
    `insert into sets (id, no, name, status, kind, genre_id, year_id, year_key, brand_id, manufacturer_id, parent_id, audience, live_cards, created_at, updated_at)
      select ${id(1, 'n')}, n, 'Set ' || md5(n::text) || n, case when n % 10 = 0 then 'draft' else 'published' end, 'base',
        ${id(12, half(10))}, ${id(14, half(60))}, ${yearName}, ${id(11, half(100))}, ${id(13, half(40))},
        case when n % 5 = 0 then ${id(1, 'n - 4')} end, ${audience('n')}, least(200, ${cards} - (n - 1) * 200),
        ${at} + n * interval '1 second', ${at} + n * interval '1 second'
      from generate_series(1, ${sets}) n`,
    ...chunks.flatMap((done) => cardRows(players, some, done + 1, Math.min(cards, done + chunk))),
    `insert into card_images (id, card_id, content_type, width, height, bytes, variants, audience, created_at, updated_at)
      select ${id(21, 'n')}, ${id(2, 'n')}, 'image/jpeg', 1, 1, 1, '[]', ${audience('((n - 1) / 200 + 1)')}, ${at} + n * interval '1 second', ${at}
      from generate_series(1, ${some}) n`,
    `insert into object_attributes (id, attribute_id, attribute_value, object_type, object_id, audience, created_at, updated_at)
      select ${id(20, 'n')}, ${id(10, 'n % 20 + 1')}, 'PSA ' || n % 10, 'card', ${id(2, 'n')}, ${audience('((n - 1) / 200 + 1)')}, ${at} + n * interval '1 second', ${at}
      from generate_series(1, ${some}) n`,
    `insert into set_sources (id, set_id, source_url, audience, created_at, updated_at)
      select ${id(22, 'no')}, id, 'https://example.org/' || no, audience, created_at, created_at from sets`,
  ]
}

const labels = () => [
  `insert into attributes (id, attribute, name, audience, created_at, updated_at)
    select ${id(10, 'n')}, 'A' || n, 'Attribute ' || n, 2, ${at}, ${at} from generate_series(1, 20) n`,
  ...(
    [
      [11, 'brands', 100],
      [12, 'genres', 10],
      [13, 'manufacturers', 40],
      [14, 'years', 60],
      [16, 'teams', 200],
    ] as const
  ).map(
    ([kind, table, count]) => `insert into ${table} (id, name, audience, created_at, updated_at)
      select ${id(kind, 'n')}, '${table} ' || lpad(n::text, 4, '0'), 2, ${at}, ${at} from generate_series(1, ${count}) n`,
  ),
]

const firstName = (n: string, players: number) => `'First' || ${n} % ${Math.ceil(players / 100)}`
const lastName = (n: string) => `initcap(substr(md5(${n}::text), 1, 6)) || ${n}`
const playerName = (n: string, players: number) => `${firstName(n, players)} || ' ' || ${lastName(n)}`
const teamName = (n: string) => `'teams ' || lpad((${n})::text, 4, '0')`
/** How many players have a team, from the first on. */
const pairsOf = (players: number) => Math.floor(players / 2)
/** The team that a player is paired with: one of twenty, so that a team has pages of pairs in a small catalog too. */
const teamOf = (player: string) => `${player} % 20 + 1`

/** Every tenth card is serial-numbered, to one of five limits. */
const serialNumber = `case when n % 10 = 7 then '/' || (array[10, 25, 50, 99, 199])[n / 10 % 5 + 1] end`

/** Cards from one number to another, each with a player and a team; every tenth bears them as a player-team, every tenth an attribute, every tenth a serial number. */
const cardRows = (players: number, images: number, from: number, to: number) => {
  const rows = `(
    select n, set_no, number, paired, player, case when paired then ${teamOf('player')} else n % 200 + 1 end as team from (
      select n, (n - 1) / 200 + 1 as set_no, (n - 1) % 200 + 1 as number, n % 10 = 3 as paired,
        case when n % 10 = 3 then n / 10 % ${pairsOf(players)} + 1 else ((n::bigint * 7919) % ${players} + 1)::int end as player
      from generate_series(${from}, ${to}) n
    ) numbered
  ) c`
  const [player, team, pair] = [id(15, 'player'), id(16, 'team'), id(3, 'player')]
  return [
    `insert into cards (id, set_id, set_no, number, number_key, serial_number, name, has_player, has_team, oncard_ids, attribute_ids, image_ids, created_at, updated_at)
      select ${id(2, 'n')}, ${id(1, 'set_no')}, set_no, number::text, ${numberKey}, ${serialNumber},
        number || ' ' || ${playerName('player', players)} || case when paired then '' else ' / ' || ${teamName('team')} end
          || case when n % 10 = 0 then ' A' || n % 20 + 1 else '' end || coalesce(' ' || ${serialNumber}, ''), true, true,
        case when paired then 'x' || ${pair} else 'p' || ${player} || ',t' || ${team} end,
        case when n % 10 = 0 then ${id(10, 'n % 20 + 1')}::text end, case when n <= ${images} then ${id(21, 'n')}::text end, ${at}, ${at}
      from ${rows}`,
    `insert into oncard (card_id, position, player_id, team_id, player_team_id, set_no, number_key, lists_player, lists_team, lists_player_team)
      select ${id(2, 'n')}, 0, ${player}, case when paired then ${team} end, case when paired then ${pair} end, set_no, ${numberKey}, true, paired, paired
      from ${rows}
      union all
      select ${id(2, 'n')}, 1, null, ${team}, null, set_no, ${numberKey}, false, true, false from ${rows} where not paired`,
    `insert into card_attributes (card_id, attribute_id, set_no, number_key)
      select ${id(2, 'n')}, ${id(10, 'n % 20 + 1')}, set_no, ${numberKey} from ${rows} where n % 10 = 0`,
  ]
}

/** Makes every maintained count what the rows say, in one pass over them, and the audience of what sets and cards lead to. */
export const settleCounts = async (sql: Database['sql']) => {
  await sql`insert into counters (name, value) select 'sets.no', coalesce(max(no), 0) from sets`
  await sql`
    insert into card_blocks (level, block, live, published)
    select level, no >> shift, sum(live_cards), coalesce(sum(live_cards) filter (where audience = 2), 0)
    from sets cross join (values (1, 6), (2, 12)) as levels (level, shift)
    where audience >= 1 and live_cards > 0 group by 1, 2`
  await tallyCards(sql)
  await tallyOthers(sql, [1])
  for (const [table, list] of led) await settleAudience(sql, table, list)
  await tallyOthers(sql, [3, 10, 11, 12, 13, 14, 15, 16, 20, 21, 22])
}

const limitId = `('00000000-0000-0000-0000-' || lpad(substr(serial_number, 2), 12, '0'))::uuid`

/** An entry that lists its card does so once for each player, team and player-team, so that nothing has to be told apart. */
const tallyCards = async (sql: Database['sql']) => {
  const of = (list: number, column: string, table: string, where: string) =>
    `select ${list} as list, ${column} as id, s.audience, count(*) as cards from ${table} b join sets s on s.no = b.set_no
     where s.audience >= 1 and ${where} group by 2, 3`
  await sql.unsafe(`
    insert into tallies (list, id, live, published)
    select list, id, sum(cards), coalesce(sum(cards) filter (where audience = 2), 0) from (
      ${of(2, 'player_id', 'oncard', 'lists_player')} union all ${of(2, 'team_id', 'oncard', 'lists_team')}
      union all ${of(2, 'player_team_id', 'oncard', 'lists_player_team')}
      union all ${of(2, 'attribute_id', 'card_attributes', 'true')}
      union all ${of(4, 'md5(number)::uuid', 'cards', 'true')}
      union all ${of(5, limitId, 'cards', 'serial_number is not null')}
    ) counted group by list, id`)
}

const tallyOthers = async (sql: Database['sql'], lists: number[]) => {
  for (const list of lists)
    await sql.unsafe(`
      insert into tallies (list, id, live, published, live_roots, published_roots)
      select list, id, live, published, live_roots, published_roots from true_tallies where list = ${list}::smallint`)
}

/** What is published by the tally of what leads to it. */
const led = [
  ['brands', 1],
  ['genres', 1],
  ['manufacturers', 1],
  ['years', 1],
  ['players', 2],
  ['teams', 2],
  ['player_teams', 2],
] as const

const settleAudience = (sql: Database['sql'], table: string, list: number) => sql`
  update ${sql(table)} e set audience = 3 - e.audience
  where audience > 0 and (audience = 2) <> exists (
    select from tallies t where t.list = ${sql.unsafe(String(list))} and t.id = e.id and t.published > 0
  )`
