import { bytesIn, bytesOf, hexOf, uuidOf } from './ids.ts'
import type { Collected } from './kept.ts'

/** What a fragment that shows a collection starts with. The number is that of its form. */
const start = '#show1='

/** How many bytes of a set's id, of a count, and of the end of a card's id are in a link. */
const setBytes = 16
const countBytes = 3
const cardBytes = 4

/**
 * A collection as the fragment of a URL, which browsers don't send to the service. For each set, its id, how many cards it has
 * of each mark, and the ends of their ids: six characters a card.
 */
export const fragmentOf = (collection: Collected[]): string => {
  const bytes = collection.flatMap(({ set, have, want }) => [
    ...bytesOf(set),
    ...countOf(have.length),
    ...countOf(want.length),
    ...[...have, ...want].flatMap((id) => bytesOf(id).slice(-cardBytes)),
  ])
  const text = bytes.map((byte) => String.fromCharCode(byte)).join('')
  return start + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Reads such a fragment. Undefined for any other. */
export const readFragment = (fragment: string): Collected[] | undefined => {
  if (!fragment.startsWith(start)) return undefined
  try {
    return readSets(bytesIn(fragment.slice(start.length).replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}

const readSets = (bytes: Uint8Array): Collected[] => {
  const sets: Collected[] = []
  let at = 0
  const take = (count: number) => {
    const taken = bytes.subarray(at, at + count)
    if (taken.length < count) throw new RangeError('The link is cut off.')
    at += count
    return hexOf(taken)
  }
  const count = () => Number(`0x${take(countBytes)}`)
  const cards = (many: number) => Array.from({ length: many }, () => take(cardBytes))
  while (at < bytes.length) {
    const set = uuidOf(take(setBytes))
    const [have, want] = [count(), count()]
    sets.push({ set, have: cards(have), want: cards(want) })
  }
  return sets
}

const countOf = (count: number) => [count >> 16, (count >> 8) & 255, count & 255]
