import { createHash } from 'node:crypto'
import { isUuid } from '../../../jsonapi/fields.ts'
import { numberKey, partsOfNumber } from '../../model/card-number.ts'
import { everything } from '../../model/counts.ts'
import type { Entry } from './item.ts'

/** A UUID in lower case, or null if the text isn't one. */
export const readUuid = (text: string | null): string | null => (text && isUuid(text) ? text.toLowerCase() : null)

/** The same for the id of anything but a card, which cannot be that of all f's: counts of whole lists have that one. */
export const readRecordId = (text: string | null): string | null => {
  const id = readUuid(text)
  return id === everything ? null : id
}

/** A version 8 UUID derived from its parts: the same parts always give the same id. */
export const derivedId = (...parts: (string | number)[]) => {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Joins parts into a text that is unique to them, because no text of a card contains these control characters. */
const parted = (...parts: (string | number | null | undefined)[]) => {
  let text = ''
  for (const part of parts) text += `${part ?? '\u0001'}\0`
  return text
}

/** What identifies a card without an id within its set. */
type Content = {
  setKey: string
  number: string | null
  entries: Entry[]
  title: string | null
  attributes: string[]
  serialNumber: string | null
}

/** How many rows of earlier files are remembered. If another file repeats a row, that's the same card. */
const repeatedAmong = 1_000_000

/**
 * Tells equal cards apart: `occurrence` is 0 for the first in its file, then 1, and so on. `isRepeated` means that an earlier file
 * has that many, too (`isElsewhere`), or that this file has, in another `spelling` or with a number that is written in another way. Each
 * card takes about 50 bytes, and 150 if its number isn't written plainly, for a hash of 53 bits, so a file of a million rows stays small.
 */
export const beginEquals = () => {
  const earlier = new Map<number, number>()
  let current = beginCounts('')
  return (file: string, card: Content, spelling = '') => {
    if (file !== current.file) {
      for (const counts of [current.plain, current.odd])
        for (const [key, count] of counts)
          if (earlier.size < repeatedAmong) earlier.set(key, Math.max(count, earlier.get(key) ?? 0))
      current = beginCounts(file)
    }
    const { plain, odd, spelled, totaled } = current
    const { base, total } = partsOfNumber(numberKey(card.number))
    const content = contentOf(card, base)
    const bare = hashOf(content)
    const key = total === null ? bare : hashOf(parted(content, total))
    const isOdd = spelling !== '' || !isPlainNumber.test(card.number ?? '')
    const own = isOdd ? hashOf(parted(content, card.number, spelling)) : key
    const occurrence = (isOdd ? spelled : plain).get(own) ?? 0
    const others = Math.max(
      odd.get(key) ?? 0,
      isOdd ? (plain.get(key) ?? 0) : 0,
      total === null ? (totaled.get(bare) ?? 0) : Math.max(plain.get(bare) ?? 0, odd.get(bare) ?? 0),
    )
    ;(isOdd ? spelled : plain).set(own, occurrence + 1)
    if (isOdd) odd.set(key, Math.max(occurrence + 1, odd.get(key) ?? 0))
    if (total !== null) totaled.set(bare, Math.max(occurrence + 1, totaled.get(bare) ?? 0))
    const isElsewhere = occurrence < (earlier.get(key) ?? 0)
    return { occurrence, isElsewhere, isRepeated: isElsewhere || occurrence < others }
  }
}

/** A number that is the only one of its base that matches this, so that its cards need no hash of how it is written. */
const isPlainNumber = /^(?:[1-9]\d{0,7}|[A-Z]+-[1-9]\d{0,7}|[A-Z]+)?$/

/** How often a file has a card in plain writing, in any other one, in each other one, and with any total behind its number. */
const beginCounts = (file: string) => ({
  file,
  plain: new Map<number, number>(),
  odd: new Map<number, number>(),
  spelled: new Map<number, number>(),
  totaled: new Map<number, number>(),
})

const contentOf = ({ setKey, title, serialNumber, attributes, entries }: Content, number: string) => {
  const codes = attributes.length > 1 ? attributes.toSorted() : attributes
  let content = parted(setKey, number, title, serialNumber, codes.length, ...codes)
  for (const { player, team, disambiguation } of entries)
    content += parted(player?.firstName, player?.lastName, team) + (disambiguation ? parted(disambiguation) : '')
  return content
}

const hashOf = (text: string) => Number(BigInt(Bun.hash(text)) & 0x1fffffffffffffn)

/** A set of UUIDs, because a run may have millions. `add` returns whether the id is new. */
export const createIdSet = () => {
  const ids = createIdMap()
  return { has: (uuid: string) => ids.get(uuid) !== 0, add: (uuid: string) => ids.put(uuid, 1) === 0 }
}

/**
 * A number above 0 for each of some UUIDs, stored in 20 bytes each. `get` returns 0 for an id without one, and `put` what the id
 * had before.
 */
export const createIdMap = () => {
  let slots = new Uint32Array(4 * 1024)
  let values = new Uint32Array(1024)
  let size = 0
  /** The place of the id in `words`, or of the empty slot for it. */
  const place = () => {
    const [a, b, c, d] = [words[0], words[1], words[2], words[3]]
    let at = ((a ?? 0) ^ (b ?? 0) ^ (c ?? 0) ^ (d ?? 0)) & (values.length - 1)
    for (; values[at] !== 0; at = (at + 1) & (values.length - 1)) {
      const slot = at * 4
      if (slots[slot] === a && slots[slot + 1] === b && slots[slot + 2] === c && slots[slot + 3] === d) return at
    }
    return at
  }
  const set = (at: number, value: number) => {
    slots.set(words, at * 4)
    values[at] = value
  }
  const grow = () => {
    const [oldSlots, oldValues] = [slots, values]
    slots = new Uint32Array(oldSlots.length * 2)
    values = new Uint32Array(oldValues.length * 2)
    for (let at = 0; at < oldValues.length; at++) {
      const value = oldValues[at] as number
      if (value === 0) continue
      for (let word = 0; word < 4; word++) words[word] = oldSlots[at * 4 + word] as number
      set(place(), value)
    }
  }
  return {
    get: (uuid: string): number => {
      readWords(uuid)
      return values[place()] ?? 0
    },
    put: (uuid: string, value: number): number => {
      if (size * 2 > values.length) grow()
      readWords(uuid)
      const at = place()
      const before = values[at] ?? 0
      if (before === 0) size += 1
      set(at, value)
      return before
    },
  }
}

/** The UUID that is being looked for, as four words of 32 bits: an array for each would cost more than the look. */
const words = new Uint32Array(4)
const readWords = (uuid: string) => {
  words[0] = wordOf(uuid, 0, 8)
  words[1] = wordOf(uuid, 9, 18)
  words[2] = wordOf(uuid, 19, 28)
  words[3] = wordOf(uuid, 28, 36)
}

/** Reads hex digits and skips hyphens. In ASCII, the low three bits of the letters a to f, in either case, are 1 to 6. */
const wordOf = (uuid: string, from: number, to: number) => {
  let word = 0
  for (let at = from; at < to; at++) {
    const code = uuid.charCodeAt(at)
    if (code !== 45) word = (word << 4) | (code > 57 ? (code & 7) + 9 : code & 15)
  }
  return word >>> 0
}
