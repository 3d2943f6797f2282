import type { Database } from '../../../../db/client.ts'
import { batched } from '../../../lib/batched.ts'
import type { Arguments } from '../../list/statement.ts'
import { batchLimits } from '../../show/rows.ts'
import { type KnownSets, newKnownSets } from './known-sets.ts'
import { apply, isNewer, type Kept, type Look, moveOn, readNews, selectLook, stateOf } from './news.ts'
import { type LabelRow, labelOfRow, labelsWhere, type SetRow, setColumns, setOfRow } from './rows.ts'

/**
 * How a search gets the sets and labels of the catalog. `select` is for its first statement: it selects a look at what happened since the
 * process last looked. Without it, nothing happened, or the process hasn't read them yet. `sets` takes what it found.
 */
export type Following = { select?: (args: Arguments) => string; sets: (look?: Look) => Promise<KnownSets> }

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
    select: (args) => selectLook(kept.no, args),
    sets: async (look) => (look && (await follow(db, keeper, kept, look))) ?? keeper.readAll(kept),
  }
}

/** `readAll` reads everything again, for those who can't follow what is kept, or know nothing yet. */
type Keeper = { kept?: Kept; readAll: (stale: Kept | undefined) => Promise<KnownSets> }

const keepers = new WeakMap<Database, Keeper>()

const keeperOn = (db: Database): Keeper => {
  const keeper: Keeper = {
    readAll: batched(
      async (stale: (Kept | undefined)[]) => {
        const { kept: known } = keeper
        // Another search may have read everything in the meantime.
        if (known && !stale.includes(known) && (await bringNews(db, known))) return stale.map(() => known.sets)
        const kept = await readAll(db)
        if (!keeper.kept || stale.includes(keeper.kept) || !isNewer(keeper.kept, stateOf(kept))) keeper.kept = kept
        return stale.map(() => kept.sets)
      },
      { ...batchLimits, atOnce: 1, most: 1000 },
    ),
  }
  return keeper
}

/**
 * Follows what a look at the feed found. Undefined if everything has to be read again. The look was made for the sets `asked`. By now,
 * others may be kept, or another search may have brought these up to date.
 */
const follow = async (db: Database, keeper: Keeper, asked: Kept, look: Look): Promise<KnownSets | undefined> => {
  const { kept = asked } = keeper
  const isAbout = kept === asked
  if (isAbout && look.isMuch) return undefined
  if (isNewer(kept, stateOf(look))) return kept.sets
  if (isAbout && (!look.isNews || kept.state === String(stateOf(look)))) {
    moveOn(kept, look)
    return kept.sets
  }
  return (await bringNews(db, kept)) ? kept.sets : undefined
}

/** Brings known sets up to date. False if everything has to be read again. */
const bringNews = async (db: Database, kept: Kept): Promise<boolean> => {
  const news = await readNews(db, kept.no)
  if (!news.isMuch && !isNewer(kept, stateOf(news))) await apply(db, kept, news)
  return !news.isMuch
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
    after = rows?.at(-1)?.[4] ?? after
  }
  const kept: Kept = { sets, no: Number(feed?.last ?? 0) }
  await bringNews(db, kept)
  return kept
}
