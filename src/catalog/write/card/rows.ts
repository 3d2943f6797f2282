import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { hasCode } from '../../../../db/faults.ts'
import { bindRows, insertRows } from '../../../../db/rows.ts'
import { cardAttributes, cards, oncard } from '../../../../db/schema/index.ts'
import { compareBytes } from '../../../lib/text-order.ts'
import { turn } from '../../../lib/turn.ts'
import { cardName } from '../../model/card-name.ts'
import { numberKey } from '../../model/card-number.ts'
import { columnNames } from '../../model/record-columns.ts'
import { importOf } from '../history/imported.ts'
import { lostRace } from '../locks/order.ts'
import type { CardChange, LockedSet, StoredEntry, Subject, Times, Writer } from '../record.ts'
import { withSides } from './counts.ts'

/** A card to be written: what is stored of it, its entries with the players and teams behind them, and its attributes. */
type CardRow = ReturnType<typeof cardRow>

/** Lays out cards, with their names as those of what is on them are. */
export const cardRows = (
  changes: CardChange[],
  sets: Map<string, LockedSet>,
  subjects: Map<string, Subject>,
  now: Date,
) => changes.map((change) => cardRow(change, sets, subjects, now.toISOString()))

/** What follows from the columns of a card itself and from what is on it. */
const derived = ['set_no', 'number_key', 'name', 'has_player', 'has_team', 'oncard_ids', 'attribute_ids'] as const

/** Every column of a card that its writer stores; `updated` ones are set again by each change. */
const updated = [...columnNames('cards'), ...derived]
const inserted = ['id', ...updated, 'deleted_at'] as const

const cardRow = (
  { id, before, after }: CardChange,
  sets: Map<string, LockedSet>,
  subjects: Map<string, Subject>,
  now: string,
) => {
  const entries = after.entries.map((entry) => withSides(entry, subjects))
  const nameOf = (subjectId: string) => subjects.get(subjectId)?.name ?? ''
  const { attributeIds, deleted } = after
  return {
    ...after,
    id,
    isNew: !before,
    entries,
    set_no: sets.get(after.set_id)?.no ?? 0,
    number_key: numberKey(after.number),
    name: cardName({
      number: after.number,
      entryNames: entries.map((entry) => nameOf(entry.id)),
      title: after.title,
      codes: attributeIds.map(nameOf),
      serialNumber: after.serial_number,
    }),
    attribute_ids:
      attributeIds.toSorted((a, b) => compareBytes(nameOf(a), nameOf(b)) || compareBytes(a, b)).join(',') || null,
    ...keptOf(entries),
    deleted_at: deleted ? now : null,
  }
}

/** What a card keeps of its entries. */
export const keptOf = (entries: StoredEntry[]) => ({
  oncard_ids: entries.map(({ type, id }) => `${entryMarks[type]}${id}`).join(',') || null,
  has_player: entries.some((entry) => entry.playerId),
  has_team: entries.some((entry) => entry.teamId),
})

/** How an entry's type is written before its id in `cards.oncard_ids`. */
const entryMarks = { players: 'p', teams: 't', playerteams: 'x' } as const

/**
 * Writes cards with their entries and attributes, set-wise: a handful of statements for any number. Entries and attributes
 * are laid out while the database writes the cards.
 */
export const writeCardRows = async (tx: Transaction, rows: CardRow[], writer: By) => {
  const [onCards] = await Promise.all([turn().then(() => layOutOnCards(rows)), writeCards(tx, rows, writer)])
  await runAll(tx, onCards)
}

type By = Pick<Writer, 'now' | 'cause' | 'mirrored'>

const writeCards = async (tx: Transaction, rows: CardRow[], writer: By) => {
  const made = rows.filter((row) => row.isNew)
  const changed = rows.filter((row) => !row.isNew)
  if (made.length > 0) await insertCards(tx, layOutCards(made, writer))
  if (changed.length === 0) return
  const { from, values } = bindRows(cards, inserted, changed, 3)
  await tx.sql.unsafe(
    `update cards c set ${updated.map((name) => `${name} = n.${name}`).join(', ')},
       version = c.version + 1, updated_at = $1::timestamptz, import_id = coalesce($2::uuid, c.import_id),
       deleted_at = case when n.deleted_at is not null then coalesce(c.deleted_at, n.deleted_at) end
     from ${from} where c.id = n.id`,
    [writer.now.toISOString(), importOf(writer), ...values],
    { prepare: true },
  )
  const ids = arrayOf(changed.map((row) => row.id))
  await tx.sql`
    with entries as (delete from oncard where card_id = any(${ids}::uuid[]))
    delete from card_attributes where card_id = any(${ids}::uuid[])`
}

type Statement = { text: string; values: (string | null)[] }

/** New cards as the statements that insert them. */
export type NewRows = { cards: Statement; onCards: Statement[] }

/** Lays out statements for cards that are all new, to be run later. */
export const layOutNew = (rows: CardRow[], writer: By): NewRows => ({
  cards: layOutCards(rows, writer),
  onCards: layOutOnCards(rows),
})

/** Runs what was laid out: `writeCardRows` for new cards. */
export const writeNewRows = async (tx: Transaction, { cards, onCards }: NewRows) => {
  await insertCards(tx, cards)
  await runAll(tx, onCards)
}

/** A card that brings no times of its own was made now. */
const layOutCards = (rows: CardRow[], { now, mirrored, ...writer }: By): Statement => {
  const times = mirrored?.times
  const timed = times && rows.map((row) => ({ ...row, ...timesOf(times.get(row.id), now) }))
  if (timed) return insertRows(cards, [...inserted, 'created_at', 'updated_at'], timed)
  const { from, values } = bindRows(cards, inserted, rows, 3)
  const list = inserted.join(', ')
  const text = `insert into cards (${list}, created_at, updated_at, import_id)
    select ${list}, $1::timestamptz, $1::timestamptz, $2::uuid from ${from}`
  return { text, values: [now.toISOString(), importOf(writer), ...values] }
}

const timesOf = (times: Times | undefined, now: Date) => ({
  created_at: times?.createdAt ?? now.toISOString(),
  updated_at: times?.updatedAt ?? now.toISOString(),
})

const insertCards = async (tx: Transaction, statement: Statement) => {
  try {
    await runAll(tx, [statement])
  } catch (error) {
    throw hasCode(error, '23505') ? lostRace('a card id was taken') : error
  }
}

const runAll = async (tx: Transaction, statements: Statement[]) => {
  await Promise.all(statements.map(({ text, values }) => tx.sql.unsafe(text, values, { prepare: true })))
}

/** The statements that store entries and attributes of cards; one without a row is left out. */
const layOutOnCards = (rows: CardRow[]): Statement[] => {
  const entries = rows.flatMap(entryRows)
  const attributes = rows.flatMap(({ id, attributeIds, set_no, number_key }) =>
    attributeIds.map((attribute_id) => ({ card_id: id, attribute_id, set_no, number_key })),
  )
  return [
    ...(entries.length > 0 ? [insertRows(oncard, entryColumns, entries)] : []),
    ...(attributes.length > 0
      ? [insertRows(cardAttributes, ['card_id', 'attribute_id', 'set_no', 'number_key'], attributes)]
      : []),
  ]
}

/** The columns of an entry. */
export const entryColumns = [
  ...(['card_id', 'position', 'player_id', 'team_id', 'player_team_id', 'set_no', 'number_key'] as const),
  ...(['lists_player', 'lists_team', 'lists_player_team'] as const),
]

/** The entries of a card. The first one with a player, team or pair lists a live card there. */
export const entryRows = ({
  id,
  entries,
  set_no,
  number_key,
  deleted,
}: Pick<CardRow, 'id' | 'entries' | 'set_no' | 'number_key' | 'deleted'>) => {
  const isFirst = (member: 'playerId' | 'teamId' | 'id', subjectId: string | null, position: number) =>
    !deleted && subjectId !== null && entries.findIndex((entry) => entry[member] === subjectId) === position
  return entries.map(({ type, id: entryId, playerId, teamId }, position) => {
    const pairId = type === 'playerteams' ? entryId : null
    return {
      card_id: id,
      position,
      player_id: playerId,
      team_id: teamId,
      player_team_id: pairId,
      set_no,
      number_key,
      lists_player: isFirst('playerId', playerId, position),
      lists_team: isFirst('teamId', teamId, position),
      lists_player_team: isFirst('id', pairId, position),
    }
  })
}
