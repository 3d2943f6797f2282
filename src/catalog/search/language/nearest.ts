import { editDistance } from '../../../lib/edit-distance.ts'

/** The known name that a mistyped one was probably meant to be: the only one with a wrong letter or two, or that it begins. */
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
