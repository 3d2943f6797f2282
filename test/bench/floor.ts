import postgres from 'postgres'

/**
 * The floor of the hot reads, a process of its own: a bare Bun.serve. `/{id}` is one prepared SELECT by primary key;
 * `/list/{set}` reads 25 cards of a set, then the players, teams, set and attributes on them, in two statements, and
 * answers as many bytes as the service does, without rendering anything. Arguments are a port, a database and that size.
 */
const [port = '0', url = '', size = '0'] = process.argv.slice(2)
const options = { max: 8, max_pipeline: 1 }
const sql = postgres(url, options)
const answer = 'x'.repeat(Number(size))

const listOf = async (setId: string) => {
  const cards = await sql`
    select id, set_id, name, number, serial_number, image_uuid, title, notes, has_player, has_team, oncard_ids, attribute_ids,
      image_ids, parent_id, version, created_at, updated_at
    from cards where set_id = ${setId} and deleted_at is null order by number_key collate "C", id limit 25`
  const entries = cards.flatMap(({ oncard_ids: ids }) => (ids ? (ids as string).split(',') : []))
  const on = (kind: string) => entries.filter((one) => one.startsWith(kind)).map((one) => one.slice(1))
  const marks = cards.flatMap(({ attribute_ids: ids }) => (ids ? (ids as string).split(',') : []))
  const included = await sql`
    select 'sets' as type, to_json(t) as row from sets t where id = ${setId}
    union all select 'players', to_json(t) from players t where id = any(${on('p')}::uuid[])
    union all select 'teams', to_json(t) from teams t where id = any(${on('t')}::uuid[])
    union all select 'playerteams', to_json(t) from player_teams t where id = any(${on('x')}::uuid[])
    union all select 'attributes', to_json(t) from attributes t where id = any(${marks}::uuid[])`
  return cards.length + included.length
}

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  development: false,
  fetch: async ({ url }) => {
    const id = url.slice(url.lastIndexOf('/') + 1)
    if (!id) return new Response(null, { status: 404 })
    if (url.endsWith(`/list/${id}`))
      return new Response((await listOf(id)) > 0 ? answer : null, { headers: { 'Content-Type': 'application/json' } })
    const [card] = await sql`select id, name, number, title from cards where id = ${id}`
    return Response.json(card)
  },
})
