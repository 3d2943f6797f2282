import type { Database } from '../../../../db/client.ts'
import { newArguments } from '../../list/statement.ts'
import type { Following } from '../known/follow.ts'
import type { Look } from '../known/news.ts'
import { type NearWords, nearWordsOf, type SplitWords, selectNearWords, splitWords } from '../words.ts'
import { type Lookup, type NameRow, selectNames } from './lookup.ts'
import { type CardLookup, type FoundOnCards, selectOnCards } from './on-cards.ts'
import { readTogether } from './together.ts'

/** What the first statement of a search finds out. */
type Facts = {
  near: NearWords
  split: SplitWords
  names: NameRow[]
  onCards: FoundOnCards[]
  /** About how many cards there are. */
  all: number
  /** A look at what happened to the known sets, if that was asked. */
  look?: Look
}

/** The statement's row. Null means that nothing was found. */
type Answer = { [Name in Exclude<keyof Facts, 'near' | 'split' | 'all' | 'look'>]?: Facts[Name] | null } & {
  near?: string[] | null
  all: number
  look?: Look
}

type Wanted = { words: string[]; names: Lookup[]; onCards: CardLookup[]; following: Following }

/** Reads everything that depends on nothing else: exact names, words similar to the query's, and what is on cards. */
export const readFacts = async (db: Database, wanted: Wanted, level: number): Promise<Facts> => {
  const args = newArguments()
  const found = await readTogether<Answer>(
    db,
    {
      ...(wanted.words.length > 0 ? { near: selectNearWords(wanted.words, args) } : {}),
      ...(wanted.names.length > 0 ? { names: selectNames(wanted.names, level, args) } : {}),
      ...(wanted.onCards.length > 0 ? { onCards: selectOnCards(wanted.onCards, level, args) } : {}),
      ...(wanted.following.select ? { look: wanted.following.select(args) } : {}),
      all: "select greatest(reltuples, 1)::float8 from pg_class where oid = 'cards'::regclass",
    },
    args,
  )
  return {
    near: nearWordsOf(wanted.words, found.near ?? []),
    split: splitWords(wanted.words, found.near ?? []),
    names: found.names ?? [],
    onCards: found.onCards ?? [],
    all: found.all,
    look: found.look,
  }
}
