import { Audience } from '../../../lib/audience.ts'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { firstFew, placeIn } from '../../../lib/first-few.ts'
import { hasWords, type NameQuery } from '../name-query.ts'
import { wordsOf } from '../words.ts'
import { newIdTable } from './id-table.ts'
import { newWordList, type WordList } from './word-list.ts'

/** Whom or what a card shows. */
export const personTypes = ['players', 'teams'] as const
export type PersonType = (typeof personTypes)[number]

/** A player or team: `key` is the name in lower case, and `aliases` has one in each line. */
export type KnownPerson = CardCounts & {
  type: PersonType
  id: string
  name: string
  key: string
  aliases: string | null
  audience: number
}

/** How many cards there are of somebody: all, and those that are published. */
export type CardCounts = { live: number; published: number }

/** Somebody who was found, with the number of cards that the reader sees. */
export type FoundPerson = Pick<KnownPerson, 'type' | 'id' | 'name' | 'key' | 'aliases'> & { cards: number }

/**
 * All players and teams of the catalog, as one process remembers them. There may be a million, so they take as little memory as is
 * easy: about 150 bytes each.
 */
export type KnownPeople = {
  /** Adds a player or team, or replaces it. */
  put: (one: KnownPerson) => void
  drop: (id: string) => void
  get: (id: string) => KnownPerson | undefined
  /** Notes new numbers of cards. */
  recount: (cards: Map<string, CardCounts>) => void
  /** Those that readers of a level see, and whose name or whose aliases have what a query looks for. */
  find: (query: NameQuery, level: number) => Findings
  /** Whether a name has a word. */
  hasWord: (word: string) => boolean
  /** The words of names and aliases. */
  words: WordList
  /** All of them, in no order. */
  all: () => KnownPerson[]
}

/** Players or teams that were found. */
export type Finding = {
  count: number
  /** The first of them, in no order. */
  first: (most: number) => FoundPerson[]
  /** Those with the most cards, most first, and then by name. */
  best: (most: number) => FoundPerson[]
  /** Those with a name, in lower case. */
  called: (name: string) => FoundPerson[]
}

export type Findings = Record<PersonType, Finding>

/** Starts with nobody. */
export const newKnownPeople = (): KnownPeople => {
  const ids = newIdTable()
  const names: (string | undefined)[] = []
  /** Only those that have aliases, and only keys that aren't the name in lower case as we write it. */
  const aliases = new Map<number, string>()
  const keys = new Map<number, string>()
  /** The type's number and the audience of each. */
  const kinds: number[] = []
  /**
   * By word, in order, the texts that have it: twice the number of whom they name, and one more for aliases. So a query is never
   * answered by a word of the name and one of an alias.
   */
  const byWord = new Map<string, number[]>()
  const words = newWordList(() => byWord.keys())
  const live: number[] = []
  const published: number[] = []
  const keepCounts = (number: number, cards: CardCounts) => {
    live[number] = cards.live
    published[number] = cards.published
  }

  const textOf = (text: number) => (text & 1 ? aliases.get(text >> 1) : names[text >> 1]) ?? ''
  const wordsIn = (text: number) => new Set(textOf(text).split('\n').flatMap(wordsOf))
  const write = (text: number) => {
    for (const word of wordsIn(text)) {
      const texts = byWord.get(word)
      if (!texts) {
        byWord.set(word, [text])
        words.add(word)
      } else if ((texts.at(-1) as number) < text) texts.push(text)
      else texts.splice(placeOf(texts, text), 0, text)
    }
  }
  const erase = (text: number) => {
    for (const word of wordsIn(text)) {
      const texts = byWord.get(word) ?? []
      texts.splice(placeOf(texts, text), 1)
      if (texts.length === 0 && byWord.delete(word)) words.drop(word)
    }
  }
  const drop = (id: string) => {
    const number = ids.get(id)
    if (number === undefined || names[number] === undefined) return
    erase(2 * number)
    erase(2 * number + 1)
    names[number] = undefined
    aliases.delete(number)
    keys.delete(number)
  }
  const keyOf = (number: number) => keys.get(number) ?? (names[number] as string).toLowerCase()
  const compareNames = (a: number, b: number): number => {
    const [one, other] = [names[a] as string, names[b] as string]
    for (let at = 0; at < one.length && at < other.length; at++) {
      const [its, others] = [one.charCodeAt(at), other.charCodeAt(at)]
      if (its > 127 || others > 127) return compareTexts(keyOf(a), keyOf(b)) || compareIds(a, b)
      const difference = lowerCase(its) - lowerCase(others)
      if (difference !== 0) return difference
    }
    return one.length - other.length || compareIds(a, b)
  }
  const compareIds = (a: number, b: number) => (ids.idOf(a) < ids.idOf(b) ? -1 : 1)
  const personOf = (number: number): KnownPerson => {
    const kind = kinds[number] as number
    return {
      type: personTypes[kind >> 2] as PersonType,
      id: ids.idOf(number),
      name: names[number] as string,
      key: keyOf(number),
      aliases: aliases.get(number) ?? null,
      audience: kind & 3,
      live: live[number] as number,
      published: published[number] as number,
    }
  }
  /** Some may have been dropped since they were found. */
  const personsOf = (numbers: number[], level: number): FoundPerson[] =>
    numbers
      .filter((number) => names[number] !== undefined)
      .map((number) => ({ ...personOf(number), cards: cardsFor(level)[number] as number }))
  const cardsFor = (level: number) => (level > Audience.draft ? published : live)
  const bestOf = (some: number[], most: number, level: number) => {
    const cards = cardsFor(level)
    const compare = (a: number, b: number) => (cards[b] as number) - (cards[a] as number) || compareNames(a, b)
    return some.length > most ? firstFew(some, most, compare) : some.toSorted(compare)
  }

  const sizeOf = (query: NameQuery): number => {
    if ('any' in query) return query.any.reduce((size, one) => size + sizeOf(one), 0)
    if ('all' in query) return Math.min(...query.all.map(sizeOf))
    const some = query.isBeginning ? words.from(query.word) : [query.word]
    return some.reduce((size, word) => size + (byWord.get(word)?.length ?? 0), 0)
  }
  /** The lists of texts, not all different, that have what a query looks for. */
  const listsOf = (query: NameQuery): (readonly number[])[] => {
    if ('any' in query) return query.any.flatMap(listsOf)
    if ('all' in query) return [textsWithAll(query)]
    return (query.isBeginning ? words.from(query.word) : [query.word]).map((word) => byWord.get(word) ?? [])
  }
  const textsWithAll = ({ all, except }: { all: NameQuery[]; except?: NameQuery }): readonly number[] => {
    const [rarest, ...others] = all.map((one) => ({ one, size: sizeOf(one) })).toSorted((a, b) => a.size - b.size)
    const first = rarest ? united(listsOf(rarest.one)) : []
    const found = others.reduce((texts, { one, size }) => among(texts, one, size), first)
    return except ? found.filter((text) => !hasWords([...wordsIn(text)], except)) : found
  }
  /** Those of some texts that a query finds. If it finds very many, each text is read instead. */
  const among = (texts: readonly number[], query: NameQuery, size: number): readonly number[] => {
    if (texts.length === 0) return texts
    if (size > textsInReading * texts.length) return texts.filter((text) => hasWords([...wordsIn(text)], query))
    const some = new Set(texts)
    return united(listsOf(query).map((list) => list.filter((text) => some.has(text))))
  }
  return {
    put: (one) => {
      drop(one.id)
      const number = ids.add(one.id)
      names[number] = one.name
      kinds[number] = (personTypes.indexOf(one.type) << 2) | one.audience
      if (one.aliases !== null) aliases.set(number, one.aliases)
      if (one.key !== one.name.toLowerCase()) keys.set(number, one.key)
      keepCounts(number, one)
      write(2 * number)
      if (one.aliases !== null) write(2 * number + 1)
    },
    drop,
    get: (id) => {
      const number = ids.get(id)
      return number === undefined || names[number] === undefined ? undefined : personOf(number)
    },
    find: (query, level) => {
      const [players, teams]: [number[], number[]] = [[], []]
      let areTwice = false
      for (const text of united(listsOf(query))) {
        const [number, kind] = [text >> 1, kinds[text >> 1] as number]
        if ((kind & 3) < level) continue
        areTwice ||= (text & 1) === 1
        ;(kind >> 2 === 0 ? players : teams).push(number)
      }
      const finding = (some: number[]): Finding => ({
        count: some.length,
        first: (most) => personsOf(some.slice(0, most), level),
        best: (most) => personsOf(bestOf(some, most, level), level),
        called: (name) => {
          const isIt = (number: number) => names[number]?.length === name.length && keyOf(number) === name
          return personsOf(some.filter(isIt), level)
        },
      })
      // Found by the name and by an alias.
      const once = (some: number[]) => (areTwice ? [...new Set(some)] : some)
      return { players: finding(once(players)), teams: finding(once(teams)) }
    },
    recount: (cards) => {
      for (const [id, counts] of cards) {
        const number = ids.get(id)
        if (number !== undefined) keepCounts(number, counts)
      }
    },
    hasWord: (word) => byWord.has(word),
    words,
    all: () => names.flatMap((name, number) => (name === undefined ? [] : [personOf(number)])),
  }
}

/** An ASCII letter in lower case. */
const lowerCase = (letter: number) => (letter > 64 && letter < 91 ? letter + 32 : letter)

/** How many texts of a list can be compared in the time it takes to read the words of one. */
const textsInReading = 16

const united = (lists: (readonly number[])[]): readonly number[] => {
  const [only = [], ...more] = lists.filter(({ length }) => length > 0)
  if (more.length === 0) return only
  const all = new Set(only)
  for (const list of more) for (const text of list) all.add(text)
  return [...all]
}

const placeOf = (texts: number[], text: number) => placeIn(texts, (one) => one < text)
