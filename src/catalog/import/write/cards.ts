import { arrayOf } from '../../../../db/arrays.ts'
import type { Database } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { blankCard } from '../../write/card/read.ts'
import { writeCards } from '../../write/card/write.ts'
import { enter } from '../../write/enter.ts'
import type { CardPlan, CardRecord, CardState, Writer } from '../../write/record.ts'
import type { CardItem } from '../read/item.ts'
import { claimsOfIdentified, noteTaken, writeIdentifiers } from './identifiers.ts'
import { findParents, identify, type WantedCard } from './identify.ts'
import { type Known, namedId } from './names.ts'
import { entryOf } from './people.ts'
import type { Keep } from './point.ts'
import { addFault, addNote, type ImportReport } from './report.ts'
import type { PlacedSets } from './sets.ts'
import { writeTogether } from './together.ts'

type Refuse = (item: CardItem, reason: string) => void
/** A row of a chunk, with the plan for its card. */
export type Row = { item: CardItem; plan: CardPlan; state: CardState }
type Written = {
  outcomes: Awaited<ReturnType<typeof writeCards>>
  taken: Awaited<ReturnType<typeof writeIdentifiers>>
}

/** The card that each row of a chunk describes, by the names that are known now. Refuses rows that name what is not there. */
export const wantCards = (items: CardItem[], sets: PlacedSets, known: Known, report: ImportReport): WantedCard[] => {
  const refuse = refuseInto(report)
  return items.flatMap((item) => {
    const state = stateOf(item, sets, known)
    if (typeof state !== 'string') return [{ item, state }]
    refuse(item, state)
    return []
  })
}

/** Plans a chunk whose earlier chunks are written: takes out images that are not here, then plans the rows. */
export const planCardItems = async (
  db: Database,
  wanted: WantedCard[],
  sets: PlacedSets,
  report: ImportReport,
): Promise<Row[]> => {
  await forgetLostImages(db, wanted, report)
  return planRows(db, wanted, sets, report)
}

/**
 * Writes a chunk of cards in one transaction and reports refused rows. Returns whether the progress is saved: not where
 * rows went into transactions of their own.
 */
export const writeCardItems = async (
  db: Database,
  rows: Row[],
  report: ImportReport,
  now: Date,
  keep: Keep,
): Promise<boolean> => {
  let isKept = false
  await writeTogether(
    rows,
    async (some) => {
      const plans = some.map((row) => row.plan)
      const count = ({ outcomes, taken }: Written, into: ImportReport) => {
        noteTaken(into, taken)
        for (const [index, outcome] of outcomes.entries()) {
          const { item } = some[index] as Row
          if (outcome.error) refuseInto(into)(item, outcome.error.errors[0]?.detail ?? outcome.error.message)
          else into.cards[outcome.result]++
        }
      }
      const written = await enter(
        db,
        async (tx) => {
          const outcomes = await writeCards(tx, plans, writerAt(now))
          const done = { outcomes, taken: await writeIdentifiers(tx, some, outcomes, now) }
          if (some.length === rows.length) await keep(tx, (counted) => count(done, counted))
          return done
        },
        claimsOfIdentified(some),
      )
      count(written, report)
      isKept = some.length === rows.length
    },
    ({ item }, reason) => refuseInto(report)(item, reason),
  )
  return isKept
}

/** Who an import writes as. */
export const writerAt = (now: Date): Writer => ({ level: Audience.draft, now, restoring: true })

const refuseInto =
  (report: ImportReport): Refuse =>
  ({ file, line }, reason) => {
    report.cards.failed++
    addFault(report, { kind: 'fault', file, line, reason })
  }

/** Finds the card of each row, or its new id, and makes a plan of both. Reports ids that come twice and parents that do not exist. */
export const planRows = async (
  db: Database,
  wanted: WantedCard[],
  sets: PlacedSets,
  report: ImportReport,
): Promise<Row[]> => {
  const refuse = refuseInto(report)
  const ids = await identify(db, wanted)
  const items = wanted.map(({ item }) => item)
  const parents = await findParents(db, items, ids, sets)
  return wanted.flatMap(({ item, state }, index) => {
    const id = ids[index]
    const parentId = parents[index]
    if (!id) refuse(item, 'The id stands on an earlier row of the file.')
    else if (parentId === 'missing') refuse(item, 'Its parent card does not exist.')
    else {
      const after = parentId === undefined ? state : { ...state, parent_id: parentId }
      const change: Row['plan']['change'] = (before) => laidOver(before, after, item)
      return [{ item, plan: { id, setId: state.set_id, change }, state: after }]
    }
    return []
  })
}

/** The card that a row describes, or the reason why it cannot be. */
const stateOf = (item: CardItem, sets: PlacedSets, known: Known): CardState | string => {
  const set = sets.get(item.setKey)
  if (!set) return 'Its set could not be written.'
  const entries = item.entries.map((entry) => entryOf(entry, known))
  if (entries.includes(null)) return 'A player or a team on it does not exist or is deleted.'
  const attributeIds = item.attributes.map((code, at) => attributeOf(item, code, at, known))
  if (attributeIds.includes(undefined)) return 'An attribute of it does not exist.'
  return {
    ...blankCard,
    ...item.further,
    set_id: set.id,
    number: item.number,
    serial_number: item.serialNumber,
    image_uuid: item.imageId ?? null,
    title: item.title,
    notes: item.notes,
    entries: entries.flatMap((entry) => entry ?? []),
    attributeIds: [...new Set(attributeIds.flatMap((id) => id ?? []))],
    deleted: item.deleted,
  }
}

/** An export's id counts where the attribute exists; otherwise its code says which one it is. */
const attributeOf = ({ attributeIds }: CardItem, code: string, at: number, known: Known) => {
  const id = attributeIds?.[at]
  return id && known.ids.has(id) ? id : namedId(known, 'attributes', code)
}

/** What the row says, over what is stored; what a checklist does not say of a card stays. */
const laidOver = (before: CardRecord | undefined, state: CardState, item: CardItem): CardState => {
  if (!before) return state
  const { set_id, number, serial_number, title, entries, attributeIds, deleted } = state
  return {
    ...before,
    ...item.further,
    ...{ set_id, number, serial_number, title, entries, attributeIds, deleted },
    image_uuid: item.imageId === undefined ? before.image_uuid : state.image_uuid,
    parent_id: item.parent === undefined ? before.parent_id : state.parent_id,
    notes: state.notes ?? before.notes,
  }
}

/** Exports hold no images: a card whose image is not here is imported without it. */
const forgetLostImages = async ({ sql }: Database, wanted: WantedCard[], report: ImportReport) => {
  const ids = wanted.flatMap(({ item }) => item.imageId ?? [])
  if (ids.length === 0) return
  const rows = await sql<{ id: string }[]>`
    select id from card_images where id = any(${arrayOf(ids)}::uuid[]) and deleted_at is null`
  const there = new Set(rows.map((row) => row.id))
  for (const one of wanted) {
    const { file, line, imageId } = one.item
    if (!imageId || there.has(imageId)) continue
    one.item = { ...one.item, imageId: undefined }
    one.state = { ...one.state, image_uuid: null }
    addNote(report, { kind: 'note', file, line, rule: 'image-not-here', text: imageId })
  }
}
