import type { Database } from '../../db/client.ts'

/** One list or filter of the API, as a path; `one` finds an id or a text to filter by. */
export type ListCase = { name: string; path: string; like?: true }

/** Every list and filter of /v1 with values that exist, taken from the middle of the catalog. */
export const listCases = async ({ sql }: Database): Promise<ListCase[]> => {
  const pick = async (table: string, columns: string, where = 'audience = 2') => {
    const [row] = await sql.unsafe<Record<string, string>[]>(
      `select ${columns} from ${table} where ${where} order by id offset (select count(*) / 2 from ${table} where ${where}) limit 1`,
    )
    return row as Record<string, string>
  }
  const [genre, year, brand, maker, set, team, player, attribute] = await Promise.all([
    pick('genres', 'id, name'),
    pick('years', 'id, name'),
    pick('brands', 'id, name'),
    pick('manufacturers', 'id, name'),
    pick('sets', 'id, name, parent_id'),
    pick('teams', 'id, name'),
    pick('players', 'id, first_name, last_name, name'),
    pick('attributes', 'id, name'),
  ])
  const child = await pick('sets', 'parent_id', 'audience = 2 and parent_id is not null')
  const card = await pick('cards', 'id, name', 'set_no = 7')
  const image = await pick('card_images', 'card_id')
  const pair = await pick('player_teams', 'player_id, team_id')
  const value = await pick('object_attributes', 'object_id, attribute_id')
  const text = encodeURIComponent
  const plain = [
    'attributes',
    'brands',
    'manufacturers',
    'genres',
    'years',
    'teams',
    'players',
    'player-teams',
    'sets',
    'cards',
    'object-attributes',
    'card-images',
    'set-sources',
  ]
  const filters: [path: string, filter: string, value?: string][] = [
    ['attributes', 'name', attribute?.name],
    ['brands', 'name', brand?.name],
    ['manufacturers', 'name', maker?.name],
    ['genres', 'name', genre?.name],
    ['years', 'name', year?.name],
    ['teams', 'name', team?.name],
    ['players', 'first_name', player?.first_name],
    ['players', 'last_name', player?.last_name],
    ['players', 'full_name', player?.name],
    ['player-teams', 'team_id', pair.team_id],
    ['player-teams', 'player_id', pair.player_id],
    ['sets', 'name', set?.name],
    ['sets', 'genre', genre?.id],
    ['sets', 'year', year?.id],
    ['sets', 'brand', brand?.id],
    ['sets', 'manufacturer', maker?.id],
    ['sets', 'parent_id', child?.parent_id],
    ['sets', 'status', 'published'],
    ['cards', 'set_id', set?.id],
    ['cards', 'player_id', player?.id],
    ['cards', 'team_id', team?.id],
    ['cards', 'name', card?.name],
    ['object-attributes', 'object_type', 'card'],
    ['object-attributes', 'object_id', value?.object_id],
    ['object-attributes', 'attribute_id', value?.attribute_id],
    ['card-images', 'card_id', image?.card_id],
    ['set-sources', 'set_id', set?.id],
  ]
  const orders = ['name', 'year', 'created_at', 'updated_at'].flatMap((key) => [
    `order_by=${key}&scope=all`,
    `order_by=${key}&sort=desc`,
  ])
  const likes = [
    'players?filter[full_name]=like:',
    'players?filter[last_name]=like:',
    'players?filter[first_name]=like:',
  ].flatMap((path) =>
    ['a', 'an', 'i', 'f0f', 'first', 'first12'].map((part) => ({
      name: `${path}${part}`,
      path: `/v1/${path}${part}`,
      like: true as const,
    })),
  )
  return [
    ...plain.map((path) => ({ name: path, path: `/v1/${path}?` })),
    ...filters.map(([path, filter, one]) => ({
      name: `${path} by ${filter}`,
      path: `/v1/${path}?filter[${filter}]=${text(one ?? '')}`,
    })),
    ...orders.map((order) => ({ name: `sets ${order}`, path: `/v1/sets?${order}` })),
    { name: 'sets all', path: '/v1/sets?scope=all' },
    ...likes,
    { name: 'sets by name like', path: '/v1/sets?filter[name]=like:f0f', like: true },
  ]
}
