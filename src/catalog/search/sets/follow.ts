import type { Database } from '../../../../db/client.ts'
import { batched } from '../../../lib/batched.ts'
import { type Arguments, newArguments } from '../../list/statement.ts'
import { batchLimits } from '../../show/rows.ts'
import { readTogether } from '../find/together.ts'
import { type KnownSets, newKnownSets } from './known-sets.ts'
import { apply, type Kept, type News, selectNews } from './news.ts'
import { type LabelRow, labelOfRow, labelsWhere, type SetRow, setColumns, setOfRow } from './rows.ts'

/**
 * How a search comes to know the sets and labels of the catalog. `select` is for its first statement: it selects what happened since the
 * process last looked, as one JSON value. Without it, nothing did, or the process has yet to read them. `sets` takes what it found.
 */
export type Following = { select?: (args: Arguments) => string; sets: (news?: News) => Promise<KnownSets> }

/**
 * The sets and labels of the catalog. The process remembers them, and each state of the catalog (docs/decisions/0008) that isn't the one
 * they were read in brings what the change feed has about them since. So they are never older than the request's admission.
 */
export const followSets = ({ shared: db }: Database, state: string | undefined): Following => {
  const keeper = keepers.getOrInsertComputed(db, keeperOn)
  const { kept } = keeper
  if (!kept) return { sets: () => keeper.readAll(undefined) }
  if (state !== undefined && kept.state === state) return { sets: async () => kept.sets }
  return {
    select: (args) => selectNews(kept.no, args),
    sets: async (news) => (news && (await follow(db, keeper, news))) ?? keeper.readAll(undefined),
  }
}

/** The same with a statement of its own. */
export const knownSets = async (db: Database, state: string | undefined): Promise<KnownSets> => {
  const { select, sets } = followSets(db, state)
  return sets(select && (await readNews(db.shared, select)))
}

const readNews = async (db: Database, select: NonNullable<Following['select']>): Promise<News> => {
  const args = newArguments()
  return (await readTogether<{ news: News }>(db, { news: select(args) }, args)).news
}

type Keeper = { kept?: Kept; readAll: (ask: undefined) => Promise<KnownSets> }

const keepers = new WeakMap<Database, Keeper>()

const keeperOn = (db: Database): Keeper => {
  const keeper: Keeper = {
    readAll: batched(
      async (asks: undefined[]) => {
        const kept = await readAll(db)
        keeper.kept = kept
        return asks.map(() => kept.sets)
      },
      { ...batchLimits, atOnce: 1, most: 1000 },
    ),
  }
  return keeper
}

/** Applies what happened since, unless another search did so already. Undefined if everything has to be read again. */
const follow = async (db: Database, keeper: Keeper, news: News): Promise<KnownSets | undefined> => {
  const { kept } = keeper
  if (!kept || news.isMuch) return undefined
  if (kept.state === undefined || Number(kept.state) <= news.last + news.waiting) await apply(db, kept, news)
  return kept.sets
}

/** How many sets a statement reads. */
const setsAtOnce = 5000

const readAll = async (db: Database): Promise<Kept> => {
  const sets = newKnownSets()
  // Read first, so that whatever changes meanwhile is followed.
  const [feed] = await db.sql.unsafe<{ last: string }[]>('select last from feed')
  const labels = await db.sql.unsafe<{ one: LabelRow }[]>(labelsWhere('true'))
  for (const { one } of labels) sets.put(labelOfRow(one))
  for (let after = -1; ; ) {
    const [{ rows } = { rows: null }] = await db.sql.unsafe<{ rows: SetRow[] | null }[]>(
      `select json_agg(one) as rows from (
        select ${setColumns} as one from sets s where s.no > $1::int and s.audience > 0 order by s.no limit ${setsAtOnce}
      ) s`,
      [after],
      { prepare: true },
    )
    for (const row of rows ?? []) sets.put(setOfRow(row))
    if ((rows?.length ?? 0) < setsAtOnce) break
    after = rows?.at(-1)?.[5] ?? after
  }
  const kept: Kept = { sets, no: Number(feed?.last ?? 0) }
  const since = await readNews(db, (args) => selectNews(kept.no, args))
  if (!since.isMuch) await apply(db, kept, since)
  return kept
}
