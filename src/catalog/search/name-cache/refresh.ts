import type { Database } from '../../../../db/client.ts'
import { unavailable } from '../../../jsonapi/errors.ts'
import type { Arguments } from '../../list/statement.ts'
import { batchLimits } from '../../show/rows.ts'
import {
  apply,
  isNewer,
  type Kept,
  type Known,
  type Look,
  moveOn,
  newVersion,
  readNews,
  selectLook,
  stateOf,
} from './feed-delta.ts'
import { newKnownCodes } from './known-codes.ts'
import { newKnownPeople, type PersonType, personTypes } from './known-people.ts'
import { newKnownSets } from './known-sets.ts'
import { newKnownTitles } from './known-titles.ts'
import {
  type CodeRow,
  codeOfRow,
  codesWhere,
  type LabelRow,
  labelOfRow,
  labelsWhere,
  type PersonRow,
  personOfRow,
  type SetRow,
  selectPeople,
  setColumns,
  setOfRow,
} from './rows.ts'

/**
 * How a search gets what the process knows. `known` is that, or undefined if it hasn't read anything yet. If something may have happened
 * since, `select` is for the first statement of the search: it selects a look at that. `bring` takes what it found and brings what is
 * known up to date.
 */
export type Following = {
  known?: Known
  select?: (args: Arguments) => string
  bring: (look?: Look) => Promise<Known>
}

/**
 * The sets, labels, players, teams and codes of the catalog. The process remembers them, and each state of the catalog (docs/decisions/0008) that
 * isn't the one they were read in brings what the change feed has about them since. So they are never older than the request's admission.
 */
export const followCatalog = (database: Database, state: string | undefined): Following => {
  const { db, keeper } = keeperOf(database)
  const { kept: known } = keeper
  if (!known) {
    let read: Promise<Known> | undefined
    return { bring: () => (read ??= bringAll(db, keeper, undefined)) }
  }
  if (state !== undefined && known.state === state) return { known, bring: async () => known }
  return {
    known,
    select: (args) => selectLook(known.no, args),
    bring: async (look) => (look && (await follow(db, keeper, known, look))) ?? bringAll(db, keeper, known),
  }
}

/**
 * Reads what searches remember before the first one asks, so that nobody waits for it: a million names take some seconds. If it fails, that
 * search reads it.
 */
export const readAhead = async (database: Database): Promise<void> => {
  const { db, keeper } = keeperOf(database)
  keeper.reading ??= readAndKeep(db, keeper)
  await keeper.reading.catch(() => {})
}

/** What a process keeps, and the reading of everything that is under way, if one is. */
type Keeper = { kept?: Kept; reading?: Promise<void> }

const keepers = new WeakMap<Database, Keeper>()

/** What is kept has to be of one state, which several replicas aren't. */
const keeperOf = ({ shared }: Database) => {
  const { primary: db = shared } = shared
  return { db, keeper: keepers.getOrInsertComputed(db, (): Keeper => ({})) }
}

/**
 * Brings everything up to date for those who know nothing yet, or can't follow what is kept any more (`stale`). A large catalog takes long to
 * read, so it is read once for all of them, and goes on when they have given up. A reading that was under way already may have read what
 * changed since.
 */
const bringAll = async (db: Database, keeper: Keeper, stale: Kept | undefined): Promise<Kept> => {
  const endsAt = performance.now() + batchLimits.deadlineMilliseconds
  if (keeper.reading) await until(endsAt, keeper.reading).catch(() => {})
  const { kept } = keeper
  if (kept && kept !== stale && (await bringNews(db, kept))) return kept
  keeper.reading ??= readAndKeep(db, keeper)
  await until(endsAt, keeper.reading)
  return keeper.kept as Kept
}

const readAndKeep = async (db: Database, keeper: Keeper) => {
  try {
    keeper.kept = await readAll(db)
  } finally {
    keeper.reading = undefined
  }
}

/** Waits for the reading. If it takes longer, that is a 503. */
const until = async (endsAt: number, reading: Promise<void>) => {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.reject(unavailable(stillReading)), Math.max(0, endsAt - performance.now()))
  await Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
}

const stillReading = 'The names of this catalog are still being read. Try again in a moment.'

/**
 * Follows what a look at the feed found. Undefined if everything has to be read again. The look was made for what was `asked`. By now,
 * others may be kept, or another search may have brought these up to date.
 */
const follow = async (db: Database, keeper: Keeper, asked: Kept, look: Look): Promise<Known | undefined> => {
  const { kept = asked } = keeper
  const isAbout = kept === asked
  // A replica that looked may be further back, or else the catalog itself was put back. The primary knows.
  if (look.last < kept.no) return (await bringNews(db, kept)) ? kept : undefined
  if (isAbout && look.isMuch) return undefined
  if (isNewer(kept, stateOf(look))) return kept
  if (isAbout && (!look.isNews || kept.state === String(stateOf(look)))) {
    moveOn(kept, look)
    return kept
  }
  return (await bringNews(db, kept)) ? kept : undefined
}

/** Brings what is known up to date. False if everything has to be read again. */
const bringNews = async (db: Database, kept: Kept): Promise<boolean> => {
  const news = await readNews(db, kept.no)
  if (!news.isMuch && !isNewer(kept, stateOf(news))) await apply(db, kept, news)
  return !news.isMuch
}

/** How many rows a statement reads. */
const atOnce = { sets: 5000, people: 4000, words: 10_000 }

/** How many words of titles are remembered: about 40 MB. Of a catalog with more, the first by their letters. */
const titleWordsMost = 500_000

const readAll = async (db: Database): Promise<Kept> => {
  const sets = newKnownSets()
  // Read first, so that whatever changes meanwhile is followed.
  const [feed] = await db.sql.unsafe<{ last: string }[]>('select last from feed')
  const labels = await db.sql.unsafe<{ one: LabelRow }[]>(labelsWhere('true'))
  for (const { one } of labels) sets.put(labelOfRow(one))
  for (let after = -1; ; ) {
    const [{ rows } = { rows: null }] = await db.sql.unsafe<{ rows: SetRow[] | null }[]>(
      `select json_agg(one) as rows from (
        select ${setColumns} as one from sets s where s.no > $1::int and s.audience > 0 order by s.no limit ${atOnce.sets}
      ) s`,
      [after],
      { prepare: true },
    )
    for (const row of rows ?? []) sets.put(setOfRow(row))
    if ((rows?.length ?? 0) < atOnce.sets) break
    after = rows?.at(-1)?.[4] ?? after
  }
  const people = newKnownPeople()
  for (const type of personTypes) for await (const row of allPeople(db, type)) people.put(personOfRow(row))
  const codes = newKnownCodes()
  for (const { one } of await db.sql.unsafe<{ one: CodeRow }[]>(codesWhere('true'))) codes.put(codeOfRow(one))
  const titles = newKnownTitles()
  for (let after = ''; titles.size() < titleWordsMost; ) {
    const words = await db.sql.unsafe<{ word: string }[]>(
      `select distinct word collate "C" as word from title_words where word collate "C" > $1 order by 1 limit ${atOnce.words}`,
      [after],
      { prepare: true },
    )
    for (const { word } of words) titles.put(word)
    if (words.length < atOnce.words) break
    after = words.at(-1)?.word ?? after
  }
  const kept: Kept = { sets, people, codes, titles, version: newVersion(), no: Number(feed?.last ?? 0) }
  await bringNews(db, kept)
  return kept
}

/** All visible players or teams. The next ones are read while the former are kept. */
async function* allPeople(db: Database, type: PersonType): AsyncGenerator<PersonRow> {
  const some = `(select id, name, name_key, aliases, audience from ${type} where id > $1::uuid and audience > 0 order by id limit ${atOnce.people})`
  const text = `select json_agg(one order by id) as rows from (${selectPeople(type, some)}) p`
  const read = async (after: string) => {
    const [found] = await db.sql.unsafe<{ rows: PersonRow[] | null }[]>(text, [after], { prepare: true })
    return found?.rows ?? []
  }
  let rows = await read('00000000-0000-0000-0000-000000000000')
  for (let last = rows[atOnce.people - 1]; last; last = rows[atOnce.people - 1]) {
    const next = read(last[1])
    yield* rows
    rows = await next
  }
  yield* rows
}
