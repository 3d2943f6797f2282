import { numberKey } from '../model/card-number.ts'
import type { Atom, SetColumn } from './atoms.ts'
import type { FoundName, NameType } from './lookup.ts'
import type { FoundOnCards } from './on-cards.ts'
import type { Mark, Wanted } from './parse.ts'

/** What a term can mean: its exact matches, and its near misses. */
export type Atoms = { exact: Atom[]; near: Atom[] }

type Words = Wanted & { kind: 'words' }

/** Words that collectors use for a mark. */
const markWords: Record<string, Mark> = {
  ...{ rookie: 'rookie', rookies: 'rookie' },
  ...{ auto: 'auto', autos: 'auto', autograph: 'auto', autographs: 'auto', autographed: 'auto' },
}

/** The attribute that a mark stands for, by its code in lower case. */
export const codesOf: Partial<Record<Mark, string>> = { rookie: 'rc', auto: 'au' }
export const kindsOf: Partial<Record<Mark, 'autograph' | 'parallel' | 'insert'>> = {
  auto: 'autograph',
  parallel: 'parallel',
  insert: 'insert',
}

/** Whether words may be something other than a name: a number, a code, a mark. */
export const isPlain = (wanted: Words) => wanted.field === undefined && !wanted.isPhrase

/** The mark that a term asks for or spells out. */
export const markOf = (wanted: Wanted): Mark | undefined => {
  if (wanted.kind === 'mark') return wanted.mark
  return wanted.kind === 'words' && isPlain(wanted) ? markWords[wanted.words.join(' ')] : undefined
}

/** What a term means, from the results of its lookups. */
export const meaningOf = (
  wanted: Wanted,
  found: FoundName[],
  isCut: (type: NameType) => boolean,
  onCards: FoundOnCards | undefined,
): Atoms => {
  const mark = markOf(wanted)
  const kind = mark && kindsOf[mark]
  const marked: Atom[] = [
    ...(kind ? [{ of: 'kind', kind, cards: onCards?.kinds ?? 0 } as const] : []),
    ...(onCards?.attributes.length
      ? [{ of: 'attribute', ids: onCards.attributes.map(({ id }) => id), cards: sum(onCards.attributes) } as const]
      : []),
  ]
  if (wanted.kind === 'mark') return { exact: marked, near: [] }
  if (wanted.kind === 'number')
    return { exact: [{ of: 'number', key: numberKey(wanted.number), cards: onCards?.numbers ?? 0 }], near: [] }
  if (wanted.kind === 'serial')
    return { exact: [{ of: 'serial', ...wanted, cards: onCards?.serials ?? 0 } as Atom], near: [] }
  const numbers = onCards?.numbers ?? 0
  return {
    exact: [
      ...named(
        found.filter(({ near }) => near === 0),
        isCut,
        wanted.words,
      ),
      ...marked,
      ...(numbers > 0 ? [{ of: 'number', key: numberKey(wanted.text), cards: numbers } as const] : []),
      ...(onCards?.titles ? [{ of: 'title', words: wanted.words, cards: onCards.titles } as const] : []),
    ],
    near: named(
      found.filter(({ near }) => near > 0),
      () => false,
      wanted.words,
    ),
  }
}

const sum = (found: { cards: number }[]) => found.reduce((all, { cards }) => all + cards, 0)

/** Where each type of name applies: to a card's set, to the parent of that set, or to the card. */
const places: Record<
  NameType,
  ({ of: 'set'; column: SetColumn } | { of: 'subject'; column: 'player_id' | 'team_id' })[]
> = {
  players: [{ of: 'subject', column: 'player_id' }],
  teams: [{ of: 'subject', column: 'team_id' }],
  sets: [
    { of: 'set', column: 'id' },
    { of: 'set', column: 'parent_id' },
  ],
  brands: [{ of: 'set', column: 'brand_id' }],
  manufacturers: [{ of: 'set', column: 'manufacturer_id' }],
  genres: [{ of: 'set', column: 'genre_id' }],
  years: [{ of: 'set', column: 'year_id' }],
}

const named = (found: FoundName[], isCut: (type: NameType) => boolean, words: string[]): Atom[] =>
  Object.entries(places).flatMap(([key, columns]) => {
    const type = key as NameType
    const some = found.filter((one) => one.type === type)
    if (some.length === 0) return []
    const [ids, names] = [some.map(({ id }) => id), some.map(({ name }) => name)]
    const cut =
      isCut(type) && (type === 'players' || type === 'teams' || type === 'sets') ? { table: type, words } : undefined
    const cards = sum(some) * (cut ? 20 : 1)
    return columns.map((place, no): Atom => ({ ...place, named: { ids, names, cut }, cards: no === 0 ? cards : 0 }))
  })
