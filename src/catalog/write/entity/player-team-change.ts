import type { Transaction } from '../../../../db/client.ts'
import { conflict, noSuch, validationFailed } from '../../../jsonapi/errors.ts'
import { counted } from '../../../lib/counted.ts'
import type { CardChange, Writer } from '../card/cards.ts'
import { bearersOf, commitCards } from '../card/commit.ts'
import { readCards } from '../card/record.ts'
import { lockSets } from '../locks/sets-locked.ts'
import { lostRace } from '../race.ts'
import { cardsInOneRename } from './entities.ts'
import { audiences, countPairs, lockPair, type Pair, type PairRow, requirePair, requirePeople } from './player-teams.ts'

/**
 * Gives a player-team another player or team. Every live card that bears it is written again: names, entries, counts.
 * A pair that exists already violates the constraint `player_teams_pair`.
 */
export const changePlayerTeam = async (tx: Transaction, id: string, change: Partial<Pair>, writer: Writer) => {
  await lockSets(tx, setsOf(await readBorne(tx, id)))
  const borne = await readBorne(tx, id)
  if (borne.length > cardsInOneRename)
    throw conflict(`The player-team is borne by more than ${counted(cardsInOneRename, 'live card')}.`)
  const sets = await lockSets(tx, setsOf(borne))
  const before = await requirePair(tx, id, writer)
  const after = { ...before, ...change }
  if (after.playerId === before.playerId && after.teamId === before.teamId) return
  const cards = await readCards(
    tx,
    borne.map((row) => row.card_id),
  )
  await lockPair(tx, id, [before, after], [...cards.values()])
  await requireUnchanged(tx, before, borne, writer)
  await requirePeople(tx, [after], 0)
  const changed = Object.entries({ playerId: 'players', teamId: 'teams' }) as [
    'playerId' | 'teamId',
    'players' | 'teams',
  ][]
  for (const [member, table] of changed)
    if (after[member] !== before[member]) await requireVisible(tx, table, after[member], writer.level)
  await tx.sql`
    update player_teams pt set player_id = p.id, team_id = t.id, name = p.name || ' (' || t.name || ')',
      is_yielded = false, version = pt.version + 1, updated_at = ${writer.now.toISOString()}::timestamptz
    from players p, teams t where pt.id = ${id} and p.id = ${after.playerId} and t.id = ${after.teamId}`
  await rewriteCards(
    tx,
    borne.map((row) => row.card_id),
    sets,
    writer.now,
  )
  await countPairs(
    tx,
    [
      { row: before, before: before.audience, after: 0 },
      { row: after, before: 0, after: before.audience },
    ],
    writer.now,
  )
}

type Borne = { card_id: string; set_id: string }[]

const setsOf = (borne: Borne) => [...new Set(borne.map((row) => row.set_id))]

/** The live cards that bear a player-team, and one more than may be written at once. */
const readBorne = (tx: Transaction, id: string): Promise<Borne> =>
  tx.sql<Borne>`
    select o.card_id, c.set_id from oncard o join cards c on c.id = o.card_id
    where o.player_team_id = ${id} and o.lists_player_team order by o.card_id limit ${cardsInOneRename + 1}`

/** What was read before the lock must still be so: another writer may have changed the pair or put it on a card. */
const requireUnchanged = async (tx: Transaction, before: PairRow, borne: Borne, writer: Writer) => {
  const now = await requirePair(tx, before.id, { level: 0, expects: writer.expects })
  const isSame = now.playerId === before.playerId && now.teamId === before.teamId && now.audience === before.audience
  const still = await readBorne(tx, before.id)
  if (!isSame || still.length !== borne.length || still.some((row, n) => row.card_id !== borne[n]?.card_id))
    throw lostRace('a player-team was changed')
}

const rewriteCards = async (tx: Transaction, ids: string[], sets: Awaited<ReturnType<typeof lockSets>>, now: Date) => {
  if (ids.length === 0) return
  const cards = [...(await readCards(tx, ids)).values()]
  if (cards.length !== ids.length || cards.some((card) => !sets.has(card.setId))) throw lostRace('a card moved')
  const changes: CardChange[] = cards.map((card) => ({ id: card.id, before: card, after: card }))
  await commitCards(tx, changes, sets, await bearersOf(tx, changes), now)
}

const requireVisible = async (tx: Transaction, table: 'players' | 'teams', id: string, level: number) => {
  const found = await audiences(tx, table, [id])
  const name = table === 'players' ? 'player' : 'team'
  if ((found.get(id) ?? -1) < level) throw validationFailed([noSuch(name, { pointer: `/data/attributes/${name}_id` })])
}
