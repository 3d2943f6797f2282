import { putMarks, shortOf } from '../catalog/marks.ts'
import { setOf } from '../catalog/ticks.tsx'
import { askCards } from './ask.ts'
import { type Collected, keepCards } from './kept.ts'

/** Follows cards whose sets are gone to where they are now. Those that are nowhere stay as they are. */
export const followMoved = async (gone: Collected[]) => {
  const { rows, moved } = await askCards(gone.flatMap(({ have, want }) => [...have, ...want]))
  const setOfCard = new Map(rows.map((row) => [row.id, setOf(row)]))
  for (const one of gone)
    for (const mark of ['have', 'want'] as const) {
      const found = one[mark].flatMap((old) => {
        const id = moved[old] ?? old
        const set = setOfCard.get(id)
        return set && set !== one.set ? { old, id, set, mark } : []
      })
      keepCards(found)
      putMarks(
        one.set,
        found.map(({ old }) => shortOf(old)),
      )
    }
}
