import { Audience } from '../../../lib/audience.ts'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { firstFew } from '../../../lib/first-few.ts'
import type { NameQuery } from '../name-query.ts'
import { newIdTable } from './id-table.ts'
import { newNameIndex } from './name-index.ts'
import type { WordList } from './word-list.ts'

/** A card's subjects. */
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
  /** Those with the most cards, most first. */
  best: (most: number) => FoundPerson[]
  /** The same, and those with equally many by name. */
  ordered: (most: number) => FoundPerson[]
  /** The ids of as many of them as have some number of cards together, in no order, and how many they have. */
  withCards: (enough: number) => { ids: string[]; cards: number }
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
  const live: number[] = []
  const published: number[] = []
  const keepCounts = (number: number, cards: CardCounts) => {
    live[number] = cards.live
    published[number] = cards.published
  }

  /**
   * Each has two texts: one with twice its number for the name, and the next for the aliases. So a query is never answered by a word of the
   * name and one of an alias.
   */
  const index = newNameIndex((text) => (text & 1 ? aliases.get(text >> 1) : names[text >> 1]) ?? '')
  const drop = (number: number | undefined) => {
    if (number === undefined || names[number] === undefined) return
    index.drop(2 * number)
    index.drop(2 * number + 1)
    names[number] = undefined
    aliases.delete(number)
    keys.delete(number)
  }
  const keyOf = (number: number) => keys.get(number) ?? (names[number] as string).toLowerCase()
  const compareNames = (a: number, b: number): number => {
    const one = names[a] as string
    const other = names[b] as string
    for (let at = 0; at < one.length && at < other.length; at++) {
      const its = one.charCodeAt(at)
      const others = other.charCodeAt(at)
      if (its > 127 || others > 127) return compareTexts(keyOf(a), keyOf(b)) || ids.compare(a, b)
      const difference = lowerCase(its) - lowerCase(others)
      if (difference !== 0) return difference
    }
    return one.length - other.length || ids.compare(a, b)
  }
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
      .map((number) => Object.assign(personOf(number), { cards: cardsFor(level)[number] as number }))
  const cardsFor = (level: number) => (level > Audience.draft ? published : live)
  const byCards = (level: number) => {
    const cards = cardsFor(level)
    return (a: number, b: number) => (cards[b] as number) - (cards[a] as number)
  }

  return {
    put: (one) => {
      const number = ids.add(one.id)
      drop(number)
      names[number] = one.name
      kinds[number] = (personTypes.indexOf(one.type) << 2) | one.audience
      if (one.aliases !== null) aliases.set(number, one.aliases)
      if (one.key !== one.name.toLowerCase()) keys.set(number, one.key)
      keepCounts(number, one)
      index.add(2 * number)
      if (one.aliases !== null) index.add(2 * number + 1)
    },
    drop: (id) => drop(ids.get(id)),
    get: (id) => {
      const number = ids.get(id)
      return number === undefined || names[number] === undefined ? undefined : personOf(number)
    },
    find: (query, level) => {
      const [players, teams]: [number[], number[]] = [[], []]
      let areTwice = false
      for (const text of index.find(query)) {
        const number = text >> 1
        const kind = kinds[text >> 1] as number
        if ((kind & 3) < level) continue
        areTwice ||= (text & 1) === 1
        ;(kind >> 2 === 0 ? players : teams).push(number)
      }
      const compare = byCards(level)
      const finding = (some: number[]): Finding => ({
        count: some.length,
        first: (most) => personsOf(some.slice(0, most), level),
        best: (most) => personsOf(firstFew(some, most, compare), level),
        ordered: (most) => {
          const last = firstFew(some, most, compare).at(-1) ?? 0
          const ahead = some.filter((number) => compare(number, last) < 0)
          const beside = some.filter((number) => compare(number, last) === 0).slice(0, orderedMost)
          const byName = (a: number, b: number) => compare(a, b) || compareNames(a, b)
          return personsOf(firstFew([...ahead, ...beside], most, byName), level)
        },
        withCards: (enough) => {
          let count = 0
          let cards = 0
          while (count < some.length && cards < enough) cards += cardsFor(level)[some[count++] as number] as number
          return { ids: some.slice(0, count).map(ids.idOf), cards }
        },
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
    hasWord: index.hasWord,
    words: index.words,
    all: () => names.flatMap((name, number) => (name === undefined ? [] : [personOf(number)])),
  }
}

/** How many with equally many cards are put in order by name. */
const orderedMost = 10_000

/** An ASCII letter in lower case. */
const lowerCase = (letter: number) => (letter > 64 && letter < 91 ? letter + 32 : letter)
