import { sizes } from '../../limits.ts'
import type { Comparison } from './parse.ts'

/** Records of one table by id and name; if too many match to list them, the words that find them. */
export type Named = { ids: string[]; names: string[]; cut?: Cut }
export type Cut = { table: 'players' | 'teams' | 'sets'; words: string[] }

/** One way for a card to match a term, with an estimate of how many cards do. */
export type Atom = { cards: number } & (SetAtom | CardAtom)

/** A condition on a card's set. */
export type SetAtom = { of: 'set'; column: SetColumn; named: Named } | { of: 'kind'; kind: string }
export type SetColumn = 'id' | 'parent_id' | 'brand_id' | 'manufacturer_id' | 'genre_id' | 'year_id'

/** A condition on the card itself. */
export type CardAtom =
  | { of: 'subject'; column: 'player_id' | 'team_id'; named: Named }
  | { of: 'attribute'; ids: string[] }
  | { of: 'number'; key: string }
  | { of: 'title'; words: string[] }
  | { of: 'serial'; comparison: Comparison; limit: number }

/** Whether an atom is a condition on the card's set. */
export const isOfSet = (atom: Atom): atom is Atom & SetAtom => atom.of === 'set' || atom.of === 'kind'

/** How many candidates are ranked at most (decisions.md §11: beyond 10,000 a total is an estimate). */
export const rankedMost = sizes.ranked.most
