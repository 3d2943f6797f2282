import type { SetItem } from '../item.ts'
import { withoutBase } from '../names/alike.ts'
import { isOfGame, kindOfSet, splitName } from '../names/release-name.ts'

/**
 * The release whose base set a name is, as shops list it, and the parallel of that: `1989 Upper Deck - [Base]`, `1989 Upper Deck - Base Set`,
 * `1989 Upper Deck - [Base] - Gold`, `1989 Upper Deck - Base Gold`. Without brackets, a game's Base Set is a set of its own.
 */
export const readBaseName = (name: string, { genre, year }: Pick<SetItem, 'genre' | 'year'>) => {
  const [, release, parallel = ''] = inBrackets.exec(name) ?? []
  if (release) return { release, parallel }
  const [, before, part = ''] = behindDash.exec(name) ?? []
  if (!before || isOfGame(genre, before) || !(year ?? splitName(before).year)) return null
  if (isBaseAlone.test(part)) return { release: before, parallel: '' }
  const bare = withoutBase(part)
  const isParallel = bare !== part && kindOfSet(bare) !== 'autograph' && !isOtherPart.test(bare)
  return isParallel ? { release: before, parallel: bare } : null
}

const inBrackets = /^(.{1,255}\S) - \[Base\](?: - (\S.{0,254}))?$/
const behindDash = /^(.{1,255}?\S) [-\u2013\u2014] (base(?: \S.{0,254})?)$/i
const isBaseAlone = /^base(?: (?:sets?|cards?))?$/i

/** Words of what has the base set in front and is no parallel: Base Image Variations, Base Prospects. */
const isOtherPart =
  /\b(?:variations?|short ?prints?|s?sps?|rookies?|prospects?|series|update|traded|checklists?|inserts?)\b/i
