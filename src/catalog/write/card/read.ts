import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { columnNames } from '../../model/record-columns.ts'
import type { CardRecord, CardState, Entry, EntryType, StoredEntry, Subject } from '../record.ts'

const names = columnNames('cards')

/** A card with nothing in it, as a starting point for a writer. */
export const blankCard = {
  ...Object.fromEntries(names.map((name) => [name, null])),
  ...{ set_id: '', entries: [], attributeIds: [], deleted: false },
} as unknown as CardState

type Row = Omit<CardRecord, 'entries' | 'attributeIds'>

/**
 * Reads cards by id, including deleted ones. Entries and attributes have their own statements, because without statistics
 * PostgreSQL plans a join of them badly, or spends long compiling it.
 */
export const readCards = async (db: Pick<Transaction, 'sql'>, ids: string[]): Promise<Map<string, CardRecord>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.sql<Row[]>`
    select id, ${db.sql.unsafe(names.join(', '))}, name, deleted_at is not null as deleted,
      version || '.' || (extract(epoch from created_at) * 1000)::bigint as revision
    from cards where id = any(${arrayOf(ids)}::uuid[])`
  const cards = new Map<string, CardRecord>()
  for (const row of rows) cards.set(row.id, { ...row, entries: [], attributeIds: [] })
  if (cards.size > 0) await addOncard(db, cards)
  return cards
}

const addOncard = async (db: Pick<Transaction, 'sql'>, cards: Map<string, CardRecord>) => {
  await addEntries(db, cards)
  const marks = await db.sql<{ card: string; id: string }[]>`
    select card_id as card, attribute_id as id from card_attributes
    where card_id = any(${arrayOf([...cards.keys()])}::uuid[])`
  for (const { card, id } of marks) cards.get(card)?.attributeIds.push(id)
}

/** Adds the entries to cards, in order. */
export const addEntries = async (db: Pick<Transaction, 'sql'>, cards: Map<string, { entries: StoredEntry[] }>) => {
  const ids = arrayOf([...cards.keys()])
  const entries = await db.sql<(StoredIds & { card: string })[]>`
    select card_id as card, player_id as "playerId", team_id as "teamId", player_team_id as "playerTeamId"
    from oncard where card_id = any(${ids}::uuid[]) order by card_id, position`
  for (const entry of entries) cards.get(entry.card)?.entries.push(storedEntry(entry))
}

type StoredIds = { playerId: string | null; teamId: string | null; playerTeamId: string | null }

const storedEntry = ({ playerId, teamId, playerTeamId }: StoredIds): StoredEntry => ({
  type: playerTeamId ? 'playerteams' : playerId ? 'players' : 'teams',
  id: (playerTeamId ?? playerId ?? teamId) as string,
  playerId,
  teamId,
})

/** Whether two states have the same card content, so that writing the second would change nothing. */
export const sameCard = (a: CardState, b: CardState) =>
  a === b ||
  (names.every((name) => a[name] === b[name]) &&
    a.deleted === b.deleted &&
    sameEntries(a.entries, b.entries) &&
    sameIds(a.attributeIds, b.attributeIds))

/** Whether two lists have the same entries in the same order. */
export const sameEntries = (a: Entry[], b: Entry[]) =>
  a.length === b.length && a.every((entry, index) => entry.id === b[index]?.id && entry.type === b[index]?.type)

/** Whether two lists have the same ids in any order. */
export const sameIds = (a: string[], b: string[]) => a.every((id) => b.includes(id)) && b.every((id) => a.includes(id))

/**
 * Reads players, teams, player-teams and attributes by id. Deleted ones have the audience 0, and so does a player-team whose
 * player or team is deleted.
 */
export const readSubjects = async (
  db: Pick<Transaction, 'sql'>,
  entries: Iterable<Entry>,
  attributeIds: Iterable<string>,
): Promise<Map<string, Subject>> => {
  const ids: Record<EntryType, Set<string>> = { players: new Set(), teams: new Set(), playerteams: new Set() }
  for (const entry of entries) ids[entry.type].add(entry.id)
  const attributes = [...new Set(attributeIds)]
  if (ids.players.size + ids.teams.size + ids.playerteams.size + attributes.length === 0) return new Map()
  const rows = await db.sql<Subject[]>`
    select 'players' as type, id, name, audience, id as "playerId", null::uuid as "teamId"
    from players where id = any(${arrayOf([...ids.players])}::uuid[])
    union all
    select 'teams', id, name, audience, null, id
    from teams where id = any(${arrayOf([...ids.teams])}::uuid[])
    union all
    select 'playerteams', pt.id, p.name, case when p.audience = 0 or t.audience = 0 then 0 else pt.audience end,
      pt.player_id, pt.team_id
    from player_teams pt join players p on p.id = pt.player_id join teams t on t.id = pt.team_id
    where pt.id = any(${arrayOf([...ids.playerteams])}::uuid[])
    union all
    select 'attributes', id, attribute, audience, null, null
    from attributes where id = any(${arrayOf(attributes)}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}
