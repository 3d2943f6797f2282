import type { Transaction } from '../../../../db/client.ts'
import { everything, type ListName } from '../../model/counts.ts'
import { lockRows } from '../locks/rows-locked.ts'
import { type Changes, note } from './changes.ts'
import { setDependents } from './dependents.ts'
import { count, type Tallies } from './tallies.ts'

type Crossing = { owner: string; id: string; audience: number }

/** The tables whose rows are seen by everyone as soon as something published leads to them; locked in this order. */
const tables: [type: ListName, table: string][] = [
  ['brands', 'brands'],
  ['genres', 'genres'],
  ['manufacturers', 'manufacturers'],
  ['years', 'years'],
  ['players', 'players'],
  ['teams', 'teams'],
  ['playerteams', 'player_teams'],
]

/** Moves what crossed zero to its new audience, with the totals of its list and the object attributes that hang on it. */
export const cross = async (tx: Transaction, crossed: Crossing[], changes: Changes, tallies: Tallies) => {
  await lockRows(
    tx,
    crossed.flatMap(({ owner, id }) => (owner === 'playerteams' ? [`pair:${id}` as const] : [])),
  )
  for (const [type, table] of tables)
    for (const audience of [1, 2]) {
      const ids = crossed.filter((one) => one.owner === type && one.audience === audience).map((one) => one.id)
      if (ids.length > 0) await moveRows(tx, type, table, ids, audience, changes, tallies)
    }
}

const moveRows = async (
  tx: Transaction,
  type: ListName,
  table: string,
  ids: string[],
  audience: number,
  changes: Changes,
  tallies: Tallies,
) => {
  const pair = type === 'playerteams' ? tx.sql`, player_id, team_id` : tx.sql``
  const moved = await tx.sql<{ id: string; player_id?: string; team_id?: string }[]>`
    update ${tx.sql(table)} set audience = ${audience}
    where id = any(${ids}::uuid[]) and deleted_at is null and audience <> ${audience}
    returning id ${pair}`
  const published = audience === 2 ? 1 : -1
  count(tallies, type, type, everything, 0, published * moved.length)
  for (const row of moved) {
    count(tallies, type, 'players', row.player_id, 0, published)
    count(tallies, type, 'teams', row.team_id, 0, published)
  }
  const movedIds = moved.map((row) => row.id)
  note(changes, type, 3 - audience, audience, movedIds)
  if (type === 'players' || type === 'teams')
    await setDependents(tx, { objects: [type === 'players' ? 'player' : 'team', movedIds] }, audience, changes, tallies)
}
