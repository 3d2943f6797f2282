import type { Columns } from '../../../write/record.ts'
import type { AttributeItem, CardItem, ImportItem, RecordItem, SetItem } from '../../read/item.ts'
import type { Point } from '../checkpoint.ts'
import { beginSamples, type Samples } from '../find/same-cards.ts'
import { addFault, addNote, countFile, countRule, type ImportReport } from '../report.ts'
import type { PlacedSets } from '../session.ts'

/**
 * Items to be written together. `late` are cards that an earlier run left for the end of their file. `written` are the sets of cards
 * that it wrote, with the last file that names each. `characters` are those of the cards' rows.
 */
type Waiting = {
  written: Map<string, number>
  attributes: AttributeItem[]
  sets: SetItem[]
  samples: Samples
  cards: CardItem[]
  late: CardItem[]
  records: RecordItem[]
  characters: number
}
/** An empty queue. */
export const nothing = (): Waiting => ({
  ...{ written: new Map(), attributes: [], sets: [], samples: beginSamples(), cards: [], late: [], records: [] },
  characters: 0,
})

type WrittenItem = SetItem | CardItem | AttributeItem | RecordItem
/** Whether an item goes into the catalog, and isn't about the input. */
export const isWritten = (item: ImportItem): item is WrittenItem =>
  item.kind !== 'file' && item.kind !== 'fault' && item.kind !== 'note'

/** Counts an item that describes the input, and queues one to be written. */
export const take = (
  item: Exclude<ImportItem, SetItem>,
  place: number,
  point: Point,
  report: ImportReport,
  waiting: Waiting,
) => {
  if (item.kind === 'file') countFile(report, item)
  else if (item.kind === 'fault') addFault(report, item)
  else if (item.kind === 'note') addNote(report, item)
  else if (item.kind === 'attribute') waiting.attributes.push(item)
  else if (item.kind === 'record') waiting.records.push(item)
  else {
    item.place = place
    waiting.characters += item.characters ?? 0
    if (point.isLate(place)) return void waiting.late.push(item)
    countRule(report, item)
    waiting.cards.push(item)
  }
}

/**
 * Whether an item has to wait until earlier ones are written: a record of another type, anything after records, a card whose
 * parent is found by number in a set with cards in the queue, or one without an id, which may be a card of an earlier file. A set of
 * another file waits as its first card does, so that both are together.
 */
export const standsOnWaiting = (item: WrittenItem, { sets, cards, records }: Waiting) => {
  const first = records[0]
  if (item.kind === 'record') return first ? first.type !== item.type : sets.length + cards.length > 0
  if (first) return true
  if (item.kind === 'set') return item.id === null && cards[0] !== undefined && cards[0].file !== item.file
  if (item.kind !== 'card') return false
  const { id, fileNo, parent } = item
  if (id === null && cards[0] && cards[0].fileNo !== fileNo) return true
  return parent != null && 'setKey' in parent && cards.some((card) => card.setKey === parent.setKey)
}

/** The entries of cards, with what tells namesakes apart in their sets. */
export const entriesOf = (cards: CardItem[], placed: PlacedSets) =>
  cards.flatMap(({ entries, deleted, setKey, number }) => {
    const set = placed.get(setKey)
    const seen = !deleted && !set?.deleted
    const standing = { genreId: set?.genreId ?? null, year: set?.year ?? null, id: set?.id, number }
    return entries.map((entry) => ({ ...entry, seen, standing }))
  })

/** The columns of a new team. */
export const columnsOfTeam = (name: string): Columns => ({ name, location: null, abbreviation: null })

/** The columns of a code's attribute. Without a name, it's named after the code. */
export const columnsOfCode = (code: string, name = code): Columns => ({
  ...{ attribute: code, name, description: null, color: null },
})
