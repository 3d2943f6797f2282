import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { attachedTypes, attachments, kindIn } from '../../model/attached.ts'
import { tableOf } from '../../model/tables.ts'
import type { EntityType } from '../record.ts'
import { beAlone, type Claims, noClaims } from './order.ts'
import { lockRows, rowsOfRename } from './rows.ts'
import { lockSets } from './sets.ts'
import { applyTallies, count, countNames, type NamedOnce } from './tallies.ts'

/**
 * Takes all the locks that a transaction will need, in the fixed order. `alone`: if nobody can say what it needs, it waits
 * until nobody else uses the tallies and keeps others out, so that it may lock everything else freely.
 */
export const takeClaims = async (tx: Transaction, { sets, images, tallies, rows }: Claims, alone: boolean) => {
  await lockSets(tx, [...sets])
  if (sets.size > 0)
    await tx.sql`
      select count(*) from (
        select 1 from workflows where set_id = any(${[...sets]}::uuid[]) order by set_id for no key update
      ) locked`
  if (images.size > 0)
    await tx.sql`
      select count(*) from (
        select 1 from card_images where id = any(${[...images]}::uuid[]) order by id for update
      ) locked`
  if (alone) {
    await tx.sql`lock table tallies in share row exclusive mode`
    beAlone(tx)
  }
  await applyTallies(tx, tallies)
  await lockRows(tx, [...rows])
}

/** A record by its resource type. */
export type Named = { type: string; id: string }

/**
 * What a request does to a record, as far as that determines which others it touches: it renames it, or shows or hides it.
 * Without an id: a name that some record of a type gets.
 */
export type Touched =
  | { type: string; id: string; isRenamed: boolean; isMoved: boolean }
  | { type: NamedOnce; name: string; id?: undefined }

/**
 * All the locks that a request with several writes takes: those of the records that it names, of what is on them, of what they
 * refer to and are attached to, and of what they will refer to. It reads without locks. If something changes before the locks
 * are held, that is noticed then, and the transaction starts over with it.
 */
export const claimsOf = async (tx: Transaction, named: Named[], touched: Touched[]): Promise<Claims> => {
  const claims = noClaims()
  const written = touched.flatMap((one) => (one.id === undefined ? [] : [one]))
  const moved = written.filter(({ isMoved }) => isMoved)
  const around = await findAround(tx, named, moved, written)
  for (const { type, id } of [...named, ...around]) {
    if (type === 'sets') claims.sets.add(id)
    if (type === 'card_images') claims.images.add(id)
    if (type === 'playerteams') claims.rows.add(`pair:${id}`)
    const list = lockedIn.get(type)
    if (list) count(claims.tallies, list, type, id)
  }
  for (const { type, id, isRenamed, isMoved } of written)
    if (isRenamed || isMoved) for (const rows of rowsOfRename(type as EntityType, id, !isRenamed)) claims.rows.add(rows)
  for (const one of touched) if (one.id === undefined) countNames(claims.tallies, one.type, [one.name])
  return claims
}

/** The list whose tally is the lock of a type's records. For `parents`, which are sets, only the tally is locked. */
const lockedIn = new Map<string, 'sets' | 'cards'>([
  ...['sets', 'parents', 'brands', 'genres', 'manufacturers', 'years'].map((type) => [type, 'sets'] as const),
  ...['players', 'teams', 'playerteams', 'attributes'].map((type) => [type, 'cards'] as const),
])

/**
 * What surrounds records: the sets of cards and of their parents, what is on cards, both sides of player-teams, owners, and
 * what sets refer to.
 */
const findAround = async (tx: Transaction, named: Named[], moved: Named[], written: Named[]): Promise<Named[]> => {
  const ids = (type: string, of = named) => arrayOf(of.flatMap((one) => (one.type === type ? [one.id] : [])))
  const owners = attachedTypes
    .map(
      (type) => tx.sql`
      select ${tx.sql.unsafe(kindIn(type))} || 's' as type, ${tx.sql(attachments[type].owner)} as id
      from ${tx.sql(tableOf(type))} where id = any(${ids(type)}::text::uuid[])`,
    )
    .reduce((all, each) => tx.sql`${all} union all ${each}`)
  const cards = await tx.sql<{ id: string }[]>`
    select id from unnest(${ids('cards')}::text::uuid[]) as c (id)
    union select id from cards where image_uuid = any(${ids('card_images', written)}::text::uuid[])
    union select card_id from oncard where player_team_id = any(${ids('playerteams', written)}::text::uuid[]) and lists_player_team
    union select id from cards where set_id = any(${ids('sets', moved)}::text::uuid[]) and deleted_at is null
    union select id from (${owners}) o where type = 'cards'`
  const all = arrayOf(cards.map(({ id }) => id))
  return tx.sql<Named[]>`
    with entries as (
      select player_id, team_id, player_team_id from oncard where card_id = any(${all}::text::uuid[])
    ), refs as (
      select genre_id, year_id, brand_id, manufacturer_id, parent_id from sets where id = any(${ids('sets')}::text::uuid[])
    ), pairs as (
      select player_id, team_id from player_teams where id = any(${ids('playerteams')}::text::uuid[])
    ), held as (
      select set_id, parent_id from cards where id = any(${all}::text::uuid[])
    )
    select 'sets' as type, set_id as id from held
    union select 'parents', p.set_id from held h join cards p on p.id = h.parent_id
    union select type, id from (${owners}) o
    union select 'sets', id from sets where year_id = any(${ids('years', written)}::text::uuid[])
    union select 'attributes', attribute_id from object_attributes
      where id = any(${ids('object-attributes')}::text::uuid[])
    union select 'attributes', attribute_id from card_attributes where card_id = any(${all}::text::uuid[])
    union select 'players', player_id from entries where player_id is not null
    union select 'teams', team_id from entries where team_id is not null
    union select 'playerteams', player_team_id from entries where player_team_id is not null
    union select 'players', player_id from pairs
    union select 'teams', team_id from pairs
    union select 'genres', genre_id from refs where genre_id is not null
    union select 'years', year_id from refs where year_id is not null
    union select 'brands', brand_id from refs where brand_id is not null
    union select 'manufacturers', manufacturer_id from refs where manufacturer_id is not null
    union select 'parents', parent_id from refs where parent_id is not null`
}
