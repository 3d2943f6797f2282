/** The size of a page, PostgreSQL's unit of storage on disk. */
export const pageBytes = 8192

/** Large tables are split into files of this many pages. */
const pagesOfSegment = 131_072

const columns = 32
const rows = pageBytes / 4 / columns
const prime = 16_777_619
const checksumAt = 8

/** The initial values of PostgreSQL's 32 sums, which are part of its file format. */
const beginnings = [
  ...[0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c],
  ...[0xf8d4474f, 0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb],
  ...[0xe58f764b, 0x187636bc, 0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4],
  ...[0x783125bb, 0x6ca8eaa2, 0xe407eac6, 0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756],
]

/**
 * The number of a file's first page in its table or index, from the file's path in the database's folder (`base/5/16384.1`).
 * Undefined for a file that doesn't consist of pages.
 */
export const firstPageOf = (path: string): number | undefined => {
  const segment = /^(?:global|base\/\d+)\/\d+(?:_(?:fsm|vm|init))?(?:\.(\d+))?$/.exec(path)
  return segment ? Number(segment[1] ?? 0) * pagesOfSegment : undefined
}

/**
 * Finds the first page that isn't as PostgreSQL wrote it, by the checksum in its header. Returns how many intact ones come
 * before it, undefined if all are intact. `first` is the number of the first of them in the table.
 */
export const findDamage = (pages: Uint8Array, first: number): number | undefined => {
  for (let at = 0; at * pageBytes < pages.length; at++) {
    page.set(pages.subarray(at * pageBytes, (at + 1) * pageBytes))
    if (!isWhole(first + at)) return at
  }
  return undefined
}

const words = new Uint32Array(pageBytes / 4)
const page = new Uint8Array(words.buffer)

/** A page that a table has allocated but not written is all zeros. No checksum is zero. */
const isWhole = (number: number): boolean => {
  const kept = (words[checksumAt / 4] as number) & 0xffff
  return kept === 0 ? words.every((word) => word === 0) : checksum(number) === kept
}

/**
 * PostgreSQL's checksum: 32 FNV-1a sums, each over one column of the page's numbers, and the page's number, folded into 16
 * bits.
 */
const checksum = (number: number): number => {
  words[checksumAt / 4] = (words[checksumAt / 4] as number) & 0xffff_0000
  let folded = 0
  // Four columns in step, so that the processor works on one while it waits for another's product.
  for (let column = 0; column < columns; column += 4) {
    let [a, b, c, d] = beginnings.slice(column, column + 4) as [number, number, number, number]
    for (let at = column; at < rows * columns; at += columns) {
      a = mixed(a, words[at] as number)
      b = mixed(b, words[at + 1] as number)
      c = mixed(c, words[at + 2] as number)
      d = mixed(d, words[at + 3] as number)
    }
    for (let round = 0; round < 2; round++) [a, b, c, d] = [mixed(a, 0), mixed(b, 0), mixed(c, 0), mixed(d, 0)]
    folded ^= a ^ b ^ c ^ d
  }
  return (((folded ^ number) >>> 0) % 65_535) + 1
}

const mixed = (sum: number, word: number): number => {
  const both = sum ^ word
  return Math.imul(both, prime) ^ (both >>> 17)
}
