import type { Database } from '../../../../db/client.ts'
import type { Agent } from '../../../audit/write.ts'
import { turn } from '../../../lib/yield-to-event-loop.ts'
import { nothingRemembered } from '../../write/card/optimistic.ts'
import type { CardItem, ImportItem } from '../read/item.ts'
import { beginSeen } from './cards-in-file.ts'
import { followPoint, type Resuming } from './checkpoint.ts'
import { openChunks } from './chunks.ts'
import { beginPretendedCards } from './dry/pretended-cards.ts'
import { intoBases, isNamed } from './find/base-sets.ts'
import { settleTeams } from './find/called-teams.ts'
import { basePlaceOf, type WantedCard } from './find/cards.ts'
import { noteStrangers } from './find/careers.ts'
import { readKnownNames } from './find/known-names.ts'
import { findLives } from './find/lives.ts'
import { noteNamesakes } from './find/namesakes.ts'
import { noteUndecided } from './find/undecided.ts'
import { beginKnown, forgetMuch, type Known } from './lookup-cache.ts'
import { ensureNamed } from './names.ts'
import { ensurePeople } from './people.ts'
import { ensureCodes } from './plan/labels.ts'
import { refuseInto } from './plan/row.ts'
import { wantCards } from './plan/want-cards.ts'
import { writeRecords } from './records/write.ts'
import { type ImportReport, newReport } from './report.ts'
import type { Part } from './run/chunk-context.ts'
import { filesOf, touchSets } from './run/files.ts'
import { linkParallels } from './run/link-parallels.ts'
import { settleMissing } from './run/missing.ts'
import { keepPace, keepStatistics } from './run/pace.ts'
import { columnsOfCode, entriesOf, isWritten, nothing, standsOnWaiting, take } from './run/queue.ts'
import { countNamed } from './run/recount-created-names.ts'
import { settleParallels } from './run/settle-parallels.ts'
import { hasMerges, type PlacedSets, type Session } from './session.ts'
import { ensureSets } from './sets.ts'

export type ImportOptions = {
  /** The import's id in the history. New by default. */
  id?: string
  publish: boolean
  /** Overwrites fields that somebody changed with the file's values. */
  overwrite?: boolean
  /** Clears what the file has no column for. Otherwise, an update touches only what the file has a column for. */
  clearMissing?: boolean
  /** Deletes cards that the file's sets have and the file doesn't. */
  prune?: boolean
  /** Writes nothing, but reports what it would write. */
  dryRun?: boolean
  now: () => Date
  /** Who imports, for the audit log. */
  agent?: Agent
  /** Called after each transaction, and when a file begins. */
  progress?: (report: ImportReport) => void | Promise<void>
  /** Keeps every note, not just a few per rule. */
  allNotes?: boolean
  /** Stops the import after the current chunk. */
  signal?: AbortSignal
  /** Sets that are there already, by their keys. Nothing of them is written. */
  placed?: PlacedSets
  /** How many cards one transaction of a server takes. With few, a short file shows what happens between two. */
  cardsInOne?: number
  /** Continues where an earlier run stopped, so that no row is written or counted twice. */
  resuming?: Resuming
}

/** On a server. Cards of a chunk share players and teams, so half as many chunks write a third fewer counts. */
const cardsInOne = 4000
const setsInOne = 500
const recordsInOne = 500
/** How many characters the rows of a chunk's cards have, but for the last of them. Usual rows have a tenth of it. */
const charactersInOne = 8_000_000
/** After this many items (a few milliseconds), the database and other requests get a turn. */
const itemsATurn = 200
/** How many rows may wait for the end of the file, because later rows may claim their cards. */
const lateAtMost = 20_000
const lateCharacters = 32_000_000

/**
 * Writes what a checklist reader yields, in chunks. A killed import has written whole chunks, and the next run continues
 * there, because a row that exists already changes nothing. While the cards of one chunk are written, the next is read and
 * its names are looked up. On a server the rows of new cards are written beside the chunk before and committed after it, and a
 * third is read meanwhile. Memory holds four chunks, and a key for each set.
 */
export const writeChecklist = async (
  db: Database,
  items: AsyncIterable<ImportItem>,
  options: ImportOptions,
): Promise<ImportReport> => {
  const session = await beginSession(db, options)
  const point = followPoint(options.resuming ?? {}, session, options.allNotes)
  const { report } = point
  if (options.resuming && !session.isDry) await countNamed(db, session, report)
  const known = beginKnown(options.resuming?.from?.report.kept)
  const placed: PlacedSets = new Map(options.placed)
  const { covered } = known
  /** Where cards of releases are whose set Base has them. */
  const based = new Set<string>()
  const statistics = keepStatistics(db)
  const pace = keepPace(db.kind, options.cardsInOne ?? cardsInOne)
  const tell = async () => {
    await statistics.after(report.cards.created)
    await options.progress?.(report)
  }
  const chunks = openChunks(db, { point, pace, placed, session, tell })
  let waiting = nothing()
  let counts = newReport(options.allNotes)
  /** The last file with cards of each set. */
  const touched = new Map<string, number>()
  let [place, writtenTo, fileNo, file] = [0, 0, 0, '']

  const partOf = (report: ImportReport, upTo = place): Part => {
    return {
      ...{ session, known, report, upTo, now: options.now() },
      keep: (tx, count) => point.keepTo(tx, upTo, report, count),
    }
  }

  const flush = async () => {
    const { attributes, sets, samples, cards, late, records, written } = waiting
    const part = partOf(counts)
    waiting = nothing()
    counts = newReport(options.allNotes)
    if (!session.isDry) forgetMuch(known)
    if (records.length > 0 || (point.isKept && sets.length > 0)) await chunks.ended()
    let isKept = !point.isKept || point.isReached(part.upTo)
    if (records.length > 0) isKept = (await writeRecords(db, records, part)) || isKept
    for (const { code, isExact } of attributes) if (isExact) known.exactCodes.add(code)
    const named = new Map(attributes.map(({ code, name }) => [code, columnsOfCode(code, name)]))
    part.report.labels += await ensureNamed(db, 'attributes', named, part)
    if (sets.length > 0) await ensureSets(db, sets, { placed, samples, settled: chunks.ended }, part, point)
    const ready = { cards: withSets(cards, placed, part), late: withSets(late, placed, part) }
    const all = [...ready.cards, ...ready.late]
    for (const key of await intoBases(db, all, placed, part)) based.add(key)
    await readKnownNames(db, all, part)
    await settleTeams(db, all, placed, part)
    noteUndecided(all, part.report)
    await findLives(db, all, part)
    await ensureCodes(db, all, part)
    await ensurePeople(db, entriesOf(all, placed), part)
    chunks.late.push(...wantCards(ready.late, placed, part))
    touchSets(touched, [...written, ...filesOf(ready.late)], placed)
    const isFollowing = touchSets(touched, filesOf(ready.cards), placed) > 0
    if (isFollowing) await writeLate(ready.cards[0]?.fileNo)
    const wanted = wantCards(ready.cards, placed, part)
    await noteStrangers(db, wanted, placed, part)
    await noteNamesakes(db, wanted, part)
    await chunks.write({ wanted, part, isKept }, options.signal)
    writtenTo = part.upTo
    const characters = chunks.late.reduce((sum, { item }) => sum + (item.characters ?? 0), 0)
    if (chunks.late.length > lateAtMost || characters > lateCharacters) await writeLate()
  }

  /** Writes what was read, one chunk after the other. On a server, reading continues in the meantime. */
  let flushing = Promise.resolve()
  const flushBeside = async () => {
    await flushing
    flushing = flush()
    flushing.catch(() => undefined)
    if (!pace.isAhead) await flushing
  }

  /**
   * Writes rows whose card is only known now that all others of their file have theirs: those of all files, or before one. Rows of one number
   * stay together.
   */
  const writeLate = async (before = Number.POSITIVE_INFINITY) => {
    await chunks.ended()
    const isEarlier = ({ item }: WantedCard) => (item.fileNo ?? 1) < before
    const late = chunks.late.filter(isEarlier)
    chunks.late.splice(0, chunks.late.length, ...chunks.late.filter((one) => !isEarlier(one)))
    const numbers = [...Map.groupBy(late, ({ state }) => basePlaceOf(state)).values()]
    for (let at = 0; at < numbers.length; ) {
      const wanted: WantedCard[] = []
      while (at < numbers.length && wanted.length < pace.cards()) wanted.push(...(numbers[at++] ?? []))
      point.release(wanted.map(({ item }) => item.place ?? 0))
      const part = partOf(newReport(options.allNotes), writtenTo)
      await chunks.write({ wanted, part, isKept: !point.isKept, isLast: true }, options.signal)
      await chunks.ended()
    }
  }

  const readAll = async () => {
    for await (const item of items) {
      if (item.kind === 'card') {
        if (item.file !== file || fileNo === 0) [file, fileNo] = [item.file, fileNo + 1]
        item.fileNo = fileNo
      }
      if (isWritten(item) && !point.isDone(place + 1) && standsOnWaiting(item, waiting)) await flushBeside()
      place++
      if (options.clearMissing && 'unsaid' in item) delete item.unsaid
      if (place % itemsATurn === 0) await turn()
      if (item.kind === 'set') {
        point.begin(item, place)
        item.coveredBefore = covered.size
        if (isNamed(item)) known.plainSets.add(item.key)
        waiting.sets.push(item)
        waiting.samples.begin(item)
      } else if (!point.isDone(place)) take(item, place, point, counts, waiting)
      if (item.kind === 'card') {
        covered.add(item.setKey)
        waiting.samples.add(item)
        if (point.isDone(place)) waiting.written.set(item.setKey, fileNo)
      }
      // A set's first card comes right behind it, and tells which set it is.
      const isBegun = item.kind === 'set' && waiting.sets.length < 2 * setsInOne
      if (!isBegun && isFull(waiting, pace.cards())) await flushBeside()
    }
    await flushBeside()
  }

  // If the reader fails, let the writes under way finish first.
  await readAll().finally(() => flushing.then(chunks.ended).catch(() => undefined))
  await flushing
  await writeLate()
  await chunks.ended()
  await settleParallels(db, partOf(report))
  const isResumed = options.resuming?.from !== undefined
  await linkParallels(db, {
    ...{ session, report, now: options.now, all: isResumed },
    gained: isResumed ? new Set([...placed.values()].map(({ id }) => id)) : session.gained,
    pretendedSets: [...[...known.pretendedSets.values()].flat(), ...pretendedParallels(known)],
  })
  await settleMissing(db, [...covered, ...based], {
    session,
    placed,
    point,
    isPruning: options.prune ?? false,
    now: options.now,
    tell,
  })
  await statistics.end(report.cards.created)
  return report
}

const isFull = ({ cards, late, sets, records, characters }: ReturnType<typeof nothing>, cardsInOne: number) =>
  cards.length + late.length >= cardsInOne ||
  characters >= charactersInOne ||
  sets.length >= setsInOne ||
  records.length >= recordsInOne

/** The cards whose sets exist. The others are refused before anything is created for them. */
const withSets = (cards: CardItem[], placed: PlacedSets, { known, report }: Part) => {
  const refuse = refuseInto(report)
  return cards.filter((card) => {
    if (placed.has(card.setKey)) return true
    refuse(card, known.refusedSets.get(card.setKey) ?? 'Its set could not be written.')
    return false
  })
}

/** Stored sets that a dry run would make parallels. */
const pretendedParallels = ({ pretendedChanges }: Known) =>
  [...pretendedChanges.values()].filter(({ kind }) => kind === 'parallel')

const beginSession = async (db: Database, options: ImportOptions): Promise<Session> => {
  const earlier = options.resuming?.from?.of
  const id = options.id ?? earlier?.id ?? Bun.randomUUIDv7()
  const seen = beginSeen(id, options.resuming !== undefined)
  if (options.resuming?.from) await seen.load(db)
  return {
    ...{ id, seen, agent: options.agent, publish: options.publish, overwrite: options.overwrite ?? false },
    ...{
      isDry: options.dryRun ?? false,
      pretendedNames: new Map(),
      pretendedCards: options.dryRun ? beginPretendedCards() : undefined,
      began: earlier?.began ?? options.now().toISOString(),
    },
    hasMerges: await hasMerges(db, { hasMerges: false }),
    ...{ gained: new Set(), orphaned: new Set(), doubtful: new Map(), remembered: nothingRemembered() },
  }
}
