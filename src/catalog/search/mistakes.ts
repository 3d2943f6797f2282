/** How many letters of a word may be wrong. Short words and words with digits must be exact. */
export const mistakesIn = (word: string): number => {
  const { length } = [...word]
  if (length < 4 || length > 20 || /[0-9]/.test(word)) return 0
  return length < 8 ? 1 : 2
}

/** How many mistakes turn one word into the other, or undefined if that's more than the longer word may have. */
export const mistakesBetween = (a: string, b: string): number | undefined => {
  if (a === b) return 0
  const some = mistakesIn(a)
  const others = mistakesIn(b)
  const most = Math.max(some, others)
  if (some === 0 || others === 0) return undefined
  const mistakes = distance(a, b, most)
  return mistakes <= most ? mistakes : undefined
}

/** The edit distance of two words: letters to change, insert, delete or swap with the next. Stops early above `most`. */
export const distance = (from: string, to: string, most: number): number => distanceTo(to)(from, most)

/**
 * The edit distance to a word, for many words. Its table has a column for each beginning of that word and a row for each beginning of the
 * other one, and is filled row by row.
 */
export const distanceTo = (to: string) => {
  const width = to.length + 1
  const rows = [Uint8Array.from({ length: width }, (_, no) => no)]
  /** Fills the row of the first `depth` letters of `from`, and returns the least distance in it. */
  const fill = (from: string, depth: number): number => {
    rows[depth] ??= new Uint8Array(width)
    const row = rows[depth]
    const above = rows[depth - 1] as Uint8Array
    const twoAbove = rows[depth - 2]
    const letter = from.charCodeAt(depth - 1)
    const before = from.charCodeAt(depth - 2)
    let least = depth
    row[0] = depth
    for (let at = 1; at < width; at++) {
      const own = to.charCodeAt(at - 1)
      const changed = (above[at - 1] as number) + (own === letter ? 0 : 1)
      let cost = Math.min((above[at] as number) + 1, (row[at - 1] as number) + 1, changed)
      if (twoAbove && at > 1 && own === before && to.charCodeAt(at - 2) === letter)
        cost = Math.min(cost, (twoAbove[at - 2] as number) + 1)
      row[at] = cost
      if (cost < least) least = cost
    }
    return least
  }
  return (from: string, most: number): number => {
    for (let depth = 1; depth <= from.length; depth++) {
      const least = fill(from, depth)
      if (least > most) return least
    }
    return (rows[from.length] as Uint8Array)[to.length] as number
  }
}
