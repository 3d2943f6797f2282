import type { Database } from '../../../../db/client.ts'
import { batched } from '../../../lib/batched.ts'
import { type Arguments, newArguments } from '../../list/statement.ts'
import { batchLimits } from '../../show/rows.ts'
import { readTogether } from '../find/together.ts'
import { type KnownSets, newKnownSets } from './known-sets.ts'
import { apply, type Kept, type Look, readNews, selectLook } from './news.ts'
import { type LabelRow, labelOfRow, labelsWhere, type SetRow, setColumns, setOfRow } from './rows.ts'

/**
 * How a search comes to know the sets and labels of the catalog. `select` is for its first statement: it selects a look at what happened
 * since the process last looked. Without it, nothing did, or the process has yet to read them. `sets` takes what it found.
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
    sets: async (look) => (look && (await follow(db, keeper, look))) ?? keeper.readAll(undefined),
  }
}

/** The same with a statement of its own. */
export const knownSets = async (db: Database, state: string | undefined): Promise<KnownSets> => {
  const { select, sets } = followSets(db, state)
  if (!select) return sets()
  const args = newArguments()
  return sets((await readTogether<{ look: Look }>(db.shared, { look: select(args) }, args)).look)
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

/** Follows what happened since, unless another search did so already. Undefined if everything has to be read again. */
const follow = async (db: Database, keeper: Keeper, look: Look): Promise<KnownSets | undefined> => {
  const { kept } = keeper
  if (!kept || look.isMuch) return undefined
  if (isNewer(kept, look)) return kept.sets
  const news = look.isNews ? await readNews(db, kept.no) : look
  if (news.isMuch) return undefined
  if (!isNewer(kept, news)) await apply(db, kept, news)
  return kept.sets
}

/** Whether the known sets are from a later state of the catalog. */
const isNewer = ({ state }: Kept, { last, waiting }: Pick<Look, 'last' | 'waiting'>) =>
  state !== undefined && Number(state) > last + waiting

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
  const since = await readNews(db, kept.no)
  if (!since.isMuch) await apply(db, kept, since)
  return kept
}
