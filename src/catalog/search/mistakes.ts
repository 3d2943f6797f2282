/** How many letters of a word may be wrong. Short words and words with digits must be exact. */
export const mistakesIn = (word: string): number => {
  const { length } = [...word]
  if (length < 4 || length > 20 || /[0-9]/.test(word)) return 0
  return length < 8 ? 1 : 2
}

/** How many mistakes turn one word into the other, or undefined if that's more than the longer word may have. */
export const mistakesBetween = (a: string, b: string): number | undefined => {
  if (a === b) return 0
  const [some, others] = [mistakesIn(a), mistakesIn(b)]
  const most = Math.max(some, others)
  if (some === 0 || others === 0) return undefined
  const mistakes = distance(a, b, most)
  return mistakes <= most ? mistakes : undefined
}

/** The edit distance of two words: letters to change, insert, delete or swap with the next. Stops early above `most`. */
export const distance = (from: string, to: string, most: number): number => distanceTo(to)(from, most)

/** The edit distance to a word, for many words. */
export const distanceTo = (to: string) => {
  const table = newTable(to)
  return (from: string, most: number): number => {
    const letters = lettersOf(from)
    for (const [at, letter] of letters.entries()) {
      const least = table.fill(at + 1, letter)
      if (least > most) return least
    }
    return table.distance(letters.length)
  }
}

const lettersOf = (word: string) => Array.from(word, (letter) => letter.codePointAt(0) as number)

/** A table of the edit distances between the beginnings of a word and those of another, which is filled letter by letter. */
const newTable = (word: string) => {
  const letters = lettersOf(word)
  const width = letters.length + 1
  const rows = [Uint8Array.from({ length: width }, (_, no) => no)]
  const others: number[] = []
  /** Fills the row of the other word's first `depth` letters, of which this is the last. Returns the least distance in it. */
  const fill = (depth: number, letter: number): number => {
    others[depth] = letter
    rows[depth] ??= new Uint8Array(width)
    const [row, above, twoAbove] = [rows[depth], rows[depth - 1] as Uint8Array, rows[depth - 2]]
    const before = others[depth - 1]
    let least = depth
    row[0] = depth
    for (let j = 1; j < width; j++) {
      const own = letters[j - 1]
      const changed = (above[j - 1] as number) + (own === letter ? 0 : 1)
      let cost = Math.min((above[j] as number) + 1, (row[j - 1] as number) + 1, changed)
      if (twoAbove && j > 1 && own === before && letters[j - 2] === letter)
        cost = Math.min(cost, (twoAbove[j - 2] as number) + 1)
      row[j] = cost
      if (cost < least) least = cost
    }
    return least
  }
  return { fill, distance: (depth: number) => (rows[depth] as Uint8Array)[letters.length] as number }
}
