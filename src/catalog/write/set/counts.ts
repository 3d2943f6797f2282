import type { Transaction } from '../../../../db/client.ts'
import { everything, setKindIds } from '../../model/counts.ts'
import { moveAttached } from '../counts/attached.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { type Crossed, lockParentSets, noteChildSets, setsOfParents } from '../counts/children.ts'
import { countBlocks } from '../counts/settle.ts'
import { countValuesOfSets, type MovedSet } from '../counts/values.ts'
import { cross } from '../counts/visibility-change.ts'
import type { BlockChange, Tallies } from '../locks/order.ts'
import { applyTallies, type Counted, count, countsOf, difference } from '../locks/tallies.ts'
import type { SetChange, SetState } from '../record.ts'
import { audienceOfSet } from './rows.ts'

/** Counts what changing these sets adds to blocks, to what they refer to and to everything on their cards. Locks all of it. */
export const countSets = async (tx: Transaction, changes: SetChange[]): Promise<Counted[]> => {
  const tallies: Tallies = new Map()
  const blocks: BlockChange[] = []
  const moved: MovedSet[] = []
  for (const { id, before, after } of changes) {
    count(tallies, 'sets', 'sets', id)
    if (before) countReferences(tallies, before, -1)
    countReferences(tallies, after, 1)
    if (!before || before.live_cards === 0) continue
    const [live, published] = difference(audienceOfSet(before), audienceOfSet(after))
    if (live === 0 && published === 0) continue
    blocks.push({ no: before.no, live: live * before.live_cards, published: published * before.live_cards })
    moved.push({ id, live, published })
    for (const { owner, id: subject, cards } of await countSubjects(tx, id))
      count(tallies, 'cards', owner, subject, live * cards, published * cards)
  }
  const crossed = crossedWithCards(changes)
  lockParentSets(tallies, await setsOfParents(tx, crossed))
  countBlocks(tx, blocks)
  await countValuesOfSets(tx, tallies, moved)
  return applyTallies(tx, tallies)
}

const countReferences = (tallies: Tallies, set: SetState, sign: 1 | -1) => {
  const [live, published] = countsOf(audienceOfSet(set)).map((one) => one * sign) as [number, number]
  const roots: [number, number] = set.parent_id ? [0, 0] : [live, published]
  const references: [owner: string, id: string | null][] = [
    ['genres', set.genre_id],
    ['years', set.year_id],
    ['brands', set.brand_id],
    ['manufacturers', set.manufacturer_id],
    ['sets', set.parent_id],
    ['sets', setKindIds[set.kind]],
    ['sets', everything],
  ]
  for (const [owner, id] of references) count(tallies, 'sets', owner, id, live, published, ...roots)
}

/** How many live cards of a set each player, team, player-team and attribute is on. */
const countSubjects = async (tx: Transaction, setId: string) => {
  const rows = await tx.sql<{ owner: string; id: string; cards: string }[]>`
    with entries as (
      select o.player_id, o.team_id, o.player_team_id, o.lists_player, o.lists_team, o.lists_player_team
      from cards c join oncard o on o.card_id = c.id
      where c.set_id = ${setId} and c.deleted_at is null
    )
    select 'players' as owner, player_id as id, count(*) as cards from entries where lists_player group by player_id
    union all
    select 'teams', team_id, count(*) from entries where lists_team group by team_id
    union all
    select 'playerteams', player_team_id, count(*) from entries where lists_player_team group by player_team_id
    union all
    select 'attributes', a.attribute_id, count(*)
    from cards c join card_attributes a on a.card_id = c.id
    where c.set_id = ${setId} and c.deleted_at is null group by a.attribute_id`
  return rows.map((row) => ({ ...row, cards: Number(row.cards) }))
}

/**
 * To be called once the sets are written: publishes or hides what they refer to and what depends on them, and writes changes.
 */
export const finishSets = async (tx: Transaction, sets: SetChange[], counted: Counted[], now: Date) => {
  const changes: Changes = new Map()
  const tallies: Tallies = new Map()
  await cross(tx, counted, changes, tallies)
  const ids = sets.map(({ id }) => id)
  await noteChildSets(tx, crossedSets(sets), ids, changes)
  for (const { id, before, after } of sets) {
    const audienceBefore = audienceOfSet(before)
    const audience = audienceOfSet(after)
    note(changes, 'sets', audienceBefore, audience, [id])
    if (!before || audienceBefore === audience) continue
    await moveAttached(tx, { set: id }, audience, changes, tallies)
    if (before.live_cards > 0) note(changes, 'cards', audienceBefore, audience, await cardIds(tx, id))
  }
  await applyTallies(tx, tallies)
  await writeChanges(tx, changes, now)
}

/** The sets that existed before and whose readers changed. */
const crossedSets = (sets: SetChange[]): Crossed[] =>
  sets.flatMap(({ id, before, after }) => {
    const [was, is] = [audienceOfSet(before), audienceOfSet(after)]
    return before && was !== is ? [{ id, before: was, after: is }] : []
  })

/** Those of them that have cards. */
export const crossedWithCards = (sets: SetChange[]): Crossed[] =>
  crossedSets(sets.filter(({ before }) => before && before.live_cards > 0))

const cardIds = async (tx: Transaction, setId: string) => {
  const rows = await tx.sql<{ id: string }[]>`
    select id from cards where set_id = ${setId} and deleted_at is null
    order by number_key collate "C", id`
  return rows.map((row) => row.id)
}
