import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { everything } from '../../model/counts.ts'
import { tableOf } from '../../model/tables.ts'
import type { Tallies } from '../locks/order.ts'
import { lockRows } from '../locks/rows.ts'
import { type Counted, count } from '../locks/tallies.ts'
import { moveAttached } from './attached.ts'
import { type Changes, note } from './changes.ts'
import { noteChildYears } from './children.ts'

/** The types whose records everyone sees as soon as something published refers to them. They are written in this order. */
const types = ['brands', 'genres', 'manufacturers', 'years', 'players', 'teams', 'playerteams'] as const

/** Publishes or hides each counted record whose published count left or reached zero, with everything attached to it. */
export const cross = async (tx: Transaction, counted: Counted[], changes: Changes, tallies: Tallies) => {
  const crossed = counted.filter(({ published, change }) => published > 0 !== published - change > 0)
  await lockRows(
    tx,
    crossed.flatMap(({ owner, id }) => (owner === 'playerteams' ? [`pair:${id}` as const] : [])),
  )
  for (const type of types)
    for (const audience of [Audience.draft, Audience.published]) {
      const ids = crossed
        .filter(({ owner, published }) => owner === type && published > 0 === (audience === Audience.published))
        .map(({ id }) => id)
      if (ids.length > 0) await moveRows(tx, type, ids, audience, changes, tallies)
    }
}

const moveRows = async (
  tx: Transaction,
  type: (typeof types)[number],
  ids: string[],
  audience: number,
  changes: Changes,
  tallies: Tallies,
) => {
  const sides = type === 'playerteams' ? tx.sql`, player_id, team_id` : tx.sql``
  const moved = await tx.sql<{ id: string; player_id?: string; team_id?: string }[]>`
    update ${tx.sql(tableOf(type))} set audience = ${audience}
    where id = any(${ids}::uuid[]) and deleted_at is null and audience <> ${audience}
    returning id ${sides}`
  const isPublished = audience === Audience.published
  const published = isPublished ? 1 : -1
  count(tallies, type, type, everything, 0, published * moved.length)
  for (const row of moved) {
    count(tallies, type, 'players', row.player_id, 0, published)
    count(tallies, type, 'teams', row.team_id, 0, published)
  }
  const movedIds = moved.map((row) => row.id)
  note(changes, type, isPublished ? Audience.draft : Audience.published, audience, movedIds)
  const before = isPublished ? Audience.draft : Audience.published
  if (type === 'years')
    await noteChildYears(
      tx,
      movedIds.map((id) => ({ id, before, after: audience })),
      changes,
    )
  if (type !== 'playerteams') await moveAttached(tx, { entities: [type, movedIds] }, audience, changes, tallies)
}
