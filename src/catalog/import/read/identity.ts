import { createHash } from 'node:crypto'
import { isUuid } from '../../../jsonapi/fields.ts'
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
 * has that many, too (`isElsewhere`), or that this file has, in another `spelling` or case of the number. Each card takes about 50 bytes, for a hash of 53 bits, so a
 * file of a million rows stays small.
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
    const { plain, odd, spelled } = current
    const content = contentOf(card)
    const key = hashOf(content)
    const isOdd = spelling !== '' || (card.number ?? '') !== (card.number ?? '').toUpperCase()
    const own = isOdd ? hashOf(parted(content, card.number, spelling)) : key
    const occurrence = (isOdd ? spelled : plain).get(own) ?? 0
    const others = Math.max(odd.get(key) ?? 0, isOdd ? (plain.get(key) ?? 0) : 0)
    ;(isOdd ? spelled : plain).set(own, occurrence + 1)
    if (isOdd) odd.set(key, Math.max(occurrence + 1, odd.get(key) ?? 0))
    const isElsewhere = occurrence < (earlier.get(key) ?? 0)
    return { occurrence, isElsewhere, isRepeated: isElsewhere || occurrence < others }
  }
}

/** How often a file has a card in plain writing, in any other one, and in each other one. */
const beginCounts = (file: string) => ({
  file,
  plain: new Map<number, number>(),
  odd: new Map<number, number>(),
  spelled: new Map<number, number>(),
})

const contentOf = ({ setKey, number, title, serialNumber, attributes, entries }: Content) => {
  const codes = attributes.length > 1 ? attributes.toSorted() : attributes
  let content = parted(setKey, number?.toLowerCase(), title, serialNumber, codes.length, ...codes)
  for (const { player, team, disambiguation } of entries)
    content += parted(player?.firstName, player?.lastName, team, ...(disambiguation ? [disambiguation] : []))
  return content
}

const hashOf = (text: string) => Number(BigInt(Bun.hash(text)) & 0x1fffffffffffffn)

/**
 * A set of UUIDs, stored in 16 bytes each, because a run may have millions. `add` returns whether the id is new.
 */
export const createIdSet = () => {
  let slots = new Uint32Array(4 * 1024)
  let size = 0
  let hasNil = false
  const insert = (table: Uint32Array, a: number, b: number, c: number, d: number) => {
    const last = table.length - 4
    for (let at = ((a ^ b ^ c ^ d) * 4) & last; ; at = (at + 4) & last) {
      if (table[at] === a && table[at + 1] === b && table[at + 2] === c && table[at + 3] === d) return false
      if ((table[at] || table[at + 1] || table[at + 2] || table[at + 3]) !== 0) continue
      table[at] = a
      table[at + 1] = b
      table[at + 2] = c
      table[at + 3] = d
      return true
    }
  }
  const grow = () => {
    const larger = new Uint32Array(slots.length * 2)
    for (let at = 0; at < slots.length; at += 4) {
      const [a, b, c, d] = [slots[at] ?? 0, slots[at + 1] ?? 0, slots[at + 2] ?? 0, slots[at + 3] ?? 0]
      if (a || b || c || d) insert(larger, a, b, c, d)
    }
    slots = larger
  }
  return {
    has: (uuid: string) => {
      const [a, b, c, d] = partsOf(uuid)
      if (!a && !b && !c && !d) return hasNil
      const last = slots.length - 4
      for (let at = ((a ^ b ^ c ^ d) * 4) & last; ; at = (at + 4) & last) {
        if (slots[at] === a && slots[at + 1] === b && slots[at + 2] === c && slots[at + 3] === d) return true
        if (!(slots[at] || slots[at + 1] || slots[at + 2] || slots[at + 3])) return false
      }
    },
    add: (uuid: string) => {
      if (size * 8 > slots.length) grow()
      const [a, b, c, d] = partsOf(uuid)
      if (!a && !b && !c && !d) {
        const added = !hasNil
        hasNil = true
        return added
      }
      const added = insert(slots, a, b, c, d)
      if (added) size += 1
      return added
    },
  }
}

/** A UUID as four words of 32 bits. */
const partsOf = (uuid: string): [number, number, number, number] => [
  wordOf(uuid, 0, 8),
  wordOf(uuid, 9, 18),
  wordOf(uuid, 19, 28),
  wordOf(uuid, 28, 36),
]

/** Reads hex digits and skips hyphens. In ASCII, the low three bits of the letters a to f, in either case, are 1 to 6. */
const wordOf = (uuid: string, from: number, to: number) => {
  let word = 0
  for (let at = from; at < to; at++) {
    const code = uuid.charCodeAt(at)
    if (code !== 45) word = (word << 4) | (code > 57 ? (code & 7) + 9 : code & 15)
  }
  return word >>> 0
}
