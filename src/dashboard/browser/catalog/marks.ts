import { useLayoutEffect, useState } from 'preact/hooks'
import { settings } from '../kit/settings.ts'

/** How a card stands in the reader's collection. */
export type Mark = 'have' | 'want'

/** The marks of a set's cards, by card in short (`shortOf`). */
export type Marks = Map<string, Mark>

/** Each set is an entry of its own, so that a tick writes little however many cards there are. */
export const keyOf = (set: string) => `${settings.base} collection ${set}`

/** Under which it is kept whose collection the browser has a copy of. */
export const copyKey = () => `${settings.base} copy`

/** Whether the browser has a copy of somebody's collection. */
export const hasCopy = () => textAt(copyKey())

/** A UUID in 22 characters: its bytes in base64. */
export const shortOf = (id: string) =>
  btoa(id.replaceAll('-', '').replace(/../g, (hex) => String.fromCharCode(Number(`0x${hex}`)))).slice(0, 22)

const read = new Map<string, Marks>()
const listeners = new Set<() => void>()
let isKept = true

/** Whether the browser has kept everything so far. It may be full, or keep nothing for anyone. */
export const isAllKept = () => isKept

/** The marks of a set's cards. */
export const marksOf = (set: string): Marks => {
  const known = read.get(set)
  if (known) return known
  const marks: Marks = new Map()
  const [have = '', want = ''] = (textAt(keyOf(set)) ?? '').split('|')
  for (const card of have.match(/.{22}/g) ?? []) marks.set(card, 'have')
  for (const card of want.match(/.{22}/g) ?? []) marks.set(card, 'want')
  read.set(set, marks)
  return marks
}

/** How many cards of some sets have a mark. */
export const countMarks = (sets: string[], mark: Mark) => {
  let count = 0
  for (const set of sets) for (const one of marksOf(set).values()) if (one === mark) count++
  return count
}

type Heard = (cards: string[], mark?: Mark) => void
let heard: Heard | undefined

/** Has somebody told of each change, who was told before no longer. */
export const hearPuts = (next?: Heard) => {
  heard = next
}

/** Marks cards of a set, given in short, or takes their marks away. */
export const putMarks = (set: string, cards: string[], mark?: Mark) => {
  const marks = marksOf(set)
  for (const card of cards) {
    if (mark) marks.set(card, mark)
    else marks.delete(card)
  }
  heard?.(cards, mark)
  if (unwritten.size === 0) setTimeout(write)
  unwritten.add(set)
  tell()
}

const unwritten = new Set<string>()

/** Writes what was marked, after it was shown: many ticks in a row are one entry. */
export const write = () => {
  for (const set of unwritten) {
    const texts = { have: '', want: '' }
    for (const [card, mark] of marksOf(set)) texts[mark] += card
    const { have, want } = texts
    try {
      if (have || want) localStorage.setItem(keyOf(set), `${have}|${want}`)
      else localStorage.removeItem(keyOf(set))
    } catch {
      isKept = false
      tell()
    }
  }
  unwritten.clear()
}

let turn = 0

/** A number that grows with each change. */
export const countChanges = () => turn

const tell = () => {
  turn++
  for (const listener of listeners) listener()
}

/** What the browser keeps under a key. */
export const textAt = (key: string) => {
  try {
    return localStorage.getItem(key)
  } catch {
    isKept = false
    return null
  }
}

/** What something says of the marks, told anew whenever one changes, in another tab, too. Until the page is alive, it is `first`. */
export const useMarks = <T>(say: () => T, first: T, key = ''): T => {
  const [said, setSaid] = useState(first)
  useLayoutEffect(() => {
    const listener = () => setSaid(say())
    listener()
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [key])
  return said
}

globalThis.addEventListener?.('pagehide', write)
globalThis.addEventListener?.('storage', () => {
  write()
  read.clear()
  tell()
})
