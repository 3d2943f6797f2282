import type { Candidate, NamedType } from './find/candidates.ts'
import { beginFullNames, type FullNames } from './find/full-names.ts'
import type { People } from './find/other-sports.ts'
import type { FoundSet } from './find/sets.ts'
import { addKept, type ImportReport } from './report.ts'

/** The first card of a name in a set: its number, player and team, and the years of a life that its row says. `isTold`: a later row was noted. */
export type FirstOfName = {
  number: string | null
  playerId: string | null
  teamId: string | null
  life: string | undefined
  isTold: boolean
}

/** What this run has found or created so far. It's forgotten when there is too much of it. */
export type Known = {
  /** Ids of live records, by type and name. */
  names: Record<NamedType, Map<string, string>>
  /** Ids that a dry run gave to what it would create, by folded name. They aren't in the database. */
  pretended: Record<NamedType, Map<string, string>>
  /** Sets that a dry run would create, by `alikeKey` of their names. */
  pretendedSets: Map<string, FoundSet[]>
  /** Stored sets that a dry run would change, by id, as they would be. */
  pretendedChanges: Map<
    string,
    Omit<FoundSet, 'wanted' | 'said' | 'year' | 'genre'> & Partial<Pick<FoundSet, 'year' | 'genre'>>
  >
  /** In a dry run: who is on the first cards of sets without a sport that it would create, by id. */
  pretendedPeople: Map<string, People>
  /** The new sets by all that names them. */
  pretendedFullNames: FullNames
  /** What the import calls genres that the catalog didn't have, by `genreKey`. */
  genresByKey: Map<string, string>
  /** Players and teams with the same name. */
  several: Record<'players' | 'teams', Map<string, Candidate[]>>
  /** The namesakes on cards, by set and number. */
  onCards: Map<string, Set<string>>
  /** Whether the record with an id is live. Records that don't exist aren't in it. */
  ids: Map<string, boolean>
  /** What the ids of merged records redirect to. */
  merged: Map<string, string>
  /** Player-teams by `player:team`, whether they are live, and whether somebody deleted them and they stay deleted. */
  pairs: Map<string, { id: string; live: boolean; staysDeleted: boolean }>
  /** Codes that catalogs have: those that differ in case are two. */
  exactCodes: Set<string>
  /** What is reported once, though many rows name it: the names and player-teams whose kept fields are, by type and id, and teams. */
  told: Set<string>
  /** The sets with cards, by their key, in the order of the files. */
  covered: Set<string>
  /** The keys of sets that only rows of cards name. */
  plainSets: Set<string>
  /** The set Base in which a release's cards are, by the release's id, or null for one with cards of its own or without such a set. */
  bases: Map<string, { id: string; name: string } | null>
  /** The sports and years of players' cards, also of this import's. */
  careers: Map<string, Career>
  /** The first card of each name in the last sets, by their ids. */
  namedIn: Map<string, Map<string, FirstOfName>>
  /** The player-teams, as in `pairs`, of this part that are new to players who were there before the import. */
  newPairs: Set<string>
  /** Why sets of this file were refused, by their key. */
  refusedSets: Map<string, string>
}

/**
 * The sports and years of somebody's cards: all of them if it `isWhole`, otherwise those that were asked for. `isNew`: this import made the
 * player.
 */
export type Career = { genres: Set<string>; years: Set<number>; isWhole: boolean; isNew?: true }
/** A career without cards. */
export const beginCareer = (isWhole: boolean): Career => ({ genres: new Set(), years: new Set(), isWhole })

const knownAtMost = 200_000

/** An empty start, except for the kept fields that an earlier run has reported. */
export const beginKnown = (earlier: ImportReport['kept'] = []): Known => ({
  names: noNames(),
  pretended: noNames(),
  pretendedSets: new Map(),
  pretendedChanges: new Map(),
  pretendedPeople: new Map(),
  pretendedFullNames: beginFullNames(),
  genresByKey: new Map(),
  several: { players: new Map(), teams: new Map() },
  onCards: new Map(),
  ids: new Map(),
  merged: new Map(),
  pairs: new Map(),
  exactCodes: new Set(),
  told: new Set(earlier.map(({ type, id }) => `${type} ${id}`)),
  covered: new Set(),
  plainSets: new Set(),
  bases: new Map(),
  careers: new Map(),
  ...{ namedIn: new Map(), newPairs: new Set(), refusedSets: new Map() },
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

/** Forgets what was found if it's too much. Call it between chunks, because each chunk looks up what it needs. */
export const forgetMuch = ({ names, several, onCards, ids, merged, pairs, careers }: Known) => {
  for (const part of [...Object.values(names), ...Object.values(several), onCards, ids, merged, pairs, careers])
    if (part.size > knownAtMost) part.clear()
}

/** Forgets everything, because it may have been merged or deleted since. */
export const forgetAll = ({ names, several, onCards, ids, merged, pairs, careers }: Known) => {
  for (const part of [...Object.values(names), ...Object.values(several), onCards, ids, merged, pairs, careers])
    part.clear()
}

/** Reports a kept field of a record that rows name, once. */
export const tellKept = ({ told }: Known, report: ImportReport, kept: ImportReport['kept'][number]) => {
  const key = `${kept.type} ${kept.id}`
  if (told.has(key)) return
  told.add(key)
  addKept(report, kept)
}
