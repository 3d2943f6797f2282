import { arrayOf } from '../../../../../db/arrays.ts'
import type { Database, Transaction } from '../../../../../db/client.ts'
import { Audience } from '../../../../lib/audience.ts'
import { numberKey, partsOfNumber } from '../../../model/card-number.ts'
import { writeCards } from '../../../write/card/write.ts'
import type { Writer } from '../../../write/record.ts'
import type { Point } from '../checkpoint.ts'
import { addMissing, addNote, type ImportReport, type Missing, newReport } from '../report.ts'
import { enterImport, type PlacedSets, type Session } from '../session.ts'

type World = {
  session: Session
  placed: PlacedSets
  point: Point
  isPruning: boolean
  now: () => Date
  tell: () => Promise<void>
}

/** Sets in one look, and missing cards in one transaction. */
const setsInOne = 100
const cardsInOne = 500

/**
 * Counts the cards that the file's sets have and the file doesn't. If the import prunes, deletes them, except those that a person
 * added or changed and those with the number of a refused row. If a refused row has no number, deletes nothing. `keys` are the sets
 * with rows, in the order of the file, so that a killed import continues after the sets it has checked. `tell` is called after
 * cards were deleted. Missing cards that stay are saved with the next deletion, or at the end.
 */
export const settleMissing = async (db: Database, keys: string[], world: World) => {
  const { session, placed, point, tell } = world
  const { refusedNumbers } = point.report
  const isPruning = world.isPruning && areAllNumbered(point.report)
  const refused = new Set(refusedNumbers.map((number) => partsOfNumber(numberKey(number)).base))
  if (world.isPruning && point.report.faultCount > 0 && !point.report.notes['not-pruned'])
    addNote(point.report, {
      ...{ kind: 'note', file: '', line: 0, rule: 'not-pruned' },
      text: isPruning
        ? `cards with the number of a refused row: ${[...new Set(refusedNumbers)].slice(0, 20).join(', ')}`
        : 'rows without a number were refused, and missing cards may be theirs',
    })
  for (let first = point.ended(); first < keys.length; first += setsInOne) {
    const ids = keys.slice(first, first + setsInOne).flatMap((key) => placed.get(key)?.id ?? [])
    const missing = await findMissing(db, [...new Set(ids)], session)
    const goes = ({ isOwn, number_key: key }: Gone) => isOwn && !refused.has(partsOfNumber(key).base)
    const [own, others] = [missing.filter(goes), missing.filter((card) => !goes(card))]
    for (let at = 0; isPruning && at < own.length; at += cardsInOne)
      await pruneSome(db, own.slice(at, at + cardsInOne), world)
    if (isPruning && own.length > 0) await tell()
    point.add(listed(isPruning ? others : missing, new Set()))
    point.end(Math.min(keys.length, first + setsInOne))
  }
}

/** Whether every refused row has a number. Sets and other records don't need one. */
const areAllNumbered = ({ faultCount, refusedNumbers, sets, records }: ImportReport) =>
  faultCount === refusedNumbers.length + sets.failed + records.failed

type Gone = Omit<Missing, 'deleted'> & { isOwn: boolean; number_key: string }

/** The live cards of sets that the file doesn't have. A set with as many live cards as the file has in it isn't checked. */
const findMissing = async ({ sql }: Database, ids: string[], { seen }: Session): Promise<Gone[]> => {
  const sets = await sql<{ id: string; live_cards: number }[]>`
    select id, live_cards from sets where id = any(${arrayOf(ids)}::uuid[]) and audience >= 1`
  const open = sets.filter((set) => set.live_cards !== seen.liveIn(set.id)).map((set) => set.id)
  if (open.length === 0) return []
  const cards = await sql<{ id: string }[]>`
    select id from cards where set_id = any(${arrayOf(open)}::uuid[]) and deleted_at is null`
  const gone = cards.flatMap(({ id }) => (seen.isMet(id) ? [] : [id]))
  return gone.length > 0 ? readGone({ sql }, gone) : []
}

/** `isOwn` means that an import created or last set the card, and that nobody changed it or added to it. */
const readGone = async ({ sql }: Pick<Database, 'sql'>, ids: string[]) => [
  ...(await sql<Gone[]>`
    select c.id, c.set_id, c.name, c.number_key, c.import_id is not null and c.image_ids is null and c.image_uuid is null
      and not exists (select from curated_fields f where f.object_id = c.id)
      and not exists (
        select from object_attributes a where a.object_type = 'card' and a.object_id = c.id and a.deleted_at is null
      ) as "isOwn"
    from cards c where c.id = any(${arrayOf(ids)}::uuid[]) order by c.set_no, c.number_key collate "C", c.id`),
]

/** A report of missing cards, some of which were deleted. */
const listed = (gone: Gone[], deleted: Set<string>) => {
  const part = newReport()
  for (const { isOwn: _, number_key: __, ...card } of gone) addMissing(part, { ...card, deleted: deleted.has(card.id) })
  part.pruned += deleted.size
  return part
}

/** Deletes missing cards in one transaction, and counts them. A dry run only counts them. */
const pruneSome = async (db: Database, own: Gone[], { session, point, now }: World) => {
  const deleted = session.isDry
    ? new Set(own.map(({ id }) => id))
    : await enterImport(db, session, async (tx) => {
        const done = await prune(tx, own, session, now())
        await point.keepMore(tx, listed(own, done))
        return done
      })
  point.add(listed(own, deleted))
}

/** Deletes cards that are still as they were found. One that somebody has just touched stays. */
const prune = async (tx: Transaction, gone: Gone[], { id, agent }: Session, now: Date) => {
  const writer: Writer = { level: Audience.draft, now, agent, cause: { kind: 'prune', id } }
  const still = new Set<string>()
  const outcomes = await writeCards(
    tx,
    gone.map((card) => ({
      id: card.id,
      change: (before) => {
        if (!before) throw new Error('A card no longer exists.')
        const isSame = !before.deleted && before.set_id === card.set_id && before.name === card.name
        if (isSame) still.add(card.id)
        return isSame ? { ...before, deleted: true } : before
      },
    })),
    writer,
  )
  return new Set(outcomes.flatMap(({ id, result }) => (result === 'updated' && still.has(id) ? [id] : [])))
}
