import type { Database } from '../../../db/client.ts'
import { levelOf } from '../../access/caller.ts'
import { type ApiError, invalidParameter, mergeErrors } from '../../jsonapi/errors.ts'
import { refuseUnknown } from '../../jsonapi/query.ts'
import { characters } from '../../jsonapi/text-faults.ts'
import { sizes } from '../../limits.ts'
import { newArguments } from '../list/statement.ts'
import { lists } from '../model/counts.ts'
import { cached } from '../show/response-cache.ts'
import { completeQuery, type Offer } from './complete-query.ts'
import { tallied } from './find/lookup.ts'
import type { Reader } from './find/resolve.ts'
import { readTogether } from './find/together.ts'
import { nicknamedFrom } from './language/nicknames/index.ts'
import { queryLimits } from './language/parse.ts'
import { missing, readOnce } from './search-query.ts'
import { closeness, exactly, indexedWords, nearly, nearWordsOf, selectNearWords, wordsOf } from './words.ts'

/** The most completions in an answer. */
export const offeredMost = sizes.offeredNames.most

/** How many names of each type are read: those that start with the text, and those that contain its words. */
const readMost = { beginning: 100, words: 100 }

/** An offer with its number of cards and all its names. */
type Found = Offer & { cards: number; names: string[] }

/** GET: the completions of a text, best first. */
export const autocomplete = cached(async (context, call) => {
  const text = readText(call.url.searchParams)
  const reader = { db: context.db.heavy, level: levelOf(call.caller), state: call.catalogState }
  const offers = await findOffers(reader, text)
  const data = offers.map(({ type, id, name, context: about }) => ({ type, id, name, context: about }))
  return { reply: { status: 200, body: JSON.stringify({ data }) }, cacheable: true }
})

const readText = (search: URLSearchParams): string => {
  const errors: ApiError[] = []
  refuseUnknown(search, ['q'])
  if (!search.has('q')) throw missing('q')
  const text = readOnce(search, 'q', errors) ?? ''
  if (characters(text) > queryLimits.characters)
    errors.push(invalidParameter('q', `Must have at most ${queryLimits.characters} characters.`))
  const error = mergeErrors(errors)
  if (error) throw error
  return text.trim()
}

/**
 * Names and aliases that start with a text or contain its words, the last one as a prefix. If there are none: well-known nicknames, then
 * what the text finds as a query, then near misses.
 */
const findOffers = async (reader: Reader, text: string): Promise<Offer[]> => {
  const { db, level } = reader
  const words = wordsOf(text)
  if (words.length === 0) return []
  const beginning = (await readNames(db, level, 'beginning', text)).filter(({ name }) => isBeginning(name, text))
  const query = beginning.length < offeredMost ? queryOf(words) : undefined
  const others = query ? await readNames(db, level, 'words', query) : []
  const fitting = [...beginning, ...others.filter(({ names }) => names.some((name) => hasWords(wordsOf(name), words)))]
  if (fitting.length > 0) return best(fitting, text, words)
  const called = await findNicknamed(db, level, words)
  if (called.length > 0) return best(called, text, words)
  if (words.length > 1 && [...(words.at(-1) ?? '')].length > 1) {
    const completed = await completeQuery(reader, text, offeredMost)
    if (completed.length > 0) return completed
  }
  const args = newArguments()
  const found = await readTogether<{ near: string[] | null }>(db, { near: selectNearWords(words, args) }, args)
  const near = nearWordsOf(words, found.near ?? [])
  if (near.size === 0) return []
  const nearest = (await readNames(db, level, 'words', nearly(words, near))).filter(({ names }) =>
    names.some((name) => words.every((word) => closeness([word], wordsOf(name), near) !== undefined)),
  )
  return best(nearest, text, words)
}

/** Names with a well-known nickname that starts with the words: `大谷` is Shohei Ohtani. */
const findNicknamed = async (db: Database, level: number, words: string[]): Promise<Found[]> => {
  const some = words.join('').length > 1 ? nicknamedFrom(words).slice(0, offeredMost) : []
  if (some.length === 0) return []
  const queries = some.map(({ name }) => `(${exactly(wordsOf(name))})`)
  const found = await readNames(db, level, 'words', [...new Set(queries)].join(' | '))
  return found.flatMap((one) => {
    const whole = wordsOf(one.name).join(' ')
    const own = some.filter(({ name }) => wordsOf(name).join(' ') === whole)
    return own.length > 0 ? [{ ...one, names: [...one.names, ...own.map(({ nickname }) => nickname)] }] : []
  })
}

/** A `tsquery` for names with these words, the last one as a prefix unless it is a single letter, which matches too many. */
const queryOf = (words: string[]): string | undefined => {
  const [last = '', whole] = [words.at(-1), words.slice(0, -1)]
  if ([...last].length > 1) return [...whole.map((word) => exactly([word])), `'${last}':*`].join(' & ')
  return whole.length > 0 ? exactly(whole) : undefined
}

const hasWords = (name: string[], words: string[]) =>
  words.every((word, index) => name.some((one) => (index < words.length - 1 ? one === word : one.startsWith(word))))

const isBeginning = (name: string, text: string) => name.toLowerCase().startsWith(text.toLowerCase())

/** The exact name first, then names that start with the text, then the rest. Each group is sorted by number of cards. */
const best = (found: Found[], text: string, words: string[]): Offer[] => {
  const whole = words.join(' ')
  const ranked = [...new Map(found.map((one) => [one.id, one])).values()].map((one) => {
    return { one, rank: Math.min(...one.names.map((name) => rankOf(name, text, whole))) }
  })
  const compare = (a: Found, b: Found) =>
    b.cards - a.cards || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1)
  return ranked
    .toSorted((a, b) => a.rank - b.rank || compare(a.one, b.one))
    .slice(0, offeredMost)
    .map(({ one }) => one)
}

const rankOf = (name: string, text: string, whole: string) => {
  const own = wordsOf(name).join(' ')
  if (own === whole || name.toLowerCase() === text.toLowerCase()) return 0
  return own.startsWith(whole) || isBeginning(name, text) ? 1 : 2
}

type Way = 'beginning' | 'words'

type Row = [Offer['type'], string, string, number, string | null, string | null]

const readNames = async (db: Database, level: number, way: Way, text: string): Promise<Found[]> => {
  const [row] = await db.sql.unsafe<{ rows: Row[] | null }[]>(
    `select json_agg(json_build_array(type, id, name, cards, context, aliases)) as rows from (${namesBy(way, level)}) n`,
    [text],
    { prepare: true },
  )
  return (row?.rows ?? []).map(([type, id, name, cards, context, aliases]) => {
    const names = [name, ...(aliases?.split('\n') ?? [])]
    return { type, id, name, cards, context: context || null, names }
  })
}

/** The sets above a set and its year, in SQL. */
const contextOfSet = `(
  select concat_ws(' ', nullif(concat_ws(' › ', g.name, p.name), ''), case when s.parent_id is null then y.name else '(' || y.name || ')' end)
  from sets s left join sets p on p.id = s.parent_id left join sets g on g.id = p.parent_id left join years y on y.id = s.year_id
  where s.id = t.id
)`

const namesBy = (way: Way, level: number) => {
  const onCards = tallied(lists.cards, level)
  const cards = { players: onCards, teams: onCards, sets: '(select live_cards from sets where id = t.id)' }
  const found = {
    // No character sorts after the last one of the upper bound. `fits` drops names that only fall between the bounds.
    beginning: `t.name_key collate "C" between lower($1::text) and lower($1::text) || U&'\\+10FFFF' order by t.name_key collate "C", t.id`,
    words: `${indexedWords('t.name')} @@ $1::tsquery`,
    aliases: `t.aliases is not null and ${indexedWords('t.aliases')} @@ $1::tsquery`,
  }
  const looks = way === 'words' ? (['words', 'aliases'] as const) : ([way] as const)
  const fits = { beginning: 'where starts_with(t.name_key, lower($1::text))', words: '' }
  return Object.entries(cards)
    .flatMap(([type, counted]) =>
      looks.map(
        (
          look,
        ) => `select '${type}' as type, t.id, t.name, ${counted} as cards, ${type === 'sets' ? contextOfSet : 'null::text'} as context, t.aliases from (
        select t.id, t.name, t.name_key, t.aliases from ${type} t where t.audience >= ${level} and ${found[look]} limit ${readMost[way]}
      ) t ${fits[way]}`,
      ),
    )
    .join(' union all ')
}
