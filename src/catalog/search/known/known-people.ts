import { placeIn } from '../../../lib/first-few.ts'
import { hasWords, type NameQuery } from '../name-query.ts'
import { wordsOf } from '../words.ts'
import { newIdTable } from './id-table.ts'
import { newWordList, type WordList } from './word-list.ts'

/** Whom or what a card shows. */
export const personTypes = ['players', 'teams'] as const
export type PersonType = (typeof personTypes)[number]

/** A player or team: `key` is the name in lower case, and `aliases` has one in each line. */
export type KnownPerson = {
  type: PersonType
  id: string
  name: string
  key: string
  aliases: string | null
  audience: number
}

/**
 * All players and teams of the catalog, as one process remembers them. There may be a million, so they take as little memory as is
 * easy: about 120 bytes each.
 */
export type KnownPeople = {
  /** Adds a player or team, or replaces it. */
  put: (one: KnownPerson) => void
  drop: (id: string) => void
  /** Notes who has many cards. */
  noteFame: (cards: Map<string, number>) => void
  /** Those that readers of a level see, and whose name or whose aliases have what a query looks for. */
  find: (query: NameQuery, level: number) => Record<PersonType, Finding>
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
  first: (most: number) => KnownPerson[]
  /** The best-known ones first, as far as it is known who has many cards, then others. */
  best: (most: number) => KnownPerson[]
  /** Those with a name, in lower case. */
  called: (name: string) => KnownPerson[]
}

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
  let fame = new Map<number, number>()

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
  const personOf = (number: number): KnownPerson => {
    const kind = kinds[number] as number
    return {
      type: personTypes[kind >> 2] as PersonType,
      ...{ id: ids.idOf(number), name: names[number] as string, key: keyOf(number) },
      ...{ aliases: aliases.get(number) ?? null, audience: kind & 3 },
    }
  }
  /** Some may have been dropped since they were found. */
  const personsOf = (numbers: Iterable<number>) =>
    [...numbers].filter((number) => names[number] !== undefined).map(personOf)
  const famousAmong = (some: Set<number>) => {
    const [few, many] = some.size < fame.size ? [some, fame] : [fame, some]
    return [...few.keys()].filter((number) => many.has(number))
  }

  const sizeOf = (query: NameQuery): number => {
    if ('any' in query) return query.any.reduce((size, one) => size + sizeOf(one), 0)
    if ('all' in query) return Math.min(...query.all.map(sizeOf))
    const some = query.isBeginning ? words.from(query.word) : [query.word]
    return some.reduce((size, word) => size + (byWord.get(word)?.length ?? 0), 0)
  }
  const textsOf = (query: NameQuery): readonly number[] => {
    if ('all' in query) {
      const sized = query.all.map((one) => ({ one, size: sizeOf(one) })).toSorted((a, b) => a.size - b.size)
      const [rarest, ...others] = sized
      const found = others.reduce((texts, { one, size }) => among(texts, one, size), rarest ? textsOf(rarest.one) : [])
      const { except } = query
      return except ? found.filter((text) => !hasWords([...wordsIn(text)], except)) : found
    }
    if ('any' in query) return united(query.any.map(textsOf))
    if (!query.isBeginning) return byWord.get(query.word) ?? []
    return united(words.from(query.word).map((word) => byWord.get(word) ?? []))
  }
  /** Those of some texts that a query finds. If it finds very many, each text is read instead. */
  const among = (texts: readonly number[], query: NameQuery, size: number): readonly number[] => {
    if (size > textsInReading * texts.length) return texts.filter((text) => hasWords([...wordsIn(text)], query))
    const some = new Set(texts)
    return textsOf(query).filter((text) => some.has(text))
  }
  return {
    put: (one) => {
      drop(one.id)
      const number = ids.add(one.id)
      names[number] = one.name
      kinds[number] = (personTypes.indexOf(one.type) << 2) | one.audience
      if (one.aliases !== null) aliases.set(number, one.aliases)
      if (one.key !== one.name.toLowerCase()) keys.set(number, one.key)
      write(2 * number)
      if (one.aliases !== null) write(2 * number + 1)
    },
    drop,
    find: (query, level) => {
      const [players, teams] = [new Set<number>(), new Set<number>()]
      for (const text of textsOf(query)) {
        const kind = kinds[text >> 1] as number
        if ((kind & 3) >= level) (kind >> 2 === 0 ? players : teams).add(text >> 1)
      }
      const finding = (some: Set<number>): Finding => ({
        count: some.size,
        first: (most) => personsOf(some.values().take(most)),
        best: (most) => {
          const known = [...famousAmong(some)].toSorted((a, b) => (fame.get(b) ?? 0) - (fame.get(a) ?? 0))
          return personsOf([...new Set([...known.slice(0, most), ...some.values().take(most)])].slice(0, most))
        },
        called: (name) => {
          const isIt = (number: number) => names[number]?.length === name.length && keyOf(number) === name
          return personsOf([...some].filter(isIt))
        },
      })
      return { players: finding(players), teams: finding(teams) }
    },
    noteFame: (cards) => {
      fame = new Map(
        [...cards].flatMap(([id, count]) => {
          const number = ids.get(id)
          return number === undefined ? [] : [[number, count] as const]
        }),
      )
    },
    hasWord: (word) => byWord.has(word),
    words,
    all: () => names.flatMap((name, number) => (name === undefined ? [] : [personOf(number)])),
  }
}

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
