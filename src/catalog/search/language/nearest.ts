/** The known name that a mistyped one was probably meant to be: the only one with a wrong letter or two, or that it begins. */
export const nearestName = (typed: string, known: readonly string[]): string | undefined => {
  const name = typed.toLowerCase()
  const begun = known.filter((one) => name.length >= 3 && (one.startsWith(name) || name.startsWith(one)))
  if (begun.length === 1) return begun[0]
  const most = name.length < 4 ? 1 : 2
  const near = known
    .map((one) => ({ one, mistakes: mistakes(name, one) }))
    .filter((one) => one.mistakes <= most)
    .toSorted((a, b) => a.mistakes - b.mistakes)
  return near[0]?.mistakes === near[1]?.mistakes ? undefined : near[0]?.one
}

/** How many letters differ between two short names; two that are swapped count once. */
const mistakes = (a: string, b: string): number => {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(at(i, j - 1) + 1, at(i - 1, j) + 1, changed, isSwap ? at(i - 2, j - 2) + 1 : changed))
    }
  }
  return at(a.length, b.length)
}
