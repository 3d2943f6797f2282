import { beginEquals, derivedId, readUuid } from '../identity.ts'
import type { CardItem, ImportItem, NoteItem, NoteRule, SetItem } from '../item.ts'
import { cardFault } from '../limits.ts'
import { isCommonCode } from '../names/attribute-names.ts'
import { readCardText, tidyName } from '../names/card-text.ts'
import { kindOfSet, readReleaseName } from '../names/release-name.ts'
import { numberFault } from '../rows/values.ts'
import { fault, note, type Run } from '../run.ts'
import type { ReleaseCard, ReleaseDocument, ReleaseSet } from './release-document.ts'
import { beginSet, countVariants, describe, type MadeCard, type ReleaseContext, setVariants } from './release-sets.ts'

/**
 * Reads a CardLists release: a root set, a child set for each of its sets, their cards, and, with `parallels`, those sets' own
 * child sets. `path` is the file's path, for genre and year.
 */
export function* readRelease(run: Run, document: ReleaseDocument, file: string, path: string): Generator<ImportItem> {
  const place = { file, line: 0 }
  const facts = readReleaseName(document.name, path)
  for (const doubt of facts.doubts) yield note(place, doubt.rule, doubt.text)
  for (const { code, name } of document.attributes) if (code) yield* run.attribute(place, code, name)
  const defined = new Set(document.attributes.map(({ code }) => code))
  const names = new Set(document.sets.flatMap((set) => set.cards.map((card) => card?.name ?? '')))
  const context: ReleaseContext = {
    run,
    ...place,
    facts,
    genre: facts.genre,
    isCode: (word) => defined.has(word) || isCommonCode(word),
    isKnown: (name) => names.has(name),
    findEqual: beginEquals(),
  }
  const root = yield* beginSet(context, {
    name: document.name,
    uniqueId: document.uniqueId,
    parent: null,
    setKind: 'base',
    unsaid: ['kind'],
    description: describe(document.notes, []),
  })
  if (!root) return
  const setNames = new Set<string>()
  for (const set of document.sets) {
    if (setNames.has(set.name)) yield note(place, 'shared-set-name', `${document.name}: ${set.name}`)
    setNames.add(set.name)
    yield* readSet(context, root, set, document)
  }
}

function* readSet(
  context: ReleaseContext,
  root: SetItem,
  set: ReleaseSet,
  document: ReleaseDocument,
): Generator<ImportItem> {
  const own = yield* beginSet(context, {
    name: set.name,
    uniqueId: set.uniqueId,
    parent: root,
    setKind: document.sets.length === 1 ? 'base' : kindOfSet(set.name, document.name),
    unsaid: ['kind'],
    description: describe(set.notes, set.odds),
  })
  if (!own) return
  if (set.cards.length === 0) yield note(context, 'empty-set', `${document.name}: ${set.name}`)
  const made: MadeCard[] = []
  const numbers = beginNumbers(context, own)
  const inSet = { ...context, setName: set.name }
  for (const card of set.cards) {
    const said: ImportItem[] = []
    const item = card && readCard(inSet, own, set, card, said)
    yield* said
    if (item && card) {
      made.push({ item, card })
      numbers.add(item, card)
    }
    if (!card) yield fault(context, `${document.name}: ${set.name}: a card that is not an object`)
  }
  yield* numbers.report()
  if (context.run.parallels) yield* setVariants(context, own, set, made)
  else yield* leftOut(context, own, countVariants(set, made))
}

/** The card as an item, or null if it is refused. `said` gets everything to yield for it: codes, notes, then the item or a fault. */
const readCard = (
  context: ReleaseContext & { setName: string },
  set: SetItem,
  source: ReleaseSet,
  card: ReleaseCard,
  said: ImportItem[],
): CardItem | null => {
  const labelled = () => `${set.name}: ${[card.number, card.name].filter(Boolean).join(' ')}`
  const say = (rule: NoteRule) => said.push(note(context, rule, labelled()))
  const read = readCardText(card.name, context)
  const codes = codesOf(source.attributes, card.attributes, read.attributes)
  for (const code of codes) said.push(...context.run.attribute(context, code))
  const numberedTo = card.numberedTo ?? source.numberedTo
  const content = {
    setKey: set.key,
    number: card.number,
    entries: read.entries,
    title: read.title,
    attributes: codes,
    serialNumber: numberedTo && `/${numberedTo}`,
  }
  const { occurrence } = context.findEqual(context.file, content)
  const item: CardItem = {
    kind: 'card',
    file: context.file,
    line: context.line,
    ...content,
    id: null,
    notes: describe(card.note ? [card.note] : [], card.odds),
    occurrence,
    deleted: false,
    ...(read.entries.some(({ team }) => team) ? {} : { unsaid: ['teams'] }),
    rule: read.rule,
  }
  const wrong =
    card.name === '' && card.number === null
      ? 'a card without a name or a number'
      : (numberFault(card.number) ?? cardFault(item))
  if (wrong) {
    said.push(fault(context, `${labelled().slice(0, 200)}: ${wrong}`))
    return null
  }
  if (read.attributes.some((code) => !card.attributes.includes(code))) say('code-in-name')
  if (tidyName(card.name) !== card.name) say('name-tidied')
  if (card.numberedTo && source.numberedTo && card.numberedTo !== source.numberedTo) {
    const differs = `/${card.numberedTo} in a set numbered to ${source.numberedTo}`
    said.push(note(context, 'serial-differs', `${labelled()}: ${differs}`))
  }
  if (read.rule === 'undecided') say('undecided-name')
  if (occurrence > 0) say('equal-rows')
  const id = readUuid(card.uniqueId)
  if (id && context.run.cardIds.add(id)) item.id = id
  else {
    const [rule, given]: [NoteRule, string] = id ? ['duplicate-id', id] : ['invalid-id', card.uniqueId ?? 'no uniqueId']
    said.push(note(context, rule, `${labelled()}: ${given}`))
    item.id = derivedCardId(context, card.uniqueId, item)
  }
  said.push(item)
  return item
}

/** Each code once, in the order of the lists. */
const codesOf = (...lists: string[][]): string[] => {
  const some = lists.filter(({ length }) => length > 0)
  return some.length > 1 ? [...new Set(some.flat())] : (some[0] ?? [])
}

/** An id for a card whose `uniqueId` isn't a UUID or was used before in this run, derived from it and the card's content. */
const derivedCardId = (
  context: ReleaseContext,
  uniqueId: string | null,
  { setKey, number, title, entries, occurrence }: CardItem,
): string => {
  const parts = [uniqueId ?? '', setKey, number ?? '', title ?? '', JSON.stringify(entries), occurrence] as const
  for (let count = 0; ; count += 1) {
    const other = derivedId(...parts, count)
    if (context.run.cardIds.add(other)) return other
  }
}

function* leftOut(context: ReleaseContext, set: SetItem, cards: number): Generator<ImportItem> {
  if (cards > 0)
    yield { ...note(context, 'parallels-left-out', `${set.name}: ${cards} cards of parallels and variations`), cards }
}

/** Notes shared numbers, and how many cards have none. Both are common in checklists, but worth a look. */
const beginNumbers = (context: ReleaseContext, set: SetItem) => {
  const seen = new Set<string>()
  const notes: NoteItem[] = []
  let without = 0
  return {
    add: ({ number }: CardItem, { name }: ReleaseCard) => {
      if (number === null) without++
      else if (seen.has(number)) notes.push(note(context, 'shared-number', `${set.name}: ${number} ${name}`))
      else seen.add(number)
    },
    report: (): NoteItem[] =>
      without ? [...notes, note(context, 'no-number', `${set.name}: ${without} cards`)] : notes,
  }
}
