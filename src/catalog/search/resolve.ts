import type { Database } from '../../../db/client.ts'
import { numberKey } from '../model/card-number.ts'
import { serialLimitId, setKindIds } from '../model/counts.ts'
import { cutKey, type FoundName, findNames, type Lookup, type Part } from './lookup.ts'
import { type Atoms, codesOf, isPlain, kindsOf, markOf, meaningOf } from './meaning.ts'
import { type CardLookup, findOnCards } from './on-cards.ts'
import type { Term, Wanted } from './parse.ts'
import { closeness, exactly, findNearWords, wordsOf } from './words.ts'

/** What a term can mean in this catalog: its exact matches, and its near misses. */
export type Meaning = Atoms & { excludes: boolean; isOfSets: boolean }

/**
 * The players or teams whose names contain every word of a query, with the number of terms that they only nearly match and
 * whether that is their whole name; if too many match exactly, the words that find them.
 */
export type Persons = {
  type: 'players' | 'teams'
  some: { id: string; key: string; near: number; isWhole: boolean }[]
  cut?: { query: string; name: string }
}

export type Resolved = { meanings: Meaning[]; persons: Persons[] }

/** The fields that can match the name of a player, of a team, or of a set and its labels. */
const fieldsOf = { players: ['player'], teams: ['team'], sets: ['set', 'brand', 'year', 'genre'] }

type Words = Wanted & { kind: 'words' }
type Numbered = { term: Term; no: number }

/** Looks the terms of a query up in the catalog as a level sees it: three statements, whatever the query. */
export const resolveTerms = async (db: Database, terms: Term[], level: number): Promise<Resolved> => {
  const numbered = terms.map((term, no) => ({ term, no }))
  const together = (['players', 'teams'] as const).flatMap((type, index) =>
    togetherOf(numbered, type, terms.length + index),
  )
  const lookups = [
    ...numbered.flatMap(lookupOf),
    ...together.filter(({ lookup }) => lookup.no >= terms.length).map(({ lookup }) => lookup),
  ]
  const findAll = async () => findNames(db, lookups, await findNearWords(db, lookups.flatMap(misspellable)), level)
  const [{ found, cut }, onCards] = await Promise.all([
    findAll(),
    findOnCards(db, numbered.flatMap(cardLookupOf), level),
  ])
  const cards = new Map(onCards.map((one) => [one.no, one]))
  return {
    meanings: numbered.map(({ term, no }) => ({
      excludes: term.excludes,
      isOfSets: isOf(term, 'sets'),
      ...meaningOf(
        term.wanted,
        found.filter((one) => one.no === no),
        (type) => cut.has(cutKey(no, type)),
        cards.get(no),
      ),
    })),
    persons: together.map((one) => personsOf(one, terms, found, cut)),
  }
}

/** The words of a lookup that may be misspelled: those outside of phrases. */
const misspellable = ({ parts }: Lookup) => parts.flatMap(({ words, isPhrase }) => (isPhrase ? [] : words))

const partOf = ({ words, isPhrase }: Words): Part => ({ words, isPhrase })

const lookupOf = ({ term: { wanted }, no }: Numbered): Lookup[] =>
  wanted.kind === 'words' ? [{ no, field: wanted.field ?? 'any', parts: [partOf(wanted)], counts: true }] : []

/** Whether a name of a type can match a term. */
const isOf = ({ wanted }: Term, type: keyof typeof fieldsOf) => {
  if (wanted.kind === 'mark') return type === 'sets' && wanted.mark !== 'rookie'
  return wanted.kind === 'words' && (wanted.field === undefined || fieldsOf[type].includes(wanted.field))
}

type Together = { type: 'players' | 'teams'; lookup: Lookup }

/** The words that find the names with all terms; a single term finds them by itself. */
const togetherOf = (numbered: Numbered[], type: 'players' | 'teams', no: number): Together[] => {
  const wanted = numbered.filter(({ term }) => !term.excludes)
  if (!wanted.every(({ term }) => isOf(term, type))) return []
  const parts = wanted.flatMap(({ term }) => lookupOf({ term, no }).flatMap((one) => one.parts))
  const [only] = wanted
  return [
    {
      type,
      lookup: { no: wanted.length === 1 && only ? only.no : no, field: type.slice(0, -1), parts, counts: false },
    },
  ]
}

const personsOf = ({ type, lookup }: Together, terms: Term[], found: FoundName[], cut: Set<string>): Persons => {
  const words = lookup.parts.flatMap((part) => part.words)
  const excluded = terms.flatMap((term) =>
    term.excludes && term.wanted.kind === 'words' && isOf(term, type) ? [term.wanted.words] : [],
  )
  const some = found
    .filter((one) => one.no === lookup.no && one.type === type)
    .map(({ id, key, name, near }) => ({ id, key, near, words: wordsOf(name) }))
    .filter((one) => !excluded.some((not) => closeness(not, one.words, new Map()) === 0))
    .map(({ words: own, ...one }) => ({ ...one, isWhole: own.join(' ') === words.join(' ') }))
  if (!cut.has(cutKey(lookup.no, type))) return { type, some }
  const query = [exactly(words), ...excluded.map((not) => `!(${exactly(not)})`)].join(' & ')
  return { type, some: some.filter(({ near }) => near > 0), cut: { query, name: words.join(' ') } }
}

const cardLookupOf = ({ term: { wanted }, no }: Numbered): CardLookup[] => {
  if (wanted.kind === 'number') return [{ no, ...numberOf(wanted.number) }]
  if (wanted.kind === 'serial') return [{ no, serials: limitsOf(wanted) }]
  const mark = markOf(wanted)
  const kind = mark && kindsOf[mark]
  const marked = { no, code: mark && codesOf[mark], kind: kind && setKindIds[kind] }
  if (wanted.kind === 'mark') return [marked]
  if (wanted.field !== undefined) return []
  const title = exactly(wanted.words)
  if (!isPlain(wanted)) return [{ no, title }]
  return [{ ...marked, title, code: marked.code ?? wanted.text.toLowerCase(), ...numberOf(wanted.text) }]
}

const numberOf = (number: string) => ({ number, numberKey: numberKey(number) })

const limitMost = 999_999_999

/** The range of tally ids of the serial limits that a term asks for. */
const limitsOf = ({ comparison, limit }: Wanted & { kind: 'serial' }): [string, string] => {
  const from = comparison === '>' ? limit + 1 : comparison === '<' || comparison === '<=' ? 0 : limit
  const to = comparison === '<' ? limit - 1 : comparison === '>' || comparison === '>=' ? limitMost : limit
  return [serialLimitId(String(from)), serialLimitId(String(Math.max(0, to)))]
}
