import { newBits } from './bits.ts'
import { newWordList, type WordList } from './word-list.ts'

/** What sets are labeled with. */
export const labelTypes = ['brands', 'manufacturers', 'genres', 'years'] as const
export type LabelType = (typeof labelTypes)[number]

/** The columns of a set that refer to its labels. */
export const labelColumns = ['brand_id', 'manufacturer_id', 'genre_id', 'year_id'] as const
export type LabelColumn = (typeof labelColumns)[number]

/** A name as searches compare it: as shown, and the words of the name and of each alias. */
type ByName = { id: string; name: string; names: string[][]; hasAliases: boolean; audience: number }

/** A label of sets. */
export type KnownLabel = ByName & { type: LabelType }

/** A set. `cards` is about how many it has, `newest` when it was created, in milliseconds. */
export type KnownSet = ByName &
  Record<LabelColumn, string | null> & {
    type: 'sets'
    no: number
    kind: string
    parent: string | null
    cards: number
    newest: number
  }

export type KnownName = KnownLabel | KnownSet

/** All sets and labels of the catalog, as one process remembers them. */
export type KnownSets = {
  /** Adds a set or label, or replaces it. */
  put: (one: KnownName) => void
  drop: (id: string) => void
  get: (id: string) => KnownName | undefined
  setOf: (no: number) => KnownSet | undefined
  /** A bit for the number of each set that readers of a level see. */
  visible: (level: number) => Uint8Array
  /** All sets, in no order. */
  sets: () => Iterable<KnownSet>
  /** The sets with a label, or directly below a set. */
  under: (id: string) => readonly KnownSet[]
  /** The set above a set and the one above that, as far as there are any. */
  above: (set: KnownSet) => KnownSet[]
  /** A set and those that have it `above` them. */
  family: (set: KnownSet) => KnownSet[]
  /** The sets that changed since this was last called, or have a changed one `above` them. */
  changed: () => KnownSet[]
  /** The labels of a type. */
  labels: (type: LabelType) => KnownLabel[]
  /** The names that have a word. */
  withWord: (word: string) => readonly KnownName[]
  /** The words of names. */
  words: WordList
}

/** Starts with no sets. */
export const newKnownSets = (): KnownSets => {
  const known = new Map<string, KnownName>()
  const byNo = new Map<number, KnownSet>()
  const below = new Map<string, KnownSet[]>()
  const byWord = new Map<string, KnownName[]>()
  const byType = new Map(labelTypes.map((type) => [type, new Set<KnownLabel>()]))
  const texts = new Map<string, string>()
  /** The same text, kept once: sets share words and labels. It stays until everything is read again. */
  const shared = (text: string) => texts.getOrInsert(text, text)
  const changed = new Set<string>()
  const visible = [1, 2].map(newBits)
  const note = ({ no, audience }: KnownSet, isKnown: boolean) => {
    for (const [at, bits] of visible.entries()) bits.put(no, isKnown && audience > at)
  }
  const words = newWordList(() => byWord.keys())
  const parentOf = ({ parent }: KnownSet) => {
    const above = parent === null ? undefined : known.get(parent)
    return above?.type === 'sets' ? [above] : []
  }
  const under = (id: string) => below.get(id) ?? []
  const family = (set: KnownSet) => {
    const children = under(set.id)
    return [set, ...children, ...children.flatMap(({ id }) => under(id))]
  }
  const noteChange = (set: KnownSet) => {
    for (const { id } of family(set)) changed.add(id)
  }
  const drop = (id: string) => {
    const old = known.get(id)
    if (!old) return
    known.delete(id)
    for (const word of wordsIn(old)) if (leave(byWord, word, old)) words.drop(word)
    if (old.type !== 'sets') return void byType.get(old.type)?.delete(old)
    noteChange(old)
    byNo.delete(old.no)
    note(old, false)
    for (const above of aboveOf(old)) leave(below, above, old)
  }
  return {
    put: (one) => {
      drop(one.id)
      one.names = one.names.map((name) => name.map(shared))
      known.set(one.id, one)
      for (const word of wordsIn(one)) if (join(byWord, word, one)) words.add(word)
      if (one.type !== 'sets') return void byType.get(one.type)?.add(one)
      byNo.set(one.no, one)
      note(one, true)
      for (const column of labelColumns) one[column] &&= shared(one[column])
      for (const above of aboveOf(one)) join(below, above, one)
      noteChange(one)
    },
    drop,
    get: (id) => known.get(id),
    setOf: (no) => byNo.get(no),
    visible: (level) => visible[level - 1]?.all() ?? new Uint8Array(),
    sets: () => byNo.values(),
    under,
    above: (set) => parentOf(set).flatMap((parent) => [parent, ...parentOf(parent)]),
    family,
    changed: () => {
      const sets = [...changed].flatMap((id) => {
        const one = known.get(id)
        return one?.type === 'sets' ? [one] : []
      })
      changed.clear()
      return sets
    },
    labels: (type) => [...(byType.get(type) ?? [])],
    withWord: (word) => byWord.get(word) ?? [],
    words,
  }
}

const wordsIn = ({ names }: KnownName) => new Set(names.flat())

const aboveOf = (set: KnownSet) =>
  [set.parent, ...labelColumns.map((column) => set[column])].filter((id) => id !== null)

/** Adds a value to a group, and returns whether the group is new. Groups are lists, since sets take much more memory. */
const join = <Value>(groups: Map<string, Value[]>, name: string, value: Value): boolean => {
  const group = groups.get(name)
  if (group) group.push(value)
  else groups.set(name, [value])
  return !group
}

/** Takes a value out of a group, and returns whether that was the last one. The last value takes its place. */
const leave = <Value>(groups: Map<string, Value[]>, name: string, value: Value): boolean => {
  const group = groups.get(name) ?? []
  const at = group.indexOf(value)
  const last = group.pop()
  if (at >= 0 && at < group.length && last !== undefined) group[at] = last
  return group.length === 0 && groups.delete(name)
}
