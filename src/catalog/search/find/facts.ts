import type { Database } from '../../../../db/client.ts'
import { newArguments } from '../../list/statement.ts'
import type { Following } from '../known/follow.ts'
import type { Known, Look } from '../known/news.ts'
import { type Counts, countsOf, selectCounts } from './lookup.ts'
import { type CardLookup, type FoundOnCards, selectOnCards } from './on-cards.ts'
import { readTogether } from './together.ts'

/** What the first statement of a search finds out. */
type Facts = {
  counts: Counts
  onCards: FoundOnCards[]
  /** About how many cards there are. */
  all: number
  /** A look at what happened to what is known, if that was asked. */
  look?: Look
}

/** The statement's row. Null means that nothing was found. */
type Answer = { counts?: number[] | null; onCards?: FoundOnCards[] | null; all: number; look?: Look }

type Wanted = { ids: string[]; onCards: CardLookup[]; select: Following['select'] }

/** Reads how many cards players and teams have, what is on cards, and what happened since. */
export const readFacts = async (db: Database, { ids, onCards, select }: Wanted, level: number): Promise<Facts> => {
  const args = newArguments()
  const found = await readTogether<Answer>(
    db,
    {
      ...(ids.length > 0 ? { counts: selectCounts(ids, level, args) } : {}),
      ...(onCards.length > 0 ? { onCards: selectOnCards(onCards, level, args) } : {}),
      ...(select ? { look: select(args) } : {}),
      all: "select greatest(reltuples, 1)::float8 from pg_class where oid = 'cards'::regclass",
    },
    args,
  )
  return {
    counts: countsOf(ids, found.counts ?? null),
    onCards: found.onCards ?? [],
    all: found.all,
    look: found.look,
  }
}

/**
 * Looks up players and teams in what is known, and reads how many cards they have, with a look at what happened since. If that changed
 * what is known, both are done again.
 */
export const lookUpCounted = async <Found extends { ids: string[] }, Read extends { counts: Counts; look?: Look }>(
  { db, level, following }: { db: Database; level: number; following: Following },
  lookUp: (known: Known) => Found | Promise<Found>,
  readFirst: (ids: string[], select: Following['select']) => Promise<Read>,
) => {
  const before = following.known ?? (await following.bring())
  const { version } = before
  const found = await lookUp(before)
  const read = await readFirst(found.ids, following.select)
  const known = await following.bring(read.look)
  if (known.version === version) return { known, found, read, counts: read.counts }
  const again = await lookUp(known)
  return { known, found: again, read, counts: await readCounts(db, again.ids, level) }
}

/** Reads how many cards players and teams have. */
export const readCounts = async (db: Database, ids: string[], level: number): Promise<Counts> => {
  if (ids.length === 0) return new Map()
  const args = newArguments()
  const { counts } = await readTogether<Pick<Answer, 'counts'>>(db, { counts: selectCounts(ids, level, args) }, args)
  return countsOf(ids, counts ?? null)
}
