import type { Database } from '../../../db/client.ts'

type Human = Map<string, { type: string; id: string; fields: Record<string, unknown> }>
type Live = { key: string; name: string; needs: string[]; fields: Record<string, unknown> }

/**
 * What stands in the catalog beside what people wrote: live records that neither they nor anything of theirs needs, records of
 * theirs that are gone and not merged into another, and fields that are no longer as they wrote them.
 */
export const standing = async (db: Pick<Database, 'sql'>, human: Human) => {
  const rows = await db.sql.unsafe<Live[]>(live)
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const wanted = new Set<string>()
  const want = (key: string) => {
    if (wanted.has(key)) return
    wanted.add(key)
    for (const needed of byKey.get(key)?.needs ?? []) want(needed)
  }
  for (const key of human.keys()) want(key)
  for (const { key } of await db.sql.unsafe<{ key: string }[]>(merged)) want(key)
  return {
    unwanted: rows.flatMap(({ key, name }) => (wanted.has(key) ? [] : [`${key} ${name}`])),
    missing: [...human].flatMap(([key, { id, fields }]) =>
      byKey.has(key) || byKey.has(`redirects ${id}`) ? [] : [`${key} ${JSON.stringify(fields)}`],
    ),
    changed: [...human].flatMap(([key, { fields }]) =>
      Object.entries(fields).flatMap(([name, value]) => {
        const row = byKey.get(key)
        return !row || row.fields[name] === value ? [] : [`${key} ${name} ${value}: ${row.fields[name]}`]
      }),
    ),
  }
}

const record = (type: string, table: string, name: string, needs: string) => `
  select '${type} ' || t.id as key, t.${name} as name, array_remove(array[${needs}]::text[], null) as needs,
    to_jsonb(t) as fields
  from ${table} t where t.deleted_at is null`

/** What merges that nobody undid changed. */
const merged = `
  select r.object_type || ' ' || r.object_id as key from revisions r join merges m on m.id = r.cause_id
  where r.cause = 'merge' and m.undone_at is null
  union select m.object_type || ' ' || m.into_id from merges m where m.undone_at is null
  union select 'redirects ' || r.id from redirects r join merges m on m.id = r.merge_id where m.undone_at is null`

/** Every live record with the keys of those that it can't stand without. */
const live = [
  record(
    ...(['cards', 'cards', 'name'] as const),
    `'sets ' || t.set_id, 'cards ' || t.parent_id] ||
     array(select 'players ' || o.player_id from oncard o where o.card_id = t.id) ||
     array(select 'teams ' || o.team_id from oncard o where o.card_id = t.id) ||
     array(select 'playerteams ' || o.player_team_id from oncard o where o.card_id = t.id) ||
     array(select 'attributes ' || a.attribute_id from card_attributes a where a.card_id = t.id) || array[null`,
  ),
  record(
    ...(['sets', 'sets', 'name'] as const),
    `'sets ' || t.parent_id, 'genres ' || t.genre_id, 'years ' || t.year_id, 'brands ' || t.brand_id,
     'manufacturers ' || t.manufacturer_id`,
  ),
  record('players', 'players', 'name', 'null'),
  record('teams', 'teams', 'name', 'null'),
  record('playerteams', 'player_teams', 'name', `'players ' || t.player_id, 'teams ' || t.team_id`),
  ...['brands', 'manufacturers', 'genres', 'years'].map((table) => record(table, table, 'name', 'null')),
  record('attributes', 'attributes', 'attribute', 'null'),
  `select 'identifiers ' || i.id, i.value, '{}'::text[], to_jsonb(i) from identifiers i
   where i.audience >= 1`,
  `select 'redirects ' || r.id, '', '{}'::text[], to_jsonb(r) from redirects r`,
].join(' union all ')
