import { compareBytes } from '../../../lib/text-order.ts'
import { cardName } from '../../model/card-name.ts'
import { numberKey } from '../../model/card-number.ts'
import { columnNames } from '../../model/record-columns.ts'
import { importOf } from '../history/imported.ts'
import type { CardChange, LockedSet, StoredEntry, Subject, Writer } from '../record.ts'
import { withSides } from './counts.ts'

/** A card to be written: what is stored of it, its entries with their players and teams, and its attributes. */
export type CardRow = ReturnType<typeof cardRow>

/** Who writes rows, and when. */
export type By = Pick<Writer, 'now' | 'cause' | 'mirrored'>

/** Makes the rows of cards. Their names are made from the names of what is on them. */
export const cardRows = (
  changes: CardChange[],
  sets: Map<string, LockedSet>,
  subjects: Map<string, Subject>,
  writer: By,
) => {
  const [now, importId, times] = [writer.now.toISOString(), importOf(writer), writer.mirrored?.times]
  return changes.map((change) => {
    const own = times?.get(change.id)
    return cardRow(change, sets, subjects, {
      ...{ now, created_at: own?.createdAt ?? now, updated_at: own?.updatedAt ?? now, import_id: importId },
    })
  })
}

/** The columns derived from a card's other columns and from what is on it. */
const derived = ['set_no', 'number_key', 'name', 'has_player', 'has_team', 'oncard_ids', 'attribute_ids'] as const

/** Every column of a card that its writer stores. The `updated` ones are set again by each change. */
export const updated = [...columnNames('cards'), ...derived]
export const inserted = ['id', ...updated, 'deleted_at'] as const

/** What the first write of a card also stores. A card without its own times was created now. */
export const made = ['created_at', 'updated_at', 'import_id'] as const

const cardRow = (
  { id, before, after }: CardChange,
  sets: Map<string, LockedSet>,
  subjects: Map<string, Subject>,
  {
    now,
    created_at,
    updated_at,
    import_id,
  }: Record<'now' | 'created_at' | 'updated_at', string> & { import_id: string | null },
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
    attribute_ids: inOrder(attributeIds, nameOf).join(',') || null,
    ...keptOf(entries),
    deleted_at: deleted ? now : null,
    ...{ created_at, updated_at, import_id },
  }
}

/** Attributes in the order of their codes. */
const inOrder = (attributeIds: string[], nameOf: (id: string) => string) =>
  attributeIds.length < 2
    ? attributeIds
    : attributeIds.toSorted((a, b) => compareBytes(nameOf(a), nameOf(b)) || compareBytes(a, b))

/** What a card stores about its entries. */
export const keptOf = (entries: StoredEntry[]) => ({
  oncard_ids: entries.map(({ type, id }) => `${entryMarks[type]}${id}`).join(',') || null,
  has_player: entries.some((entry) => entry.playerId),
  has_team: entries.some((entry) => entry.teamId),
})

/** How an entry's type is written before its id in `cards.oncard_ids`. */
const entryMarks = { players: 'p', teams: 't', playerteams: 'x' } as const

/** The columns of an entry. */
export const entryColumns = [
  ...(['card_id', 'position', 'player_id', 'team_id', 'player_team_id', 'set_no', 'number_key'] as const),
  ...(['lists_player', 'lists_team', 'lists_player_team'] as const),
]

/** A card's entry rows. The first one with a player, team or pair lists a live card there. */
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
