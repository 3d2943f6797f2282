import { blankCard } from '../../../write/card/read.ts'
import type { StoredEntry } from '../../../write/record.ts'
import type { CardItem } from '../../read/item.ts'
import type { WantedCard } from '../find/cards.ts'
import type { Known } from '../lookup-cache.ts'
import { namedId } from '../names.ts'
import { findEntries } from '../people.ts'
import { addNote } from '../report.ts'
import type { Part } from '../run/chunk-context.ts'
import type { PlacedSets } from '../session.ts'
import { refuseInto } from './row.ts'

/** The card that each row of a chunk describes, from the names known now. Refuses rows that refer to something that doesn't exist. */
export const wantCards = (items: CardItem[], sets: PlacedSets, part: Part): WantedCard[] => {
  const refuse = refuseInto(part.report)
  return items.flatMap((item) => {
    const wanted = wantCard(item, sets, part)
    if (typeof wanted !== 'string') return [{ item, ...wanted }]
    refuse(item, wanted)
    return []
  })
}

/** The card that a row describes, or the reason to refuse it. */
const wantCard = (item: CardItem, sets: PlacedSets, { known, report }: Part): Omit<WantedCard, 'item'> | string => {
  const set = sets.get(item.setKey)
  if (!set) throw new Error(`the set ${item.setKey} has no place`)
  const { id, genreId, year } = set
  const found = findEntries(item.entries, known, { id, genreId, year, number: item.number })
  if (!found) return 'A player or a team on it does not exist or is deleted.'
  const attributeIds = item.attributes.map((code, at) => attributeOf(item, code, at, known))
  if (attributeIds.includes(undefined)) return 'An attribute on it does not exist.'
  const { file, line } = item
  for (const { type, name, taken, among } of found.ambiguous)
    addNote(report, {
      ...{ kind: 'note', file, line, rule: type === 'players' ? 'ambiguous-player' : 'ambiguous-team' },
      text: `${name}: ${taken} of ${among.join(', ')}`,
    })
  const state: WantedCard['state'] = {
    ...blankCard,
    ...item.further,
    set_id: set.id,
    number: item.number,
    serial_number: item.serialNumber,
    image_uuid: item.imageId ?? null,
    title: item.title,
    notes: item.notes,
    entries: onceEach(found.entries),
    attributeIds: [...new Set(attributeIds.filter((id) => id !== undefined))],
    deleted: item.deleted,
  }
  const denied = item.denied?.flatMap((code) => namedId(known, 'attributes', code) ?? []) ?? []
  return { state, people: found.people, denied }
}

/** If a row names a record twice, or two that a merge made one, the card has it once. */
const onceEach = (found: StoredEntry[]) =>
  found.length < 2 ? found : [...new Map(found.map((entry) => [entry.id, entry])).values()]

/** An attribute by an export's id, if that exists, or else by its code. */
const attributeOf = ({ attributeIds }: CardItem, code: string, at: number, known: Known) => {
  const id = attributeIds?.[at]
  if (id && known.merged.has(id)) return known.merged.get(id)
  return id && known.ids.has(id) ? id : namedId(known, 'attributes', code)
}
