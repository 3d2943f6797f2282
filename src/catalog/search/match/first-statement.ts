import type { Database } from '../../../../db/client.ts'
import { turn } from '../../../lib/yield-to-event-loop.ts'
import { newArguments } from '../../list/statement.ts'
import type { Known, Look } from '../name-cache/feed-delta.ts'
import type { Following } from '../name-cache/refresh.ts'
import { type CardLookup, type FoundOnCards, selectOnCards } from './on-cards.ts'
import { readTogether } from './one-round-trip.ts'

/** What the first statement of a search finds out. */
type Facts = {
  onCards: FoundOnCards[]
  /** About how many cards there are. */
  all: number
  /** Changes since the names were read, if requested. */
  look?: Look
}

/** The statement's row. Null means that nothing was found. */
type Answer = { onCards?: FoundOnCards[] | null; all: number; look?: Look }

type Wanted = { onCards: CardLookup[]; select: Following['select'] }

/** Reads what is on cards, and what happened since what is known was read. */
export const readFacts = async (db: Database, { onCards, select }: Wanted, level: number): Promise<Facts> => {
  const args = newArguments()
  const found = await readTogether<Answer>(
    db,
    {
      ...(onCards.length > 0 ? { onCards: selectOnCards(onCards, level, args) } : {}),
      ...(select ? { look: select(args) } : {}),
      all: "select greatest(reltuples, 1)::float8 from pg_class where oid = 'cards'::regclass",
    },
    args,
  )
  return { onCards: found.onCards ?? [], all: found.all, look: found.look }
}

/** Reads what happened since what is known was read, if anything did. */
export const readLook = async (db: Database, select: Following['select']): Promise<{ look?: Look }> => {
  if (!select) return {}
  const args = newArguments()
  return readTogether<{ look: Look }>(db, { look: select(args) }, args)
}

/** Looks something up in what is known, while a statement looks what happened since. If that changed anything, it is looked up again. */
export const lookUpNow = async <Found, Read extends { look?: Look }>(
  following: Following,
  lookUp: (known: Known) => Found | Promise<Found>,
  read: (select: Following['select']) => Promise<Read>,
) => {
  const before = following.known ?? (await following.bring())
  const { version } = before
  // The statement leaves in this turn, so that the database works while names are looked up.
  const reading = read(following.select)
  const [found, first] = await Promise.all([turn().then(() => lookUp(before)), reading])
  const known = await following.bring(first.look)
  return { known, read: first, found: known.version === version ? found : await lookUp(known) }
}
