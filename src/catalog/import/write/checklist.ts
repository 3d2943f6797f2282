import type { Database } from '../../../../db/client.ts'
import type { Agent } from '../../../audit/write.ts'
import { turn } from '../../../lib/turn.ts'
import type { Columns } from '../../write/record.ts'
import type { AttributeItem, CardItem, ImportItem, RecordItem, SetItem } from '../read/item.ts'
import { wantCards } from './cards.ts'
import { openChunks } from './chunks.ts'
import { beginKnown, ensureNamed, findIds, forgetMuch, type Known } from './names.ts'
import { keepPace, keepStatistics } from './pace.ts'
import { ensurePeople } from './people.ts'
import { followPoint, type Keep, type Resuming } from './point.ts'
import { writeRecords } from './records.ts'
import { addFault, addNote, countFile, countRule, type ImportReport, newReport } from './report.ts'
import { ensureSets, type PlacedSets } from './sets.ts'

export type ImportOptions = {
  publish: boolean
  now: () => Date
  /** Who the audit log says it was. */
  agent?: Agent
  /** Called after each transaction, and where a file begins. */
  progress?: (report: ImportReport) => void | Promise<void>
  /** Keep every note, not only some of each rule. */
  allNotes?: boolean
  /** Ends the import after the current chunk. */
  signal?: AbortSignal
  /** Continues where an earlier run ended, so that no row is written or counted twice. */
  resuming?: Resuming
}

const setsInOne = 500
const recordsInOne = 500
/** After so many items (some milliseconds) the database and other requests get a turn. */
const itemsATurn = 200

type Waiting = { attributes: AttributeItem[]; sets: SetItem[]; cards: CardItem[]; records: RecordItem[] }
const nothing = (): Waiting => ({ attributes: [], sets: [], cards: [], records: [] })

/**
 * Writes what a checklist reader yields, in chunks. A killed import has written whole chunks, and the next run continues
 * there, because a row that exists already changes nothing. While the cards of one chunk are written, the next is read and
 * its names are looked up; on a server the rows of new cards are written beside the chunk before, and committed after it.
 * Memory holds three chunks, and a key for each set.
 */
export const writeChecklist = async (
  db: Database,
  items: AsyncIterable<ImportItem>,
  options: ImportOptions,
): Promise<ImportReport> => {
  const point = followPoint(options.resuming ?? {}, options.allNotes)
  const { report } = point
  const known = beginKnown()
  const placed: PlacedSets = new Map()
  const statistics = keepStatistics(db)
  const pace = keepPace(db.kind)
  const tell = async () => {
    await statistics.after(report.cards.created)
    await options.progress?.(report)
  }
  const chunks = openChunks(db, { point, pace, placed, tell })
  let waiting = nothing()
  let part = newReport(options.allNotes)
  let place = 0

  const flush = async () => {
    const { attributes, sets, cards, records } = waiting
    const [upTo, counts] = [place, part]
    waiting = nothing()
    part = newReport(options.allNotes)
    forgetMuch(known)
    const now = options.now()
    const keep: Keep = (tx, count) => point.keepTo(tx, upTo, counts, count)
    if (records.length > 0 || (point.isKept && sets.length > 0)) await chunks.ended()
    let isKept = !point.isKept
    if (records.length > 0) isKept = (await writeRecords(db, records, counts, now, keep)) || isKept
    if (attributes.length > 0) counts.labels += await ensureNamed(db, 'attributes', codes(attributes), known, now)
    if (sets.length > 0)
      await ensureSets(db, sets, placed, known, counts, { publish: options.publish, now, agent: options.agent, point })
    await ensureCodes(db, cards, known, counts, now)
    await ensurePeople(db, entriesOf(cards, placed), known, counts, now)
    const wanted = wantCards(cards, placed, known, counts)
    await chunks.write({ wanted, now, upTo, counts, keep, isKept }, options.signal)
  }

  for await (const item of items) {
    if (isWritten(item) && !point.isDone(place + 1) && standsOnWaiting(item, waiting)) await flush()
    place++
    if (place % itemsATurn === 0) await turn()
    if (item.kind === 'set') {
      point.begin(item, place)
      waiting.sets.push(item)
    } else if (!point.isDone(place)) take(item, part, waiting)
    const { cards, sets, records } = waiting
    if (cards.length >= pace.cards() || sets.length >= setsInOne || records.length >= recordsInOne) await flush()
  }
  await flush()
  await chunks.ended()
  await statistics.end(report.cards.created)
  return report
}

type WrittenItem = SetItem | CardItem | AttributeItem | RecordItem
const isWritten = (item: ImportItem): item is WrittenItem =>
  item.kind !== 'file' && item.kind !== 'fault' && item.kind !== 'note'

/** Counts an item that describes the input, and queues one to be written. */
const take = (item: Exclude<ImportItem, SetItem>, report: ImportReport, waiting: Waiting) => {
  if (item.kind === 'file') countFile(report, item)
  else if (item.kind === 'fault') addFault(report, item)
  else if (item.kind === 'note') addNote(report, item)
  else if (item.kind === 'attribute') waiting.attributes.push(item)
  else if (item.kind === 'record') waiting.records.push(item)
  else {
    countRule(report, item)
    waiting.cards.push(item)
  }
}

/**
 * Whether an item has to wait until earlier ones are written: a record of another type, anything behind records, and a card
 * whose parent is found by number in a set that has cards in the queue.
 */
const standsOnWaiting = (item: WrittenItem, { sets, cards, records }: Waiting) => {
  const last = records[0]
  if (item.kind === 'record') return last ? last.type !== item.type : sets.length + cards.length > 0
  if (last) return true
  const parent = item.kind === 'card' ? item.parent : undefined
  return parent != null && 'setKey' in parent && cards.some((card) => card.setKey === parent.setKey)
}

const entriesOf = (cards: CardItem[], placed: PlacedSets) =>
  cards.flatMap(({ entries, deleted, setKey }) => {
    const seen = !deleted && !placed.get(setKey)?.deleted
    return entries.map((entry) => ({ ...entry, seen }))
  })

const codes = (attributes: AttributeItem[]) =>
  new Map<string, Columns>(
    attributes.map(({ code, name }) => [code, { attribute: code, name, description: null, color: null }]),
  )

/** Makes codes that no attribute item introduced, or that were forgotten since. */
const ensureCodes = async (db: Database, cards: CardItem[], known: Known, report: ImportReport, now: Date) => {
  await findIds(
    db,
    'attributes',
    cards.flatMap((card) => card.attributeIds ?? []),
    known,
  )
  const wanted = new Map<string, Columns>()
  for (const { attributes, attributeIds } of cards)
    for (const [at, code] of attributes.entries())
      if (!known.ids.has(attributeIds?.[at] ?? ''))
        wanted.set(code, { attribute: code, name: code, description: null, color: null })
  report.labels += await ensureNamed(db, 'attributes', wanted, known, now)
}
