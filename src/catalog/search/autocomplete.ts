import { levelOf } from '../../access/caller.ts'
import { type ApiError, invalidParameter, mergeErrors } from '../../jsonapi/errors.ts'
import { refuseUnknown } from '../../jsonapi/query.ts'
import { characters } from '../../jsonapi/text-faults.ts'
import { firstFew } from '../../lib/first-few.ts'
import { sizes } from '../../limits.ts'
import { newArguments } from '../list/statement.ts'
import { lists } from '../model/counts.ts'
import { cached } from '../show/response-cache.ts'
import { completeQuery, type Offer } from './complete-query.ts'
import { type PersonType, personTypes, tallied } from './find/lookup.ts'
import type { Reader } from './find/resolve.ts'
import { readTogether } from './find/together.ts'
import { nicknamedFrom } from './language/nicknames/index.ts'
import { queryLimits } from './language/parse.ts'
import { missing, readOnce } from './search-query.ts'
import { type SetsByName, setsByName } from './sets/by-name.ts'
import { contextOfSet } from './sets/context.ts'
import { type Following, followSets } from './known/follow.ts'
import type { KnownSets } from './known/known-sets.ts'
import type { Look } from './known/news.ts'
import { closeness, exactly, indexedWords, namesOf, nearly, nearWordsOf, selectNearWords, wordsOf } from './words.ts'

/** The most completions in an answer. */
export const offeredMost = sizes.offeredNames.most

/** How many players and teams are read: those whose name starts with the text, and those that contain its words. */
const readMost = { beginning: 100, words: 100 }

/** A name that may be offered, with its number of cards and the words of the name and of each alias. */
type Found = Pick<Offer, 'type' | 'id' | 'name'> & { cards: number; names: string[][] }

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
  const words = wordsOf(text)
  if (words.length === 0) return []
  const following = followSets(reader.db, reader.state)
  const { found: persons, look } = await readFound(reader, 'beginning', text, following)
  const known = await following.sets(look)
  const sets = setsByName(known, reader.level)
  const offered = (found: Found[]) => best(found, text, words).map((one) => offerOf(one, known, reader.level))
  const ofSets = sets.starting(words)
  const beginning = [...persons, ...ofSets].filter(({ name }) => isBeginning(name, text))
  const query = beginning.length < offeredMost ? queryOf(words) : undefined
  const others = query ? [...(await readNames(reader, 'words', query)), ...ofSets] : []
  const fitting = [...beginning, ...others.filter(({ names }) => names.some((name) => hasWords(name, words)))]
  if (fitting.length > 0) return offered(fitting)
  const called = await findNicknamed(reader, sets, words)
  if (called.length > 0) return offered(called)
  if (words.length > 1 && [...(words.at(-1) ?? '')].length > 1) {
    const completed = await completeQuery(reader, text, offeredMost)
    if (completed.length > 0) return completed
  }
  const args = newArguments()
  const found = await readTogether<{ near: string[] | null }>(reader.db, { near: selectNearWords(words, args) }, args)
  const near = nearWordsOf(words, found.near ?? [])
  if (near.size === 0) return []
  const [first = ''] = words
  const similar = [
    ...(await readNames(reader, 'words', nearly(words, near))),
    ...sets.withAny([first, ...(near.get(first) ?? [])]),
  ]
  const nearest = similar.filter(({ names }) =>
    names.some((name) => words.every((word) => closeness([word], name, near) !== undefined)),
  )
  return offered(nearest)
}

const offerOf = ({ type, id, name }: Found, known: KnownSets, level: number): Offer => {
  const set = known.get(id)
  return { type, id, name, context: set?.type === 'sets' ? contextOfSet(known, set, level) : null }
}

/** Names with a well-known nickname that starts with the words: `大谷` is Shohei Ohtani. */
const findNicknamed = async (reader: Reader, sets: SetsByName, words: string[]): Promise<Found[]> => {
  const some = words.join('').length > 1 ? nicknamedFrom(words).slice(0, offeredMost) : []
  if (some.length === 0) return []
  const meant = some.map(({ name }) => wordsOf(name))
  const queries = meant.map((name) => `(${exactly(name)})`)
  const found = [
    ...(await readNames(reader, 'words', [...new Set(queries)].join(' | '))),
    ...sets.withAny(meant.flatMap(([first]) => first ?? [])),
  ]
  return found.flatMap((one) => {
    const whole = one.names[0]?.join(' ')
    const own = some.filter((_, at) => meant[at]?.join(' ') === whole)
    return own.length > 0 ? [{ ...one, names: [...one.names, ...own.map(({ nickname }) => wordsOf(nickname))] }] : []
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
const best = (found: Found[], text: string, words: string[]): Found[] => {
  const ranked = [...new Map(found.map((one) => [one.id, one])).values()].map((one) => {
    return { one, rank: rankOf(one, text, words) }
  })
  const compare = (a: Found, b: Found) =>
    b.cards - a.cards || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1)
  return firstFew(ranked, offeredMost, (a, b) => a.rank - b.rank || compare(a.one, b.one)).map(({ one }) => one)
}

const rankOf = ({ name, names }: Found, text: string, words: string[]) => {
  const begun = names.filter((own) => words.every((word, at) => own[at] === word || isLastOf(words, at, own[at])))
  const isWhole = begun.some((own) => own.length === words.length && own.at(-1) === words.at(-1))
  if (isWhole || name.toLowerCase() === text.toLowerCase()) return 0
  return begun.length > 0 || isBeginning(name, text) ? 1 : 2
}

/** Whether the last of some words is the beginning of another. */
const isLastOf = (words: string[], at: number, own = '') =>
  at === words.length - 1 && own.startsWith(words[at] as string)

type Way = 'beginning' | 'words'

type Row = [PersonType, id: string, name: string, cards: number, aliases: string | null]

const readNames = async (reader: Reader, way: Way, text: string) => (await readFound(reader, way, text)).found

/** The same, with a look at what happened to the known sets. */
const readFound = async ({ db, level }: Reader, way: Way, text: string, { select }: Partial<Following> = {}) => {
  const args = newArguments()
  const names = namesBy(way, level, args.add(text, way === 'words' ? 'tsquery' : 'text'))
  const { rows, look } = await readTogether<{ rows: Row[] | null; look?: Look }>(
    db,
    {
      rows: `select json_agg(json_build_array(type, id, name, cards, aliases)) from (${names}) n`,
      ...(select ? { look: select(args) } : {}),
    },
    args,
  )
  const found = (rows ?? []).map(([type, id, name, cards, aliases]): Found => {
    return { type, id, name, cards, names: namesOf(name, aliases) }
  })
  return { found, look }
}

const namesBy = (way: Way, level: number, asked: string) => {
  const found = {
    // No character sorts after the last one of the upper bound. `fits` drops names that only fall between the bounds.
    beginning: `t.name_key collate "C" between lower(${asked}) and lower(${asked}) || U&'\\+10FFFF' order by t.name_key collate "C", t.id`,
    words: `${indexedWords('t.name')} @@ ${asked}`,
    aliases: `t.aliases is not null and ${indexedWords('t.aliases')} @@ ${asked}`,
  }
  const looks = way === 'words' ? (['words', 'aliases'] as const) : ([way] as const)
  const fits = { beginning: `where starts_with(t.name_key, lower(${asked}))`, words: '' }
  return personTypes
    .flatMap((type) =>
      looks.map(
        (look) => `select '${type}' as type, t.id, t.name, ${tallied(lists.cards, level)} as cards, t.aliases from (
        select t.id, t.name, t.name_key, t.aliases from ${type} t where t.audience >= ${level} and ${found[look]} limit ${readMost[way]}
      ) t ${fits[way]}`,
      ),
    )
    .join(' union all ')
}
