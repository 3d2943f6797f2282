import type { Database, Transaction } from '../../../../db/client.ts'
import { writeCards } from '../../write/card/write.ts'
import { restateCurated } from '../../write/history/curated.ts'
import { followCard, following, leadsOfCards } from '../../write/history/merged.ts'
import { lostRace } from '../../write/locks/order.ts'
import type { CardState, Outcome, Writer } from '../../write/record.ts'
import type { SeenInFile } from './cards-in-file.ts'
import { claimsOfIdentified, noteTaken, writeIdentifiers } from './identifiers.ts'
import { nameKept } from './kept-names.ts'
import { sayLost } from './plan/lost.ts'
import { countedAs, nameOf, noteOf, type Row, refuseInto } from './plan/row.ts'
import { addKept, addNote, type ImportReport } from './report.ts'
import { writeTogether } from './run/bisect-rows.ts'
import type { Part } from './run/chunk-context.ts'
import { enterImport, hasMerges, noteMadeCards, type Session, writerOf } from './session.ts'

type Written = {
  lost: Map<Row, string>
  outcomes: Awaited<ReturnType<typeof writeCards>>
  taken: Awaited<ReturnType<typeof writeIdentifiers>>
}

/**
 * Writes a chunk of cards in one transaction and reports refused rows. Returns whether the progress is saved, which it isn't if
 * rows needed transactions of their own.
 */
export const writeCardItems = async (db: Database, rows: Row[], part: Part): Promise<boolean> => {
  const { report, session, now, keep } = part
  let isKept = false
  await writeTogether(
    rows,
    async (some) => {
      const count = ({ outcomes, taken, lost }: Written, into: ImportReport) => {
        noteTaken(into, taken)
        countOutcomes(some, outcomes, lost, into)
      }
      const written = await enterImport(
        db,
        session,
        async (tx) => {
          const outcomes = await writeFollowing(tx, some, session, writerOf(session, now, true))
          const words = some.map(({ word }) => word)
          await nameKept(tx, 'cards', words)
          const lost = await sayLost(tx, some)
          const done = { lost, outcomes, taken: await writeIdentifiers(tx, some, outcomes, part) }
          await keepOutcomes(tx, some, outcomes, session)
          if (some.length === rows.length) await keep(tx, (counted) => count(done, counted))
          return done
        },
        claimsOfIdentified(some),
      )
      count(written, report)
      countLive(some, written.outcomes, session)
      isKept = some.length === rows.length
    },
    ({ item }, reason) => refuseInto(report)(item, reason),
  )
  return isKept
}

/** Writes rows. If something they refer to was merged after it was looked up, the card gets the record it was merged into. */
const writeFollowing = async (tx: Transaction, rows: Row[], session: Session, writer: Writer) => {
  const states = rows.map(({ state }) => state)
  const leads = await leadsOfCards(tx, (await hasMerges(tx, session)) ? states : [])
  const follow = (card: CardState) => followCard(card, leads)
  const next = (id: string | undefined) => id && (leads.get(id) ?? id)
  const plans = rows.map(({ plan }) =>
    leads.size === 0 ? plan : following({ ...plan, setId: next(plan.setId) }, follow),
  )
  const outcomes = await writeCards(tx, plans, writer)
  const isRefused = outcomes.some(({ error }) => error)
  if (isRefused && (await leadsOfCards(tx, states)).size > leads.size) throw lostRace('what a row names was merged')
  return outcomes
}

/** In the transaction that wrote the rows, notes which cards the import created and found, and its values for curated fields. */
const keepOutcomes = async (tx: Transaction, rows: Row[], outcomes: Outcome[], session: Session) => {
  const [made, met]: [Row[], Row[]] = [[], []]
  for (const [index, row] of rows.entries()) {
    const outcome = outcomes[index] as Outcome
    if (outcome.result !== 'failed') (countedAs(outcome) === 'created' ? made : met).push(row)
  }
  await noteMadeCards(tx, session, inFiles(made))
  await session.seen.keep(tx, inFiles(met))
  const restated = rows.flatMap(({ word }) => word.restated)
  await restateCurated(tx, restated)
}

/** The cards of rows by their file. */
export const inFiles = (rows: Row[]): SeenInFile[] =>
  [...Map.groupBy(rows, ({ item }) => item.fileNo ?? 1)].map(([file, some]) => ({
    file,
    ids: some.map(({ plan }) => plan.id),
  }))

/** Counts the outcomes of rows, and notes what cards lost. */
export const countOutcomes = (rows: Row[], outcomes: Outcome[], lost: Map<Row, string>, into: ImportReport) => {
  for (const [index, outcome] of outcomes.entries()) {
    const row = rows[index] as Row
    const { item, word, isRepeated } = row
    const without = outcome.result === 'updated' ? lost.get(row) : undefined
    if (without) addNote(into, noteOf(item, 'values-replaced', `${nameOf(item)}, no longer ${without}`))
    if (isRepeated) continue
    for (const text of row.respelled ?? [])
      addNote(into, noteOf(item, 'spelling-kept', `${nameOf(item)}: ${text} stays`))
    if (outcome.error) refuseInto(into)(item, outcome.error.errors[0]?.detail ?? outcome.error.message)
    else into.cards[countedAs(outcome)]++
    for (const kept of word.kept) addKept(into, { type: 'cards', id: outcome.id, name: nameOf(item), ...kept })
  }
}

/** Counts live cards per set, each once, and notes which sets have new ones. A dry run's aren't among its sets' live ones. */
export const countLive = (rows: Row[], outcomes: Outcome[], { seen, isDry, gained }: Session) => {
  for (const [index, outcome] of outcomes.entries()) {
    const { item, plan, word, isFirst } = rows[index] as Row
    const isNew = countedAs(outcome) === 'created'
    if (isNew && plan.setId) gained.add(plan.setId)
    const isThere = outcome.result !== 'failed' && !item.deleted && isFirst && !(isDry && isNew)
    const isMoved = word.kept.some(({ field }) => field === 'set_id' || field === 'deleted')
    if (isThere && !isMoved && plan.setId) seen.countLive(plan.setId)
  }
}
