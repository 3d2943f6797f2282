import type { Database, Transaction } from '../../../../db/client.ts'
import { type Act, writeAudit } from '../../../audit/write.ts'
import { type Fault, validationFailed } from '../../../jsonapi/errors.ts'
import { changeEntries, readEntries } from '../../write/card/entries.ts'
import { entityWrites } from '../../write/entity/documents.ts'
import { createPlayerTeams } from '../../write/entity/player-teams.ts'
import { claimsOf } from '../../write/locks/claims.ts'
import { noteCreated } from '../../write/locks/order.ts'
import { lockSets } from '../../write/locks/sets.ts'
import type { StoredEntry, Writer } from '../../write/record.ts'
import { enter } from '../../write/write-transaction.ts'
import { insertDismissal } from '../duplicates.ts'
import { writerOf } from '../merge/record.ts'
import { type ChosenCards, findChosen } from './chosen.ts'

/** Which cards of a player belong to somebody else, and that person's name. */
export type SplitOrder = { playerId: string; attributes: Record<string, unknown>; cards: ChosenCards }

/** The new player, and how many cards moved to them. */
type Split = { id: string; moved: number }

/**
 * Creates a player and gives them cards of another player, whose record stood for both (decisions.md §13). The entries keep
 * their teams, and the two aren't listed as duplicates, whatever their names. 422 if the player isn't on one of the named
 * cards, or no card is left to move.
 */
export const splitPlayer = async (db: Database, order: SplitOrder, by: Act): Promise<Split> => {
  const { playerId } = order
  const id = Bun.randomUUIDv7()
  const writer = writerOf(by, 'split', id)
  const work = async (tx: Transaction) => {
    noteCreated(tx, id)
    const cards = await requireCards(tx, order)
    await makePlayer(tx, id, order, writer)
    const stored = [...(await readEntries(tx, cards)).values()]
    await lockSets(tx, [...new Set(stored.map(({ set_id }) => set_id))])
    const entries = stored.flatMap(({ entries }) => entries)
    const pairs = await makePairs(tx, { from: playerId, to: id }, entries, writer)
    const after = (entries: StoredEntry[]) => entries.map((entry) => given(entry, { from: playerId, to: id }, pairs))
    const changes = stored.map((card) => ({ card, after: after(card.entries) }))
    await changeEntries(tx, changes, writer)
    await insertDismissal(tx, { objectType: 'players', ids: [playerId, id] }, by)
    const data = { player_id: playerId, cards: stored.length }
    await writeAudit(tx, by, { eventType: 'player.split', auditableType: 'players', auditableId: id, data })
    return { id, moved: stored.length }
  }
  return enter(db, work, async (tx) => {
    const named = (await findChosen(tx, playerId, order.cards)).map((card) => ({ type: 'cards', id: card }))
    const claims = await claimsOf(tx, [...named, { type: 'players', id: playerId }], [])
    claims.rows.add(`cards of players:${playerId}`)
    return claims
  })
}

const requireCards = async (tx: Transaction, { playerId, cards }: SplitOrder): Promise<string[]> => {
  const [player] = await tx.sql`select 1 from players where id = ${playerId} and deleted_at is null`
  if (!player)
    throw validationFailed([{ pointer: '/player_id', detail: 'There is no such player, or it is hidden from you.' }])
  const chosen = await findChosen(tx, playerId, cards)
  const found = new Set(chosen)
  const faults = Array.isArray(cards)
    ? cards.flatMap((id, index): Fault[] =>
        found.has(id) ? [] : [{ pointer: `/cards/${index}`, detail: 'The player is not on this card.' }],
      )
    : []
  if (faults.length === 0 && chosen.length === 0)
    faults.push({ pointer: '/cards', detail: 'The player is on none of these cards.' })
  if (faults.length > 0) throw validationFailed(faults)
  return chosen
}

/** The new player gets the name in the order, or else the old player's name. */
const makePlayer = async (tx: Transaction, id: string, { playerId, attributes }: SplitOrder, writer: Writer) => {
  const [old] = await tx.sql<{ first_name: string; last_name: string }[]>`
    select first_name, last_name from players where id = ${playerId}`
  const names = [attributes.first_name, attributes.last_name].filter((name) => typeof name === 'string')
  const isNamed = names.length > 0
  if (isNamed && names.every((name) => name.trim() === ''))
    throw validationFailed([{ pointer: '/attributes/last_name', detail: 'The new player needs a first or last name.' }])
  const named = isNamed ? attributes : { ...attributes, ...old }
  await entityWrites.players.create?.(tx, id, { attributes: named, relationships: {} }, writer)
}

type Move = { from: string; to: string }

/** The new player's player-teams, by the old player's. */
const makePairs = async (tx: Transaction, { from, to }: Move, entries: StoredEntry[], writer: Writer) => {
  const old = new Map(
    entries.flatMap(({ type, id, playerId, teamId }) =>
      type === 'playerteams' && playerId === from && teamId ? [[id, teamId] as const] : [],
    ),
  )
  const wanted = [...old.values()].map((teamId) => ({ id: Bun.randomUUIDv7(), playerId: to, teamId }))
  for (const pair of wanted) noteCreated(tx, pair.id)
  const made = wanted.length > 0 ? await createPlayerTeams(tx, wanted, writer) : []
  return new Map([...old.keys()].map((id, index) => [id, made[index]?.id as string]))
}

const given = (entry: StoredEntry, { from, to }: Move, pairs: Map<string, string>): StoredEntry =>
  entry.playerId === from
    ? { ...entry, playerId: to, id: entry.type === 'players' ? to : (pairs.get(entry.id) ?? entry.id) }
    : entry
