import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { count, type Tallies } from '../counts/tallies.ts'
import { rowsOfRename } from '../entity/rename.ts'
import type { EntityType } from '../entity/tables.ts'
import { countNames } from './names-locked.ts'
import { type Claims, noClaims } from './order.ts'

/** A record that somebody names, by its resource type. */
export type Named = { type: string; id: string }

/** What becomes of a record: whether it is renamed, or comes into sight or out of it; or a name that one of its type gets. */
export type Touched =
  | { type: string; id: string; isRenamed: boolean; isMoved: boolean }
  | { type: EntityType; name: string; id?: undefined }

/**
 * All locks that writing some records takes: their own, those of what they bear, refer to and hang on, and of what is to bear
 * them. It is read without a lock: what changes until the locks are held shows then, and is claimed by beginning again.
 */
export const claimsOf = async (
  tx: Transaction,
  { named, touched }: { named: Named[]; touched: Touched[] },
): Promise<Claims> => {
  const claims = noClaims()
  const moved = touched.flatMap((one) => (one.id && one.isMoved ? [one] : []))
  const renamed = touched.flatMap((one) => (one.id && one.isRenamed ? [one] : []))
  const written = touched.flatMap((one) => (one.id ? [one] : []))
  const found = await findAround(tx, named, { moved, written })
  for (const { type, id } of [...named, ...found]) {
    if (type === 'sets') claims.sets.add(id)
    if (type === 'card_images') claims.images.add(id)
    if (type in byList) count(claims.tallies, byList[type] as 'sets', type, id)
    if (type === 'playerteams') claims.rows.add(`pair:${id}`)
  }
  for (const { type, id } of renamed) for (const rows of rowsOfRename(type as EntityType, id)) claims.rows.add(rows)
  for (const { type, id } of moved) for (const rows of rowsOfRename(type as EntityType, id, true)) claims.rows.add(rows)
  claimNames(claims.tallies, touched)
  return claims
}

const claimNames = (tallies: Tallies, touched: Touched[]) => {
  for (const one of touched) if (one.id === undefined) countNames(tallies, one.type, [one.name])
}

/** The list whose tally is the lock of a record of a type; `parents` are sets that only their tally is locked of. */
const byList: Record<string, 'sets' | 'cards'> = {
  ...{ sets: 'sets', parents: 'sets', brands: 'sets', genres: 'sets', manufacturers: 'sets', years: 'sets' },
  ...{ players: 'cards', teams: 'cards', playerteams: 'cards', attributes: 'cards' },
}

type Which = Record<'moved' | 'written', Named[]>

/** What stands around records: sets of cards and of their parents, bearers, people of player-teams, owners, references of sets. */
const findAround = async (tx: Transaction, named: Named[], { moved, written }: Which): Promise<Named[]> => {
  const ids = (type: string, of = named) => arrayOf(of.flatMap((one) => (one.type === type ? [one.id] : [])))
  const cards = await tx.sql<{ id: string }[]>`
    select id from unnest(${ids('cards')}::text::uuid[]) as c (id)
    union select card_id from card_images where id = any(${ids('card_images')}::text::uuid[])
    union select id from cards where image_uuid = any(${ids('card_images', written)}::text::uuid[])
    union select object_id from object_attributes
      where id = any(${ids('object-attributes')}::text::uuid[]) and object_type = 'card'
    union select card_id from oncard where player_team_id = any(${ids('playerteams', written)}::text::uuid[]) and lists_player_team
    union select id from cards where set_id = any(${ids('sets', moved)}::text::uuid[]) and deleted_at is null`
  const all = arrayOf(cards.map(({ id }) => id))
  return tx.sql<Named[]>`
    with borne as (
      select player_id, team_id, player_team_id from oncard where card_id = any(${all}::text::uuid[])
    ), refs as (
      select genre_id, year_id, brand_id, manufacturer_id, parent_id from sets where id = any(${ids('sets')}::text::uuid[])
    ), pairs as (
      select player_id, team_id from player_teams where id = any(${ids('playerteams')}::text::uuid[])
    ), held as (
      select set_id, parent_id from cards where id = any(${all}::text::uuid[])
    ), hung as (
      select attribute_id, object_type, object_id from object_attributes where id = any(${ids('object-attributes')}::text::uuid[])
    )
    select 'sets' as type, set_id as id from held
    union select 'parents', p.set_id from held h join cards p on p.id = h.parent_id
    union select 'sets', set_id from set_sources where id = any(${ids('set_sources')}::text::uuid[])
    union select 'sets', id from sets where year_id = any(${ids('years', written)}::text::uuid[])
    union select 'sets', object_id from hung where object_type = 'set'
    union select 'players', object_id from hung where object_type = 'player'
    union select 'teams', object_id from hung where object_type = 'team'
    union select 'attributes', attribute_id from hung
    union select 'attributes', attribute_id from card_attributes where card_id = any(${all}::text::uuid[])
    union select 'players', player_id from borne where player_id is not null
    union select 'teams', team_id from borne where team_id is not null
    union select 'playerteams', player_team_id from borne where player_team_id is not null
    union select 'players', player_id from pairs
    union select 'teams', team_id from pairs
    union select 'genres', genre_id from refs where genre_id is not null
    union select 'years', year_id from refs where year_id is not null
    union select 'brands', brand_id from refs where brand_id is not null
    union select 'manufacturers', manufacturer_id from refs where manufacturer_id is not null
    union select 'parents', parent_id from refs where parent_id is not null`
}
