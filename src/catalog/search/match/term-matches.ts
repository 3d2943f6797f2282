import type { HasName } from '../../../lib/search-language.ts'
import { sizes } from '../../../limits.ts'
import type { NumberComparison, Pattern, Range } from '../language/query.ts'
import type { PersonType } from '../name-cache/known-people.ts'
import type { KnownName, LabelColumn } from '../name-cache/known-sets.ts'
import type { Fit } from './pattern.ts'

export type NameType = PersonType | KnownName['type']

/** A record with how well its name fits, and about how many cards it has. */
export type FoundName = { no: number; type: NameType; id: string; name: string; fit: Fit; cards: number }

/** Records of one table by id, and about how many cards each has. If there are too many to list, `cut` has the pattern that finds them. */
export type Named = { ids: string[]; counts?: number[]; cut?: TooManyNames }
export type TooManyNames = {
  table: 'players' | 'teams'
  pattern: Pattern
  /** Those among some ids whose names have the pattern. */
  among: (ids: string[]) => string[]
  /** As many of those whose names have it as have some number of cards together, and how many they have. */
  withCards: (enough: number) => { ids: string[]; cards: number }
}

/** Titles that a term may mean though they don't have its words, and about how many cards have them. */
export type LikelyTitles = { fit: Fit; pattern: Pattern; cards: number }

/** One way for a card to match a term: about how many cards do, what it costs in score, and whether it is only similar to what was typed. */
export type Atom = { cards: number; cost: number; isNear?: boolean } & (SetAtom | CardAtom)

/**
 * A condition on a card's set. `family` is sets and all sets below them, `any` is all sets, and `every` is the sets that match each
 * term in some way.
 */
export type SetAtom =
  | { of: 'set'; column: SetColumn; named: { ids: string[] } }
  | { of: 'kind'; kind: string }
  | { of: 'any' }
  | { of: 'every'; terms: (SetAtom & { cost: number; cards: number })[][] }
export type SetColumn = 'id' | 'family' | LabelColumn

/** A condition on the card itself. */
export type CardAtom =
  | { of: 'subject'; column: 'player_id' | 'team_id'; named: Named }
  | { of: 'attribute'; ids: string[] }
  | { of: 'number'; keys: string[] }
  | { of: 'numbers'; bounds: { comparison: NumberComparison; key: string }[] }
  | { of: 'text'; column: 'title' | 'notes'; pattern: Pattern }
  | { of: 'serial'; range: Range }
  | { of: 'has'; has: HasName }
  /** The whole name of the card as shown, ignoring case. */
  | { of: 'called'; name: string }
  | { of: 'record'; ids: string[] }

/** About how many cards some ways to match, or records, have together. */
export const cardsOfAll = (some: { cards: number }[]) => some.reduce((all, { cards }) => all + cards, 0)

/** A player or team on the card. */
export type SubjectAtom = Atom & CardAtom & { of: 'subject' }

export const isSubject = (atom: Atom): atom is SubjectAtom => atom.of === 'subject'

/** Whether an atom is a condition on the card's set. */
export const isOfSet = (atom: Atom): atom is Atom & SetAtom =>
  atom.of === 'set' || atom.of === 'kind' || atom.of === 'any' || atom.of === 'every'

/** The most candidates that are ranked (decisions.md §11: beyond 10,000 a total is an estimate). */
export const rankedMost = sizes.ranked.most
