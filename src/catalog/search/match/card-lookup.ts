import { markCalled } from '../../../lib/search-language.ts'
import { serialLimitId } from '../../model/counts.ts'
import type { Pattern, Range, Wanted } from '../language/query.ts'
import { type NameQuery, tsqueryOf } from '../name-query.ts'
import type { CardLookup } from './on-cards.ts'
import { beginningsOf, queryOf } from './pattern.ts'

/** Which codes a term may ask for: some, and those with a name. */
export type CodeLookup = { codes?: readonly string[]; called?: NameQuery }

/** What to look for on cards for a term. Undefined if the term asks for nothing there. */
export const cardLookupOf = (wanted: Wanted): (Omit<CardLookup, 'no'> & CodeLookup) | undefined => {
  switch (wanted.kind) {
    case 'number':
      return { numbers: wanted.spellings }
    case 'serial':
      return { serials: limitsOf(wanted.range) }
    case 'code':
      return { codes: [wanted.code] }
    case 'mark':
      return ofMark(wanted.mark)
    case 'text':
      return { [wanted.field]: textQuery(wanted.pattern) }
    case 'words': {
      if (wanted.field !== undefined) return undefined
      const title = textQuery(wanted.pattern)
      if (wanted.isQuoted) return { title, called: queryOf(wanted.pattern) }
      const marked = wanted.mark ? ofMark(wanted.mark) : { codes: [wanted.text.toLowerCase()] }
      const called = /\p{L}{2}/u.test(wanted.text) ? { called: beginningsOf(wanted.pattern) } : {}
      return { ...marked, ...called, title, ...(wanted.spellings ? { numbers: wanted.spellings } : {}) }
    }
    default:
      return undefined
  }
}

const ofMark = (mark: Extract<Wanted, { kind: 'mark' }>['mark']): Omit<CardLookup, 'no'> & CodeLookup => {
  const { codes, serial } = markCalled(mark)
  return {
    ...(codes ? { codes } : {}),
    ...(serial ? { serials: limitsOf(serial === 1 ? { from: 1, to: 1 } : {}) } : {}),
  }
}

const textQuery = (pattern: Pattern) => tsqueryOf(queryOf(pattern))

const limitMost = 999_999_999

/** A range of serial limits as a range of their tally ids. */
const limitsOf = ({ from = 0, to = limitMost }: Range): [string, string] => [
  serialLimitId(String(Math.max(0, from))),
  serialLimitId(String(Math.max(0, to))),
]
