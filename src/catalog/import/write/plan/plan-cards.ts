import { arrayOf } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import type { CardRecord } from '../../../write/record.ts'
import type { CardItem } from '../../read/item.ts'
import { keepCard, noOutcome } from '../curated-fields.ts'
import type { WantedCard } from '../find/cards.ts'
import { identify } from '../find/identify.ts'
import { findParents } from '../find/parents.ts'
import { addKept, addNote, type ImportReport } from '../report.ts'
import type { Part } from '../run/chunk-context.ts'
import type { PlacedSets, Session } from '../session.ts'
import { laidOver, saysNothingNew, saysOf } from './laid-over.ts'
import { lostBetween, nothingLost } from './lost.ts'
import { nameOf, noteOf, type Planned, type Row, refuseInto } from './row.ts'
import { spelledBetter } from './spelled-better.ts'

/** Plans a chunk once all earlier ones are written: drops images that don't exist here, then plans the rows. */
export const planCardItems = async (
  db: Database,
  wanted: WantedCard[],
  sets: PlacedSets,
  part: Part,
  isLast: boolean,
): Promise<Planned> => {
  await forgetLostImages(db, wanted, part.report)
  return planRows(db, wanted, sets, part, isLast)
}

/** Finds each row's card, or gives it a new id, and plans the change. Refuses duplicate ids and parents that don't exist. */
export const planRows = async (
  db: Database,
  wanted: WantedCard[],
  sets: PlacedSets,
  { report, session }: Part,
  isLast = false,
): Promise<Planned> => {
  const refuse = refuseInto(report)
  const found = await identify(db, wanted, session, isLast)
  const ids = found.map((one) => (typeof one === 'object' && 'id' in one ? one.id : null))
  const parents = await findParents(db, wanted, ids, sets, session)
  const planned: Planned = { rows: [], late: [] }
  for (const [index, one] of wanted.entries()) {
    const { item, state } = one
    const is = found[index]
    const id = ids[index]
    const parentId = parents[index]
    if (!parentId && item.parent && id) session.orphaned.add(state.set_id)
    if (is === 'late') planned.late.push(one)
    else if (typeof is === 'object' && 'merged' in is) {
      report.cards.unchanged++
      session.seen.addMerged(is.merged)
      if (item.deleted) continue
      addKept(report, {
        ...{ type: 'cards', id: is.merged, name: nameOf(item), field: 'merged_into' },
        ...{ kept: is.merged, said: item.id, change: null },
      })
    } else if (typeof is === 'object' && 'among' in is) {
      if (!item.isRepeated) {
        report.cards.unchanged++
        addNote(report, noteOf(item, 'ambiguous-card', `${nameOf(item)} may be ${namesOf(is.among, ' or ')}`))
      }
      // So that none of them is missing from the file.
      for (const { id } of is.among)
        if (!session.seen.isMet(id)) {
          session.seen.addMerged(id)
          planned.rows.push({ ...repeatOf(one, id), isFirst: true })
        }
    } else if (!id && item.id) refuse(item, 'An earlier row of the file has this id.')
    else if (!id) {
      if (!item.isRepeated) addNote(report, noteOf(item, 'equal-rows', spelledAs(item)))
    } else if (parentId === 'missing') refuse(item, 'Its parent card does not exist.')
    else {
      const told = is as Extract<typeof is, { id: string }>
      const {
        isFirst,
        isSame = false,
        replaced,
        respelled,
        contested,
        near,
        isCopy,
        unlike,
        isOfOthers,
        beside = [],
      } = told
      const wanted = parentId === undefined ? one : { ...one, state: { ...state, parent_id: parentId } }
      const isAgain = item.isRepeated ?? (isSame && !isFirst)
      planned.rows.push(isAgain ? repeatOf(one, id) : rowOf(wanted, { id, isFirst, replaced }, session))
      if (isAgain && !item.isRepeated) addNote(report, noteOf(item, 'equal-rows', spelledAs(item)))
      if (respelled && !isAgain) addNote(report, noteOf(item, 'number-spelled', `${nameOf(item)} is ${respelled}`))
      if (replaced) addNote(report, noteOf(item, 'name-replaced', `${nameOf(item)}, in place of ${replaced.name}`))
      if (unlike && !isAgain) addNote(report, noteOf(item, 'variation-or-not', `${nameOf(item)}: ${takenAs[unlike]}`))
      if (isOfOthers) addNote(report, noteOf(item, 'shared-number', `${nameOf(item)}: ${besideOthers}`))
      if (isCopy)
        addNote(
          report,
          noteOf(item, 'similar-rows', `${nameOf(item)}: two cards, though another row differs only in a team or RC`),
        )
      if (near)
        addNote(report, noteOf(item, 'similar-names', `${nameOf(item)}, beside ${[item.number, near].join(' ')}`))
      if (contested)
        addNote(report, noteOf(item, 'ambiguous-card', `${nameOf(item)}, a new card, may be ${contested.name}`))
      else if (beside.length > 0)
        addNote(report, noteOf(item, 'shared-number', `${nameOf(item)}, beside ${namesOf(beside, ', ')}`))
    }
  }
  return planned
}

const besideOthers =
  'another row of the file has other players under this number. If they are on one card, delete one of the two and import a row with both, A / B'

const takenAs = {
  row: 'a variation, taken for the card that was none. To have two cards, import both in one file',
  card: 'no variation, taken for the card that is one. To have two cards, import both in one file',
}

/** The names of the first few of some cards. In a dry run, their ids are others than in its import, so they are in the order of names. */
const namesOf = (cards: CardRecord[], between: string) =>
  cards
    .map(({ name }) => name)
    .toSorted()
    .slice(0, 3)
    .join(between)

const spelledAs = (item: CardItem) => `${nameOf(item)}, as in an earlier row, spelled in another way`

/** A row that says what an earlier file's row said: it only claims the card. */
const repeatOf = ({ item, state }: WantedCard, id: string): Row => ({
  ...{
    item: { ...item, identifiers: undefined },
    state,
    word: noOutcome(),
    lost: nothingLost,
    isFirst: false,
    isRepeated: true,
  },
  plan: { id, setId: state.set_id, change: (before) => before ?? state },
})

const rowOf = (
  wanted: WantedCard,
  { id, isFirst, replaced }: { id: string; isFirst: boolean; replaced?: CardRecord },
  { overwrite }: Session,
): Row => {
  const { item, state } = wanted
  const untouched = noOutcome()
  const row: Row = {
    item,
    state,
    isFirst,
    word: untouched,
    lost: nothingLost,
    plan: {
      id,
      setId: state.set_id,
      change: (before, _, curated) => {
        row.word = untouched
        row.lost = nothingLost
        row.respelled = undefined
        if (!before) return state
        if (!curated && saysNothingNew(before, wanted)) return before
        const { state: after, respelled } = spelledBetter(
          before,
          laidOver(before, wanted),
          overwrite || item.id !== null,
        )
        row.respelled = respelled
        const { after: done, word } = overwrite
          ? { after, word: noOutcome() }
          : keepCard(before, after, curated, saysOf(item, before, after))
        row.word = word
        row.lost = before.deleted ? nothingLost : lostBetween(before, done, replaced !== undefined)
        return done
      },
    },
  }
  return row
}

/** Exports don't contain images. If a card's image isn't here, the card is imported without it. */
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
