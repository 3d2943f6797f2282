import { editDistance } from '../../../lib/edit-distance.ts'

/** The known name that a mistyped one probably means: the only one that is a letter or two off, or where one starts with the other. */
export const nearestName = (typed: string, known: readonly string[]): string | undefined => {
  const name = typed.toLowerCase()
  const begun = known.filter((one) => name.length >= 3 && (one.startsWith(name) || name.startsWith(one)))
  if (begun.length === 1) return begun[0]
  const most = name.length < 4 ? 1 : 2
  const near = known
    .map((one) => ({ one, mistakes: editDistance(name, one) }))
    .filter((one) => one.mistakes <= most)
    .toSorted((a, b) => a.mistakes - b.mistakes)
  return near[0]?.mistakes === near[1]?.mistakes ? undefined : near[0]?.one
}
