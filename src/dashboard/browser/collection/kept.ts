import { useMemo } from 'preact/hooks'
import { countChanges, keyOf, type Mark, marksOf, putMarks, shortOf, useMarks, write } from '../catalog/marks.ts'
import { bytesIn, hexOf, uuidOf } from './ids.ts'

/** A set of a collection, with the ids of its cards by mark. In what a link shows, the ends of ids. */
export type Collected = { set: string } & Record<Mark, string[]>

/** A whole UUID, from the 22 characters in which it is kept. */
export const longOf = (short: string) => uuidOf(hexOf(bytesIn(short)))

/** The sets of which something is kept. */
const keptSets = (): string[] => {
  write()
  const start = keyOf('')
  return Object.keys(localStorage).flatMap((key) => (key.startsWith(start) ? key.slice(start.length) : []))
}

/** The reader's collection, told anew once after each change, or many of them. */
export const useKept = () => {
  const turn = useMarks(countChanges, 0)
  return useMemo(readKept, [turn])
}

/** The reader's collection as this browser keeps it. */
export const readKept = (): Collected[] =>
  keptSets().map((set) => {
    const marks = [...marksOf(set)]
    const idsOf = (mark: Mark) => marks.flatMap(([card, own]) => (own === mark ? longOf(card) : []))
    return { set, have: idsOf('have'), want: idsOf('want') }
  })

/** How many cards of a collection have a mark. */
export const countIn = (collection: Collected[], mark: Mark) =>
  collection.reduce((sum, one) => sum + one[mark].length, 0)

/** Takes everything out of the collection. */
export const removeAll = () => {
  for (const { set, have, want } of readKept()) putMarks(set, [...have, ...want].map(shortOf))
}

/** Puts cards into the collection by their sets. Without `isFirm`, those that have a mark already keep it. */
export const keepCards = (cards: { set: string; id: string; mark: Mark }[], isFirm = false) => {
  for (const [set, own] of Map.groupBy(cards, (one) => one.set)) {
    const known = marksOf(set)
    const some = own.filter(({ id }) => isFirm || !known.has(shortOf(id)))
    for (const [mark, marked] of Map.groupBy(some, (one) => one.mark))
      putMarks(
        set,
        marked.map(({ id }) => shortOf(id)),
        mark,
      )
  }
}
