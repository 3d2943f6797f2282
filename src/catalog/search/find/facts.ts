import type { Database } from '../../../../db/client.ts'
import { newArguments } from '../../list/statement.ts'
import { countedAt, lists } from '../../model/counts.ts'
import { type NearWords, nearWordsOf, type SplitWords, selectNearWords, splitWords } from '../words.ts'
import { cardsInSet, type Lookup, type NameRow, selectNames } from './lookup.ts'
import { type CardLookup, type FoundOnCards, selectOnCards } from './on-cards.ts'
import { readTogether } from './together.ts'

/** A year, and about how many cards it has. */
export type Year = { id: string; name: string; cards: number }

/** What the first statement of a search finds out. */
type Facts = {
  near: NearWords
  split: SplitWords
  names: NameRow[]
  onCards: FoundOnCards[]
  years: Year[]
  /** The names of the genres. A set's name may have these at no cost. */
  genres: string[]
  /** About how many cards there are. */
  all: number
}

/** The statement's row. Null means that nothing was found. */
type Answer = { [Name in Exclude<keyof Facts, 'near' | 'split' | 'all'>]?: Facts[Name] | null } & {
  near?: string[] | null
  all: number
}

type Wanted = { words: string[]; names: Lookup[]; onCards: CardLookup[]; hasYears: boolean }

/** Reads everything that depends on nothing else: exact names, words similar to the query's, what is on cards, and labels. */
export const readFacts = async (db: Database, wanted: Wanted, level: number): Promise<Facts> => {
  const args = newArguments()
  const found = await readTogether<Answer>(
    db,
    {
      ...(wanted.words.length > 0 ? { near: selectNearWords(wanted.words, args) } : {}),
      ...(wanted.names.length > 0 ? { names: selectNames(wanted.names, level, args) } : {}),
      ...(wanted.onCards.length > 0 ? { onCards: selectOnCards(wanted.onCards, level, args) } : {}),
      ...(wanted.hasYears ? { years: selectYears(level) } : {}),
      genres: `select json_agg(t.name_key) from genres t where t.audience >= ${level}`,
      all: "select greatest(reltuples, 1)::float8 from pg_class where oid = 'cards'::regclass",
    },
    args,
  )
  return {
    near: nearWordsOf(wanted.words, found.near ?? []),
    split: splitWords(wanted.words, found.near ?? []),
    names: found.names ?? [],
    onCards: found.onCards ?? [],
    years: found.years ?? [],
    genres: found.genres ?? [],
    all: found.all,
  }
}

const selectYears = (level: number) => `
  select json_agg(json_build_object('id', t.id, 'name', t.name, 'cards', coalesce((
    select ${countedAt(level)} from tallies where list = ${lists.sets} and id = t.id
  ), 0) * ${cardsInSet})) from years t where t.audience >= ${level}`
