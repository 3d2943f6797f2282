import { derivedId } from './identity.ts'
import type { CardItem, ImportItem, SetItem, SetKind } from './item.ts'
import { cardFault } from './limits.ts'
import type { ReleaseCard, ReleaseSet, Variant } from './release-document.ts'
import { beginSet, describe, type ReleaseContext } from './release-set.ts'
import { fault } from './run.ts'

/** A card of a release as it was read, with what the release says of it. */
export type MadeCard = { item: CardItem; card: ReleaseCard }

/** One child set to be made: its kind and name, and the cards that it takes, each with what makes it different. */
type VariantSet = { kind: SetKind; variant: Variant; whole: boolean; cards: { from: CardItem; variant: Variant }[] }

/**
 * The child sets of a set: its own parallels and variations with all of its cards, and those that stand on single cards,
 * one set for each name. Every card made so has an id derived from its parent's, so that a second run finds it.
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
    occurrence: context.occurrence(content),
    parent: from.id ? { id: from.id } : null,
  }
  const wrong = cardFault(card)
  if (wrong) yield fault(context, `${set.name}: ${from.number ?? ''}: ${wrong}`)
  else yield card
  return wrong ? null : card
}
