import type { Transaction } from '../../../../db/client.ts'
import { conflict, noSuch, validationFailed } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import { counted } from '../../../lib/counted.ts'
import { readCards } from '../card/read.ts'
import { readSubjectsOf } from '../card/subjects.ts'
import { commitCards } from '../card/write.ts'
import { pairFields } from '../history/fields.ts'
import { writeRevisions } from '../history/revisions.ts'
import { lostRace } from '../locks/order.ts'
import { lockSets } from '../locks/sets.ts'
import type { CardChange, LockedSet, Pair, Writer } from '../record.ts'
import { audiences, countPairs, lockPair, type PairRow, requirePair, requirePeople } from './player-teams.ts'
import { cardsInOneRename } from './write.ts'

/**
 * Gives a player-team another player or team. Every live card that it is on is rewritten: names, entries, counts. A pair that
 * already exists violates the constraint `player_teams_pair`.
 */
export const changePlayerTeam = async (tx: Transaction, id: string, change: Partial<Pair>, writer: Writer) => {
  await lockSets(tx, setsOf(await findCards(tx, id, writer)))
  const found = await findCards(tx, id, writer)
  if (found.length > cardsInOneRename && !writer.mirrored)
    throw conflict(`The player-team is on more than ${counted(cardsInOneRename, 'live card')}.`)
  const sets = await lockSets(tx, setsOf(found))
  const cardIds = found.map((row) => row.card_id)
  const before = await requirePair(tx, id, writer)
  const after = { ...before, ...change }
  if (after.playerId === before.playerId && after.teamId === before.teamId) return
  const cards = await readCards(tx, cardIds)
  await lockPair(tx, id, [before, after], [...cards.values()])
  await requireUnchanged(tx, before, found, writer)
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
  await rewriteCards(tx, cardIds, sets, writer)
  await countPairs(
    tx,
    [
      { row: before, before: before.audience, after: Audience.deleted },
      { row: after, before: Audience.deleted, after: before.audience },
    ],
    writer.now,
  )
  await writeRevisions(tx, 'playerteams', [{ id, before: pairFields(before), after: pairFields(after) }], writer)
}

type Found = { card_id: string; set_id: string }[]

const setsOf = (cards: Found) => [...new Set(cards.map((row) => row.set_id))]

/**
 * The live cards that a player-team is on, up to one more than may be written at once. A mirror writes as many as its source
 * did.
 */
const findCards = (tx: Transaction, id: string, { mirrored }: Writer): Promise<Found> =>
  tx.sql<Found>`
    select o.card_id, c.set_id from oncard o join cards c on c.id = o.card_id
    where o.player_team_id = ${id} and o.lists_player_team order by o.card_id
    limit ${mirrored ? null : cardsInOneRename + 1}::bigint`

/** What was read before the lock must still be true, because another writer may have changed the pair or put it on a card. */
const requireUnchanged = async (tx: Transaction, before: PairRow, found: Found, writer: Writer) => {
  const now = await requirePair(tx, before.id, { level: 0, expects: writer.expects })
  const isSame = now.playerId === before.playerId && now.teamId === before.teamId && now.audience === before.audience
  const still = await findCards(tx, before.id, writer)
  if (!isSame || still.length !== found.length || still.some((row, n) => row.card_id !== found[n]?.card_id))
    throw lostRace('a player-team was changed')
}

const rewriteCards = async (tx: Transaction, ids: string[], sets: Map<string, LockedSet>, writer: Writer) => {
  if (ids.length === 0) return
  const cards = [...(await readCards(tx, ids)).values()]
  if (cards.length !== ids.length || cards.some((card) => !sets.has(card.set_id))) throw lostRace('a card moved')
  const changes: CardChange[] = cards.map((card) => ({ id: card.id, before: card, after: card }))
  await commitCards(tx, changes, sets, await readSubjectsOf(tx, changes), writer)
}

const requireVisible = async (tx: Transaction, table: 'players' | 'teams', id: string, level: number) => {
  const found = await audiences(tx, table, [id])
  const name = table === 'players' ? 'player' : 'team'
  if ((found.get(id) ?? -1) < level) throw validationFailed([noSuch(name, { pointer: `/data/attributes/${name}_id` })])
}
