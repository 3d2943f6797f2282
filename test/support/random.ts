/** Chance that the same seed brings again. */
export type Random = {
  /** A number from 0 to below 1. */
  next: () => number
  below: (most: number) => number
  /** True so often: 0 never, 1 always. */
  isTrue: (share: number) => boolean
  pick: <T>(from: readonly T[]) => T
}

/** A generator of pseudorandom numbers (mulberry32): tests that take their chances take the same ones each time. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  return {
    next,
    below,
    isTrue: (share) => next() < share,
    pick: (from) => from[below(from.length)] as never,
  }
}
