import { allOf } from '../list/statement.ts'
import type { Atom } from './atoms.ts'
import type { Meaning } from './resolve.ts'

/** The term that leaves the fewest candidates; undefined where one has no meaning that fits. */
export const rarest = (meanings: Meaning[], fits: (atom: Atom) => boolean) => {
  const wanted = meanings
    .filter(({ excludes }) => !excludes)
    .map((meaning) => {
      const atoms = [...meaning.exact, ...meaning.near].filter(fits)
      return { meaning, atoms: atoms.length, cards: atoms.reduce((sum, { cards }) => sum + cards, 0) }
    })
  if (wanted.some(({ atoms }) => atoms === 0)) return undefined
  return wanted.toSorted((a, b) => a.cards - b.cards)[0]
}

/** The conditions that terms set on what is a candidate by one of them, and of how many of them it is only near, in SQL. */
export const nearOf = (
  meanings: Meaning[],
  driver: Meaning,
  anyOf: (atoms: Atom[]) => string,
  fits: (atom: Atom) => boolean,
) => {
  const where: string[] = []
  const near: string[] = []
  for (const meaning of meanings) {
    if (meaning === driver) continue
    const exact = anyOf(meaning.exact)
    if (meaning.excludes) {
      if (exact !== 'false') where.push(`${exact} is not true`)
    } else if (meaning.near.some(fits)) {
      where.push(anyOf([...meaning.exact, ...meaning.near]))
      near.push(`(case when ${exact} then 0 else 1 end)`)
    } else where.push(exact)
  }
  return { where: allOf(where), near: near.map((one) => ` + ${one}`).join(''), isPlain: where.length === 0 }
}

/** The set of a candidate, looked up one by one: whatever the planner thinks of their number. */
export const setAt = (condition: string) => `cross join lateral (
    select s.id, s.parent_id, s.brand_id, s.manufacturer_id, s.genre_id, s.year_id, s.kind from sets s where ${condition} offset 0
  ) s`
