import type { Database } from '../../db/client.ts'

/**
 * Fills an empty, migrated PostgreSQL with generated cards, 200 in a set, one player in ten cards, every tenth set a
 * draft: rows by plain SQL, counts from the views of the recomputed truth. Seconds for a million, minutes for ten.
 */
export const generateCatalog = async ({ sql }: Database, cards: number) => {
  const size = { cards, sets: Math.ceil(cards / 200), players: Math.max(100, Math.ceil(cards / 10)) }
  const at = '2026-01-01T00:00:00Z'
  const id = (kind: number, number: string) =>
    `('${String(kind).padStart(8, '0')}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`
  const half = (count: number) => `case when n % 3 = 1 then 1 else n % ${count} + 1 end`
  const run = (text: string) => sql.unsafe(text)
  await run(`insert into attributes (id, attribute, name, audience, created_at, updated_at)
    select ${id(10, 'n')}, 'A' || n, 'Attribute ' || n, 2, '${at}', '${at}' from generate_series(1, 20) n`)
  for (const [kind, table, count] of [
    [11, 'brands', 100],
    [12, 'genres', 10],
    [13, 'manufacturers', 40],
    [14, 'years', 60],
    [16, 'teams', 200],
  ] as const)
    await run(`insert into ${table} (id, name, created_at, updated_at)
      select ${id(kind, 'n')}, '${table} ' || lpad(n::text, 4, '0'), '${at}', '${at}' from generate_series(1, ${count}) n`)
  await run(`insert into players (id, first_name, last_name, name, created_at, updated_at)
    select ${id(15, 'n')}, f, l, f || ' ' || l, '${at}', '${at}' from (
      select n, 'First' || (n % 997) as f, initcap(substr(md5(n::text), 1, 6)) || n as l from generate_series(1, ${size.players}) n) p`)
  await run(`insert into sets (id, no, name, status, kind, genre_id, year_id, year_key, brand_id, manufacturer_id, parent_id, audience, live_cards, created_at, updated_at)
    select ${id(1, 'n')}, n, 'Set ' || md5(n::text) || n, case when n % 10 = 0 then 'draft' else 'published' end, 'base',
      ${id(12, half(10))}, ${id(14, half(60))}, 'years ' || lpad((${half(60)})::text, 4, '0'), ${id(11, half(100))}, ${id(13, half(40))},
      case when n % 5 = 0 then ${id(1, 'n - 4')} end, case when n % 10 = 0 then 1 else 2 end, 200,
      timestamptz '${at}' + n * interval '1 second', timestamptz '${at}' + n * interval '1 second'
    from generate_series(1, ${size.sets}) n`)
  for (let from = 1; from <= cards; from += 500_000) {
    const to = Math.min(cards, from + 499_999)
    const card = `(n - 1) / 200 + 1 as set_no, (n - 1) % 200 + 1 as number, ((n::bigint * 7919) % ${size.players} + 1)::int as player, n % 200 + 1 as team`
    await run(`insert into cards (id, set_id, set_no, number, number_key, name, has_player, has_team, oncard_ids, attribute_ids, created_at, updated_at)
      select ${id(2, 'n')}, ${id(1, 'set_no')}, set_no, number::text, '0' || length(number::text) || number, number || ' ' || p.name || ' / ' || t.name, true, true,
        'p' || p.id || ',t' || t.id, case when n % 10 = 0 then ${id(10, 'n % 20 + 1')}::text end, '${at}', '${at}'
      from (select n, ${card} from generate_series(${from}, ${to}) n) c
      join players p on p.id = ${id(15, 'player')} join teams t on t.id = ${id(16, 'team')}`)
    for (const [position, type, kind] of [
      [0, 'player', 15],
      [1, 'team', 16],
    ] as const)
      await run(`insert into oncard (card_id, position, ${type}_id, set_no, number_key, lists_player, lists_team, lists_player_team)
        select ${id(2, 'n')}, ${position}, ${id(kind, type)}, set_no, '0' || length(number::text) || number, ${position === 0}, ${position === 1}, false
        from (select n, ${card} from generate_series(${from}, ${to}) n) c`)
    await run(`insert into card_attributes (card_id, attribute_id, set_no, number_key)
      select ${id(2, 'n')}, ${id(10, 'n % 20 + 1')}, set_no, '0' || length(number::text) || number
      from (select n, ${card} from generate_series(${from}, ${to}) n) c where n % 10 = 0`)
  }
  await run(`update cards c set name = n.name from card_names n where n.id = c.id and n.name <> c.name`)
  await run(`insert into card_images (id, card_id, content_type, width, height, bytes, variants, audience, created_at, updated_at)
    select ${id(21, 'n')}, ${id(2, 'n')}, 'image/jpeg', 1, 1, 1, '[]', s.audience, timestamptz '${at}' + n * interval '1 second', '${at}'
    from generate_series(1, ${Math.ceil(cards / 20)}) n join sets s on s.no = (n - 1) / 200 + 1`)
  await run(`update cards c set image_ids = i.id from card_images i where i.card_id = c.id`)
  await run(`insert into object_attributes (id, attribute_id, attribute_value, object_type, object_id, audience, created_at, updated_at)
    select ${id(20, 'n')}, ${id(10, 'n % 20 + 1')}, 'PSA ' || n % 10, 'card', ${id(2, 'n')}, s.audience, timestamptz '${at}' + n * interval '1 second', '${at}'
    from generate_series(1, ${Math.ceil(cards / 20)}) n join sets s on s.no = (n - 1) / 200 + 1`)
  await run(`insert into set_sources (id, set_id, source_url, audience, created_at, updated_at)
    select ${id(22, 'no')}, id, 'https://example.org/' || no, audience, created_at, created_at from sets`)
  await run(`insert into player_teams (id, player_id, team_id, name, created_at, updated_at)
    select ${id(3, 'n')}, p.id, t.id, p.name || ' (' || t.name || ')', '${at}', '${at}'
    from generate_series(1, ${Math.ceil(size.players / 2)}) n join players p on p.id = ${id(15, 'n')} join teams t on t.id = ${id(16, 'n % 200 + 1')}`)
  await settleCounts(sql)
  return size
}

/** Makes every maintained count and audience what the truth says, then vacuums: a catalog as after a quiet night. */
export const settleCounts = async (sql: Database['sql']) => {
  await sql`insert into counters (name, value) select 'sets.no', coalesce(max(no), 0) from sets`
  const tally = () => sql`
    insert into tallies (list, id, live, published, live_roots, published_roots)
    select list, id, live, published, live_roots, published_roots from true_tallies
    on conflict (list, id) do update set live = excluded.live, published = excluded.published,
      live_roots = excluded.live_roots, published_roots = excluded.published_roots`
  await tally()
  for (const [table, list] of [
    ['brands', 1],
    ['genres', 1],
    ['manufacturers', 1],
    ['years', 1],
    ['players', 2],
    ['teams', 2],
    ['player_teams', 2],
  ] as const)
    await sql`update ${sql(table)} e set audience = 2 from tallies t where t.list = ${list} and t.id = e.id and t.published > 0`
  await tally()
  await sql`insert into card_blocks (level, block, live, published) select level, block, live, published from true_blocks`
  await sql`vacuum analyze`
}
