import type { Database } from '../../../../db/client.ts'
import { newArguments } from '../../list/statement.ts'
import type { KnownTitles } from '../name-cache/known-titles.ts'
import { anyOf, type NameQuery, tsqueryOf } from '../name-query.ts'
import { readTogether } from './one-round-trip.ts'
import { mayBegin } from './pattern.ts'

/** A title, the number of cards with it among those that were looked at, and one of them with its set's number. */
export type TitleName = { title: string; cards: number; id: string; set_no: number }

/** How many cards with such titles are looked at, how many titles are returned, and how many words a beginning stands for. */
const most = { cards: 2000, titles: 100, words: 100 }

/** Titles as a level sees them, those of many cards first. */
export const readTitles = async (db: Database, query: NameQuery, level: number): Promise<TitleName[]> => {
  const args = newArguments()
  const select = `select json_agg(r) from (
    select t.title, count(*)::int as cards, min(t.id::text) as id, (array_agg(t.set_no order by t.id::text))[1] as set_no from (
      select t.id, t.title, t.set_no, t.set_id from cards t where t.title is not null and t.deleted_at is null
        and search_words(search_text(t.title)) @@ ${args.add(tsqueryOf(query), 'tsquery')} limit ${most.cards}
    ) t join sets s on s.id = t.set_id where s.audience >= ${level}
    group by t.title order by count(*) desc, t.title limit ${most.titles}
  ) r`
  const { titles } = await readTogether<{ titles: TitleName[] | null }>(db, { titles: select }, args)
  return titles ?? []
}

/** Looks for titles with some words, the last of which is the beginning of one. Undefined if there are none. */
export const titlesBegun = (titles: KnownTitles, words: string[]): NameQuery | undefined => {
  const [last = '', before] = [words.at(-1), words.slice(0, -1)]
  const isKnown = (word: string) => titles.has(word) || /^[0-9]+$/.test(word)
  const begun = titles.words.from(last)
  if (begun.length === 0 || !before.every(isKnown)) return undefined
  const isMany = begun.length > most.words && mayBegin(last)
  const some = begun.toSorted((a, b) => a.length - b.length).slice(0, most.words)
  const ways = isMany ? { word: last, isBeginning: true } : anyOf(some.map((word) => ({ word })))
  return { all: [...before.map((word) => ({ word })), ways] }
}
