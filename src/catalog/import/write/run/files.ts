import type { CardItem } from '../../read/item.ts'
import type { PlacedSets } from '../session.ts'

/** The sets of cards, each with the last file that names it. */
export const filesOf = (cards: CardItem[]): [setKey: string, file: number][] => {
  const files = new Map<string, number>()
  for (const { setKey, fileNo = 1 } of cards) files.set(setKey, fileNo)
  return [...files]
}

/** Notes the last file with cards of each set. Returns how many of the sets an earlier file has, too. */
export const touchSets = (
  touched: Map<string, number>,
  files: [setKey: string, file: number][],
  placed: PlacedSets,
): number => {
  let shared = 0
  for (const [key, file] of files) {
    const id = placed.get(key)?.id ?? ''
    if ((touched.get(id) ?? file) !== file) shared++
    touched.set(id, file)
  }
  return shared
}
