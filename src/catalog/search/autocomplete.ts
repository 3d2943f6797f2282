import { levelOf } from '../../access/caller.ts'
import { type ApiError, invalidParameter, mergeErrors } from '../../jsonapi/errors.ts'
import { refuseUnknown } from '../../jsonapi/query.ts'
import { characters } from '../../jsonapi/text-faults.ts'
import { firstFew } from '../../lib/first-few.ts'
import { isBegunBy, isUnspaced, namesOf, wordsOf } from '../../lib/words.ts'
import { sizes } from '../../limits.ts'
import { cached } from '../show/response-cache.ts'
import { completeQuery, type Offer } from './complete-query.ts'
import { nicknamedFrom } from './language/nicknames.ts'
import { queryLimits } from './language/parse.ts'
import { lookUpNow, readLook } from './match/first-statement.ts'
import { meantBy } from './match/near-words.ts'
import type { Reader } from './match/resolve.ts'
import { readTitles, titlesBegun } from './match/title-names.ts'
import type { Known } from './name-cache/feed-delta.ts'
import { type KnownPeople, personTypes } from './name-cache/known-people.ts'
import { followCatalog } from './name-cache/refresh.ts'
import { anyOf, hasWords, type NameQuery } from './name-query.ts'
import { missing, readOnce } from './search-query.ts'
import { setsByName } from './sets/by-name.ts'
import { contextOfCard, contextOfSet } from './sets/context.ts'
import { closeness } from './words.ts'

/** The most completions in an answer. */
export const offeredMost = sizes.offeredNames.most

/** How many players and how many teams are compared: those with the most cards, and those with just this name. */
const comparedMost = 100

/** A name that may be offered, with its number of cards and the words of the name and of each alias. */
type Found = Pick<Offer, 'type' | 'id' | 'name'> & { cards: number; names: string[][]; setNo?: number }

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
 * Names, aliases and titles that start with a text or contain its words, the last one as a prefix. If there are none: well-known nicknames, then
 * what the text finds as a query, then near misses.
 */
const findOffers = async (reader: Reader, text: string): Promise<Offer[]> => {
  const { db, level, state } = reader
  const words = wordsOf(text)
  const first = words[0]
  const last = words.at(-1)
  if (first === undefined || last === undefined) return []
  const begun: NameQuery = { all: [...words.slice(0, -1).map((word) => ({ word })), { word: last, isBeginning: true }] }
  const asked = { text, words, begun }
  const { known, found } = await lookUpNow(
    followCatalog(db, state),
    ({ people }) => peopleIn(people, begun, asked, level).filter((one) => fits(one, asked)),
    (select) => readLook(db, select),
  )
  const sets = setsByName(known.sets, level)
  const offersOf = (some: Found[]) => best(some, asked).map((one) => offerOf(one, known, level))

  const titles = isEnough(words.join('')) ? await titlesWith(reader, titlesBegun(known.titles, words)) : []
  const fitting = [...found, ...sets.starting(words).filter((one) => fits(one, asked)), ...titles]
  if (fitting.length > 0) return offersOf(fitting)
  const nicknamed = findNicknamed(known, words, level)
  if (nicknamed.length > 0) return offersOf(nicknamed)
  if (words.length > 1 && isEnough(last)) {
    const completed = await completeQuery(reader, text, offeredMost)
    if (completed.length > 0) return completed
  }
  const { near } = await meantBy(known, words)
  if (near.size === 0) return []
  const waysOf = (word: string) => [word, ...(near.get(word) ?? [])]
  const query = { all: words.map((word) => anyOf(waysOf(word).map((one) => ({ word: one })))) }
  const similar = [
    ...peopleIn(known.people, query, asked, level),
    ...sets.withAny(waysOf(first)),
    ...(known.titles.size() > 0 ? await titlesWith(reader, query) : []),
  ]
  return offersOf(
    similar.filter(({ names }) =>
      names.some((name) => words.every((word) => closeness([word], name, near) !== undefined)),
    ),
  )
}

const titlesWith = async ({ db, level }: Reader, query: NameQuery | undefined): Promise<Found[]> => {
  const titles = query ? await readTitles(db, query, level) : []
  return titles.map(({ title, cards, id, set_no }) => ({
    type: 'cards',
    id,
    name: title,
    cards,
    names: [wordsOf(title)],
    setNo: set_no,
  }))
}

const offerOf = ({ type, id, name, setNo }: Found, { sets }: Known, level: number): Offer => {
  const own = setNo === undefined ? undefined : sets.setOf(setNo)
  if (own) return { type, id, name, context: contextOfCard(sets, own, level) }
  const set = sets.get(id)
  return { type, id, name, context: set?.type === 'sets' ? contextOfSet(sets, set, level) : null }
}

/** The players and teams that a query finds. */
const peopleIn = (people: KnownPeople, query: NameQuery, { text }: Pick<Asked, 'text'>, level: number): Found[] => {
  const found = people.find(query, level)
  // Whoever has just this name has all of its words, and they are fewer than those whose names begin with the last one.
  const whole = people.find({ all: wordsOf(text).map((word) => ({ word })) }, level)
  return personTypes
    .flatMap((type) => [
      ...whole[type].called(text.toLowerCase()).slice(0, offeredMost),
      ...found[type].best(comparedMost),
    ])
    .map(({ type, id, name, aliases, cards }) => ({ type, id, name, cards, names: namesOf(name, aliases) }))
}

/** Names with a well-known nickname that starts with the words: `大谷` is Shohei Ohtani. */
const findNicknamed = ({ people, sets }: Known, words: string[], level: number): Found[] => {
  const some = isEnough(words.join('')) ? nicknamedFrom(words).slice(0, offeredMost) : []
  if (some.length === 0) return []
  const meant = some.map(({ name }) => wordsOf(name))
  const found = [
    ...peopleIn(people, anyOf(meant.map((name) => ({ all: name.map((word) => ({ word })) }))), { text: '' }, level),
    ...setsByName(sets, level).withAny(meant.flatMap(([first]) => first ?? [])),
  ]
  return found.flatMap((one) => {
    const whole = one.names[0]?.join(' ')
    const own = some.filter((_, at) => meant[at]?.join(' ') === whole)
    return own.length > 0 ? [{ ...one, names: [...one.names, ...own.map(({ nickname }) => wordsOf(nickname))] }] : []
  })
}

/** A text, its words, and the query for names with these, of which the last is the beginning of one. */
type Asked = { text: string; words: string[]; begun: NameQuery }

/** Whether a name starts with the text, or has its words. A single letter is too little to look for among words. */
const fits = ({ name, names }: Found, { text, words, begun }: Asked) =>
  isBeginning(name, text) || (isEnough(words.join('')) && names.some((one) => hasWords(one, begun)))

/** Whether letters are enough to look for among words. */
const isEnough = (letters: string) => letters.length > 1 || isUnspaced(letters)

const isBeginning = (name: string, text: string) => name.toLowerCase().startsWith(text.toLowerCase())

/** The exact name first, then names that start with the text, then the rest. Each group is sorted by number of cards. */
const best = (found: Found[], asked: Asked): Found[] => {
  const ranked = [...new Map(found.map((one) => [one.id, one])).values()].map((one) => ({
    one,
    rank: rankOf(one, asked),
  }))
  const compare = (a: Found, b: Found) =>
    b.cards - a.cards || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1)
  return firstFew(ranked, offeredMost, (a, b) => a.rank - b.rank || compare(a.one, b.one)).map(({ one }) => one)
}

const rankOf = ({ name, names }: Found, { text, words }: Asked) => {
  const begun = names.filter((own) => words.every((word, at) => own[at] === word || isLastOf(words, at, own[at])))
  const isWhole = begun.some((own) => own.length === words.length && own.at(-1) === words.at(-1))
  if (isWhole || name.toLowerCase() === text.toLowerCase()) return 0
  return begun.length > 0 || isBeginning(name, text) ? 1 : 2
}

/** Whether the last of some words is the beginning of another. */
const isLastOf = (words: string[], at: number, own = '') =>
  at === words.length - 1 && isBegunBy(own, words[at] as string)
