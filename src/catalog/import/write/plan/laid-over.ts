import { sameEntries, sameIds } from '../../../write/card/read.ts'
import type { CardRecord, CardState, Entry, StoredEntry } from '../../../write/record.ts'
import type { CardItem, Unsaid } from '../../read/item.ts'
import type { Says } from '../curated-fields.ts'
import type { WantedCard } from '../find/cards.ts'

/** The row's values over the stored ones. What its file has no column for stays (decisions.md §19). */
export const laidOver = (before: CardRecord, { item, state, denied }: WantedCard): CardState => {
  const { set_id, number, serial_number, title, deleted } = state
  const says = (part: Unsaid) => !item.unsaid?.includes(part)
  const isParentSaid = item.parent !== undefined && (says('parent') || state.parent_id !== null)
  return {
    ...before,
    ...item.further,
    ...{ set_id, deleted },
    number: says('number') ? number : before.number,
    serial_number: says('serial_number') ? serial_number : before.serial_number,
    title: says('title') ? title : before.title,
    entries: entriesOver(before.entries, state.entries, says('players'), says('teams')),
    attributeIds: says('attributes') ? state.attributeIds : codesOver(before.attributeIds, state.attributeIds, denied),
    image_uuid: item.imageId === undefined ? before.image_uuid : state.image_uuid,
    parent_id: isParentSaid ? state.parent_id : before.parent_id,
    notes: state.notes ?? before.notes,
  }
}

/** Whether all that a row says stands on the card already, so that nothing has to be laid over it. */
export const saysNothingNew = (before: CardRecord, { item, state, denied }: WantedCard): boolean => {
  const { unsaid, further, parent } = item
  const says = (part: Unsaid) => !unsaid?.includes(part)
  for (const name in further)
    if (further[name as keyof typeof further] !== before[name as keyof CardState]) return false
  return (
    before.set_id === state.set_id &&
    before.deleted === state.deleted &&
    (before.number === state.number || !says('number')) &&
    (before.serial_number === state.serial_number || !says('serial_number')) &&
    (before.title === state.title || !says('title')) &&
    (state.notes === null || before.notes === state.notes) &&
    (item.imageId === undefined || before.image_uuid === state.image_uuid) &&
    (before.parent_id === state.parent_id || parent === undefined || (state.parent_id === null && !says('parent'))) &&
    sameIds(before.attributeIds, state.attributeIds) &&
    denied.length === 0 &&
    sameEntries(before.entries, state.entries)
  )
}

/** Whether a row has a value for a card's field. */
export const saysOf =
  ({ unsaid, notes, imageId, parent, further }: CardItem, before: CardState, after: CardState): Says =>
  (field) => {
    if (field === 'notes') return notes !== null
    if (field === 'image_uuid') return imageId !== undefined
    if (field === 'parent_id') return parent !== undefined && (!unsaid?.includes('parent') || after.parent_id !== null)
    if (field === 'oncard') return after.entries !== before.entries
    if (field === 'attributes') return after.attributeIds !== before.attributeIds
    return fieldsSaid.has(field) ? !unsaid?.some((part) => part === field) : field in (further ?? {})
  }

const fieldsSaid = new Set(['set_id', 'number', 'serial_number', 'title', 'deleted'])

/**
 * Who is on a card after a row that names only players or only teams. If they are those of the card, all of it stays. Otherwise
 * players keep their teams, and what the row doesn't speak of stays behind them.
 */
const entriesOver = (before: StoredEntry[], said: StoredEntry[], players: boolean, teams: boolean): Entry[] => {
  if (players && teams) return said
  const side = players ? 'playerId' : 'teamId'
  const other = players ? 'teamId' : 'playerId'
  if ((!players && !teams) || Bun.deepEquals(idsOf(before, side), idsOf(said, side))) return before
  const rest = before.filter((entry) => (players ? !entry.playerId : entry.playerId))
  const kept = said.flatMap((entry) => {
    const same = before.filter((one) => one[side] === entry[side])
    if (same.length === 0) return [entry]
    return players ? same : same.filter((one) => !one[other])
  })
  return players ? [...kept, ...rest] : [...rest, ...kept]
}

/** The players or the teams of entries, each once. */
export const idsOf = (entries: StoredEntry[], side: 'playerId' | 'teamId'): string[] => {
  if (entries.length > 1) return [...new Set(entries.flatMap((entry) => entry[side] ?? []))]
  const id = entries[0]?.[side]
  return id ? [id] : []
}

/** The card's codes without the denied ones, and with the row's. The same list if that changes nothing. */
const codesOver = (before: string[], said: string[], denied: string[]) => {
  const isChanged = said.some((id) => !before.includes(id)) || before.some((id) => denied.includes(id))
  return isChanged ? [...new Set([...before.filter((id) => !denied.includes(id)), ...said])] : before
}
