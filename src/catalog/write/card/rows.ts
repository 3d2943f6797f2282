import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { hasCode } from '../../../../db/faults.ts'
import { compareBytes } from '../../../lib/text-order.ts'
import { turn } from '../../../lib/turn.ts'
import { cardName } from '../../model/card-name.ts'
import { numberKey } from '../../model/card-number.ts'
import type { LockedSet } from '../locks/sets-locked.ts'
import { lostRace } from '../race.ts'
import type { Bearer } from './bearers.ts'
import { insertBorne, layOut, type Statement } from './borne.ts'
import type { CardChange, Times } from './cards.ts'
import { withEffective } from './counts.ts'

/**
 * Writes the rows of cards with their entries and attributes, set-wise: a handful of statements for any number. What
 * hangs on the cards is laid out while the database writes them.
 */
export const writeCardRows = async (tx: Transaction, rows: CardRow[], now: Date, times?: Map<string, Times>) => {
  const [borne] = await Promise.all([turn().then(() => layOut(rows)), writeCards(tx, rows, now, times)])
  await insertBorne(tx, borne)
}

/** The rows of new cards and of what hangs on them, as the statements take them. */
export type NewRows = { columns: string[]; borne: Statement[] }

/** Lays out rows of cards that are all new, to be written later. */
export const layOutNew = (rows: CardRow[]): NewRows => ({
  columns: [...columnsOf(rows), ...timesOf(rows)],
  borne: layOut(rows),
})

/** Writes what was laid out; `writeCardRows` for new cards. */
export const writeNewRows = async (tx: Transaction, { columns, borne }: NewRows, now: Date) => {
  await insertCards(tx, columns, now)
  await insertBorne(tx, borne)
}

const writeCards = async (tx: Transaction, rows: CardRow[], now: Date, times?: Map<string, Times>) => {
  const created = rows.filter((row) => !row.before)
  const updated = rows.filter((row) => row.before)
  if (created.length > 0) await insertCards(tx, [...columnsOf(created), ...timesOf(created, times)], now)
  if (updated.length === 0) return
  await updateCards(tx, updated, now)
  const ids = arrayOf(updated.map((row) => row.id))
  await tx.sql`
    with entries as (delete from oncard where card_id = any(${ids}::uuid[]))
    delete from card_attributes where card_id = any(${ids}::uuid[])`
}

/** A card with all that is stored of it, and what its entries lead to. */
export type CardRow = ReturnType<typeof cardRow>

/** The rows of cards, with their names as those of their bearers are. */
export const cardRows = (changes: CardChange[], sets: Map<string, LockedSet>, bearers: Map<string, Bearer>) =>
  changes.map((change) => cardRow(change, sets, bearers))

const cardRow = ({ id, before, after }: CardChange, sets: Map<string, LockedSet>, bearers: Map<string, Bearer>) => {
  const entries = after.entries.map((entry) => withEffective(entry, bearers))
  const nameOf = (bearerId: string) => bearers.get(bearerId)?.name ?? ''
  return {
    id,
    before,
    after,
    entries,
    setNo: sets.get(after.setId)?.no ?? 0,
    numberKey: numberKey(after.number),
    name: cardName({
      number: after.number,
      entryNames: entries.map((entry) => nameOf(entry.id)),
      title: after.title,
      codes: after.attributeIds.map(nameOf),
      serialNumber: after.serialNumber,
    }),
    oncardIds: entries.map(({ type, id }) => `${entryMarks[type]}${id}`).join(',') || null,
    attributeIds:
      after.attributeIds.toSorted((a, b) => compareBytes(nameOf(a), nameOf(b)) || compareBytes(a, b)).join(',') || null,
    hasPlayer: entries.some((entry) => entry.playerId),
    hasTeam: entries.some((entry) => entry.teamId),
  }
}

/** How an entry's type is written before its id in `cards.oncard_ids`. */
const entryMarks = { players: 'p', teams: 't', playerteams: 'x' } as const

const columnsOf = (rows: CardRow[]) => [
  arrayOf(rows.map((row) => row.id)),
  arrayOf(rows.map((row) => row.after.setId)),
  arrayOf(rows.map((row) => row.setNo)),
  arrayOfTexts(rows.map((row) => row.after.number)),
  arrayOfTexts(rows.map((row) => row.numberKey)),
  arrayOfTexts(rows.map((row) => row.name)),
  arrayOfTexts(rows.map((row) => row.after.serialNumber)),
  arrayOf(rows.map((row) => row.after.imageUuid)),
  arrayOfTexts(rows.map((row) => row.after.title)),
  arrayOfTexts(rows.map((row) => row.after.notes)),
  arrayOf(rows.map((row) => row.after.parentId)),
  arrayOf(rows.map((row) => (row.hasPlayer ? 1 : 0))),
  arrayOf(rows.map((row) => (row.hasTeam ? 1 : 0))),
  arrayOf(rows.map((row) => (row.after.deleted ? 1 : 0))),
  arrayOfTexts(rows.map((row) => row.oncardIds)),
  arrayOfTexts(rows.map((row) => row.attributeIds)),
]

const fromColumns = (further = '', names = '') => `
  unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::text[],
    $11::text[], $12::uuid[], $13::int[], $14::int[], $15::int[], $16::text[], $17::text[]${further})
  as n (id, set_id, set_no, number, number_key, name, serial_number, image_uuid, title, notes, parent_id,
    has_player, has_team, deleted, oncard_ids, attribute_ids${names})`

/** A card that brings no times of its own was made now: arrays that end early give null. */
const timesOf = (rows: CardRow[], times?: Map<string, Times>) =>
  (['createdAt', 'updatedAt'] as const).map((member) =>
    arrayOf(times ? rows.map(({ id }) => times.get(id)?.[member] ?? null) : []),
  )

const insertCards = async (tx: Transaction, columns: string[], now: Date) => {
  try {
    await tx.sql.unsafe(
      `insert into cards (id, set_id, set_no, number, number_key, name, serial_number, image_uuid, title, notes, parent_id,
         has_player, has_team, oncard_ids, attribute_ids, created_at, updated_at, deleted_at)
       select id, set_id, set_no, number, number_key, name, serial_number, image_uuid, title, notes, parent_id,
         has_player = 1, has_team = 1, oncard_ids, attribute_ids, coalesce(made_at, $1::timestamptz),
         coalesce(changed_at, $1::timestamptz), case when deleted = 1 then $1::timestamptz end
       from ${fromColumns(', $18::timestamptz[], $19::timestamptz[]', ', made_at, changed_at')}`,
      [now.toISOString(), ...columns],
      { prepare: true },
    )
  } catch (error) {
    throw hasCode(error, '23505') ? lostRace('a card id was taken') : error
  }
}

const updateCards = (tx: Transaction, rows: CardRow[], now: Date) =>
  tx.sql.unsafe(
    `update cards c set set_id = n.set_id, set_no = n.set_no, number = n.number, number_key = n.number_key, name = n.name,
       serial_number = n.serial_number, image_uuid = n.image_uuid, title = n.title, notes = n.notes,
       parent_id = n.parent_id, has_player = n.has_player = 1, has_team = n.has_team = 1,
       oncard_ids = n.oncard_ids, attribute_ids = n.attribute_ids,
       version = c.version + 1, updated_at = $1::timestamptz,
       deleted_at = case when n.deleted = 1 then coalesce(c.deleted_at, $1::timestamptz) end
     from ${fromColumns()}
     where c.id = n.id`,
    [now.toISOString(), ...columnsOf(rows)],
    { prepare: true },
  )
