import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import type { Entry } from './bearers.ts'

/** A card as a writer wants it to be: everything that is stored of it and not derived. */
export type CardState = {
  setId: string
  number: string | null
  serialNumber: string | null
  imageUuid: string | null
  title: string | null
  notes: string | null
  parentId: string | null
  entries: Entry[]
  attributeIds: string[]
  deleted: boolean
}

/** An entry as it was stored, with the player and the team that it leads to. */
export type StoredEntry = Entry & { playerId: string | null; teamId: string | null }

/** A card as it is stored. */
export type CardRecord = CardState & {
  id: string
  entries: StoredEntry[]
  name: string
  version: number
  revision: string
}

type Row = Omit<CardRecord, 'entries' | 'attributeIds' | 'version'> & { version: string }

/**
 * Reads cards, deleted ones too, by id. Entries and attributes are read by statements of their own: what joins them, or
 * asks for them card by card, is planned badly or compiled at length by a PostgreSQL that has no statistics yet.
 */
export const readCards = async (db: Pick<Transaction, 'sql'>, ids: string[]): Promise<Map<string, CardRecord>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.sql<Row[]>`
    select id, set_id as "setId", number, serial_number as "serialNumber", image_uuid as "imageUuid", title, notes,
      parent_id as "parentId", name, version, deleted_at is not null as deleted,
      version || '.' || (extract(epoch from created_at) * 1000)::bigint as revision
    from cards where id = any(${arrayOf(ids)}::uuid[])`
  const cards = new Map<string, CardRecord>()
  for (const row of rows) cards.set(row.id, { ...row, version: Number(row.version), entries: [], attributeIds: [] })
  if (cards.size > 0) await addBorne(db, cards)
  return cards
}

const addBorne = async (db: Pick<Transaction, 'sql'>, cards: Map<string, CardRecord>) => {
  const ids = arrayOf([...cards.keys()])
  const entries = await db.sql<(StoredIds & { card: string })[]>`
    select card_id as card, player_id as "playerId", team_id as "teamId", player_team_id as "playerTeamId"
    from oncard where card_id = any(${ids}::uuid[]) order by card_id, position`
  for (const entry of entries) cards.get(entry.card)?.entries.push(storedEntry(entry))
  const marks = await db.sql<{ card: string; id: string }[]>`
    select card_id as card, attribute_id as id from card_attributes where card_id = any(${ids}::uuid[])`
  for (const { card, id } of marks) cards.get(card)?.attributeIds.push(id)
}

type StoredIds = { playerId: string | null; teamId: string | null; playerTeamId: string | null }

const storedEntry = ({ playerId, teamId, playerTeamId }: StoredIds): StoredEntry => ({
  type: playerTeamId ? 'playerteams' : playerId ? 'players' : 'teams',
  id: (playerTeamId ?? playerId ?? teamId) as string,
  playerId,
  teamId,
})

/** Whether two states are the same card content, so that writing the second would change nothing. */
export const sameCard = (a: CardState, b: CardState) =>
  a.setId === b.setId &&
  a.number === b.number &&
  a.serialNumber === b.serialNumber &&
  a.imageUuid === b.imageUuid &&
  a.title === b.title &&
  a.notes === b.notes &&
  a.parentId === b.parentId &&
  a.deleted === b.deleted &&
  sameEntries(a.entries, b.entries) &&
  sameIds(a.attributeIds, b.attributeIds)

/** Whether the same entries stand in the same order. */
const sameEntries = (a: Entry[], b: Entry[]) =>
  a.length === b.length && a.every((entry, index) => entry.id === b[index]?.id && entry.type === b[index]?.type)

const sameIds = (a: string[], b: string[]) => a.every((id) => b.includes(id)) && b.every((id) => a.includes(id))
