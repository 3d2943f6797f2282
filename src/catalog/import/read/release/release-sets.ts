import { type beginEquals, derivedId, readRecordId } from '../identity.ts'
import type { CardItem, ImportItem, SetItem, SetKind } from '../item.ts'
import { cardFault, setFault } from '../limits.ts'
import type { ReleaseFacts } from '../names/release-name.ts'
import { fault, note, type Run } from '../run.ts'
import type { ReleaseCard, ReleaseSet, Variant } from './release-document.ts'

/** What all sets of a release share. */
export type ReleaseContext = {
  run: Run
  file: string
  line: number
  facts: ReleaseFacts
  genre: string | null
  isCode: (word: string) => boolean
  isKnown: (name: string) => boolean
  findEqual: ReturnType<typeof beginEquals>
}

/**
 * Starts a set. If its texts can't be stored, reports that and returns null. Its `uniqueId` is its id. A second set with the same
 * one gets an id derived from it, its parent and its name. Without a `uniqueId`, the set is found by name.
 */
export function* beginSet(
  context: ReleaseContext,
  given: Pick<SetItem, 'name' | 'setKind' | 'description' | 'unsaid'> & {
    uniqueId: string | null
    parent: SetItem | null
  },
): Generator<ImportItem, SetItem | null> {
  const { facts, run, file, line } = context
  const { name, setKind, description, unsaid, uniqueId, parent } = given
  const uuid = readRecordId(uniqueId)
  const parentKey = parent?.key ?? null
  const fresh = uuid !== null && run.setIds.add(uuid)
  if (uuid && !fresh) yield note(context, 'duplicate-id', `set ${name}: ${uuid}`)
  if (!uuid && uniqueId !== null) yield note(context, 'invalid-id', `set ${name}: ${uniqueId}`)
  const key = fresh ? uuid : derivedId(uniqueId ?? '', parentKey ?? '', name)
  const { genre, year, manufacturer, brand } = facts
  const item: SetItem = {
    kind: 'set',
    file,
    line,
    key,
    parentKey,
    id: uniqueId === null ? null : key,
    name,
    setKind,
    unsaid,
    genre,
    year,
    manufacturer,
    brand,
    status: null,
    description,
    releaseDate: null,
    deleted: false,
  }
  const wrong = setFault(item)
  yield wrong ? fault(context, `${name.slice(0, 200)}: ${wrong}`) : item
  return wrong ? null : item
}

/** Notes and odds as one text, one line each. Null if there are none. */
export const describe = (notes: string[], odds: string[]) =>
  [...notes, ...(odds.length ? [`Odds: ${odds.join('; ')}`] : [])].join('\n') || null

/** A card as an item, together with what the release says about it. */
export type MadeCard = { item: CardItem; card: ReleaseCard }

/** A child set to create, and its cards with what differs on each. `whole` means it has all of its parent's cards. */
type VariantSet = { kind: SetKind; variant: Variant; whole: boolean; cards: { from: CardItem; variant: Variant }[] }

/**
 * Yields a set's child sets: its own parallels and variations, with all of its cards, and those of single cards, one set per
 * name. A card's id is derived from its parent's, so that a second run finds it.
 */
export function* setVariants(
  context: ReleaseContext,
  parent: SetItem,
  set: ReleaseSet,
  made: MadeCard[],
): Generator<ImportItem> {
  const all = made.map(({ item }) => item)
  const sets = new Map<string, VariantSet>()
  const add = (kind: SetKind, variant: Variant, cards: CardItem[], whole: boolean) => {
    const key = `${kind} ${variant.name}`
    const own = sets.get(key) ?? { kind, variant, whole, cards: [] }
    own.cards.push(...cards.map((from) => ({ from, variant })))
    sets.set(key, own)
  }
  for (const variant of set.parallels) add('parallel', variant, all, true)
  for (const variant of set.variations) add('variation', variant, all, true)
  for (const { item, card } of made) {
    for (const variant of card.parallels) add('parallel', variant, [item], false)
    for (const variant of card.variations) add('variation', variant, [item], false)
  }
  for (const each of sets.values()) yield* variantSet(context, parent, each)
}

/** How many cards `setVariants` would create. */
export const countVariants = (set: ReleaseSet, made: MadeCard[]): number => {
  const perCard = (variants: Variant[]): number => variants.reduce((sum, one) => sum + 1 + perCard(one.parallels), 0)
  const each = made.map(({ card }) => perCard([...card.parallels, ...card.variations]))
  return made.length * perCard([...set.parallels, ...set.variations]) + each.reduce((sum, one) => sum + one, 0)
}

function* variantSet(
  context: ReleaseContext,
  parent: SetItem,
  { kind, variant, whole, cards }: VariantSet,
): Generator<ImportItem> {
  const set = yield* beginSet(context, {
    name: variant.name,
    uniqueId: derivedId(parent.key, kind, variant.name),
    parent,
    setKind: kind,
    description: whole ? describe(variant.notes, variant.odds) : null,
  })
  if (!set) return
  const times = new Map<string, number>()
  const nested = new Map<string, VariantSet>()
  for (const { from, variant: own } of cards) {
    const time = times.get(from.id ?? '') ?? 0
    times.set(from.id ?? '', time + 1)
    const card = yield* variantCard(context, set, from, own, whole, time)
    if (!card) continue
    for (const inner of own.parallels) {
      const into = nested.get(inner.name) ?? { kind: 'parallel', variant: inner, whole: false, cards: [] }
      into.cards.push({ from: card, variant: inner })
      nested.set(inner.name, into)
    }
  }
  for (const each of nested.values()) yield* variantSet(context, set, each)
}

function* variantCard(
  context: ReleaseContext,
  set: SetItem,
  from: CardItem,
  variant: Variant,
  whole: boolean,
  time: number,
): Generator<ImportItem, CardItem | null> {
  const attributes = [...new Set([...from.attributes, ...variant.attributes])]
  for (const code of attributes) yield* context.run.attribute(context, code)
  const content = {
    setKey: set.key,
    number: from.number,
    entries: from.entries,
    title: from.title,
    attributes,
    serialNumber: variant.numberedTo && `/${variant.numberedTo}`,
  }
  const card: CardItem = {
    ...from,
    ...content,
    id: derivedId(from.id ?? '', set.key, time),
    notes: whole ? null : describe(variant.notes, variant.odds),
    occurrence: context.findEqual(context.file, content).occurrence,
    parent: from.id ? { id: from.id } : null,
  }
  const wrong = cardFault(card)
  if (wrong) yield fault(context, `${set.name}: ${from.number ?? ''}: ${wrong}`)
  else yield card
  return wrong ? null : card
}
