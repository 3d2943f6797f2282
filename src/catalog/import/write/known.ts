import type { Candidate, NamedType } from './find/candidates.ts'
import type { FoundSet } from './find/sets.ts'

/** What was found or made before in this run; forgotten when there is much of it. */
export type Known = {
  /** Ids of live records, by type and name. */
  names: Record<NamedType, Map<string, string>>
  /** Ids that a dry run gave to what it would make, by folded name: the database does not have them. */
  pretended: Record<NamedType, Map<string, string>>
  /** Sets that a dry run would make, by their names in small letters. */
  pretendedSets: Map<string, FoundSet[]>
  /** Players and teams of which several have the name. */
  several: Record<'players' | 'teams', Map<string, Candidate[]>>
  /** Whether a record with this id lives; those that do not exist are not in it. */
  ids: Map<string, boolean>
  /** Where ids of merged records lead. */
  merged: Map<string, string>
  /** Player-teams by `player:team`, and whether they live. */
  pairs: Map<string, { id: string; live: boolean }>
  /** Why sets of this file were refused, by their key. */
  refusedSets: Map<string, string>
}
const knownAtMost = 200_000

/** Nothing is known yet. */
export const beginKnown = (): Known => ({
  names: noNames(),
  pretended: noNames(),
  pretendedSets: new Map(),
  several: { players: new Map(), teams: new Map() },
  ids: new Map(),
  merged: new Map(),
  pairs: new Map(),
  refusedSets: new Map(),
})

const noNames = (): Known['names'] => ({
  attributes: new Map(),
  brands: new Map(),
  genres: new Map(),
  manufacturers: new Map(),
  years: new Map(),
  players: new Map(),
  teams: new Map(),
})

/** Forgets what was found once it is a lot. Call it between two chunks: each looks up what it needs. */
export const forgetMuch = ({ names, several, ids, merged, pairs }: Known) => {
  for (const part of [...Object.values(names), ...Object.values(several), ids, merged, pairs])
    if (part.size > knownAtMost) part.clear()
}

/** Forgets everything: what was found may have been merged or deleted since. */
export const forgetAll = ({ names, several, ids, merged, pairs }: Known) => {
  for (const part of [...Object.values(names), ...Object.values(several), ids, merged, pairs]) part.clear()
}
