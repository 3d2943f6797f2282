import { isObject } from '../../../../jsonapi/json.ts'
import type { ImportItem } from '../item.ts'
import type { FindColumn } from '../rows/header.ts'
import { beginMembers, beginObjects, isRow } from '../rows/json-rows.ts'
import { fault, note, type Run } from '../run.ts'
import type { Element } from '../source/elements.ts'
import { hasAtMost } from '../source/json.ts'
import type { SourceFile } from '../source/source.ts'
import { chain, take } from '../source/take.ts'
import { isPokemonCard, readPokemonFile } from './pokemon.ts'
import { isPokemonSet, waitingMost } from './pokemon-sets.ts'
import { isScryfallCard, type ScryfallCard, scryfallRow } from './scryfall.ts'

/** How many of a file's first objects are examined to see its layout, and what its numbers look like. */
const sampleMost = 100

/**
 * Reads the objects of a JSON array or of JSON Lines, in parts: rows, or the cards of a catalog whose layout is known. Objects
 * that are none of these refuse the file, or pass it over where it was found in a folder or an archive.
 */
export async function* readObjects(
  run: Run,
  file: SourceFile,
  form: 'rows' | 'json-lines',
  elements: AsyncGenerator<Element>,
  notes: ImportItem[] = [],
): AsyncGenerator<Iterable<ImportItem>> {
  const place = { file: file.name, line: 0 }
  const begun = await take(elements, sampleMost, (element) => ('json' in element && element.length) || 0)
  const { first: sample } = begun
  const all = chain(begun)
  const layout = layoutOf(sample, run.find)
  if (layout === null && file.optional) {
    const skipped: ImportItem = { kind: 'file', ...place, form: 'skipped' }
    return yield [skipped, note(place, 'skipped-file', 'neither rows nor a release')]
  }
  run.hasChecklist = layout !== 'pokemon-sets' || !file.optional || run.hasChecklist
  if (layout === null) return yield [{ kind: 'file', ...place, form: 'skipped' }, fault(place, neitherKind)]
  if (layout === 'pokemon-cards') return yield* readPokemonCards(run, file, all)
  if (layout === 'pokemon-sets') return yield* readPokemonSets(run, file, all)
  yield [{ kind: 'file', ...place, form }, ...notes]
  const known = sample.flatMap((element) => ('json' in element ? [element.json] : []))
  const readRow = layout === 'rows' ? beginObjects(run, file, known) : undefined
  const readCard = beginMembers(run, file)
  for await (const element of all) {
    if ('reason' in element) yield [fault(place, element.reason)]
    else if (readRow) yield readRow(element.number, element.json, element.length)
    else if (isObject(element.json) && isScryfallCard(element.json))
      yield readCard(element.number, scryfallMembers(run, element.json))
    else yield [fault({ ...place, line: element.number }, 'it is not a Scryfall card')]
  }
}

const scryfallMembers = (run: Run, card: ScryfallCard) => {
  const members = scryfallRow(card)
  return { ...members, ...run.sourceSet('scryfall', card.set, members) }
}

/**
 * The same of an object that holds one list of objects, as services answer: `{"object": "list", "data": […]}`. The other
 * members are noted. Null where there is no such list, or more than one.
 */
export const readListed = (run: Run, file: SourceFile, document: unknown) => {
  const members = isObject(document) ? Object.entries(document) : []
  const [list, ...others] = members.filter(
    (member): member is [string, unknown[]] => Array.isArray(member[1]) && member[1].some(isObject),
  )
  if (!list || others.length > 0) return null
  const unread = members.filter((member) => member !== list)
  const notes = unread.map(([name, value]) =>
    note({ file: file.name, line: 0 }, 'unread-member', `${name}: ${shortly(value)}`.slice(0, 100)),
  )
  return readObjects(run, file, 'rows', elementsOf(list[1]), notes)
}

/** A value in a line. What may be long isn't written out. */
const shortly = (value: unknown) =>
  hasAtMost(20, value) ? JSON.stringify(value) : Array.isArray(value) ? `a list of ${value.length}` : 'an object'

async function* elementsOf(list: unknown[]): AsyncGenerator<Element> {
  for (const [at, json] of list.entries()) yield { number: at + 1, json }
}

/** Why a JSON file is refused that isn't in any layout we read. */
export const neitherKind =
  'The JSON document is neither rows nor a release with sets, nor a bulk file of Scryfall or a release file of pokemon-tcg-data.'

type Layout = 'rows' | 'scryfall' | 'pokemon-cards' | 'pokemon-sets'

/** The layout of the objects, from the first one that shows it; null if none does. An empty list counts as rows. */
const layoutOf = (sample: Element[], find: FindColumn): Layout | null => {
  if (sample.length === 0) return 'rows'
  const objects = sample.flatMap((element) => ('json' in element && isObject(element.json) ? [element.json] : []))
  for (const json of objects) {
    if (isScryfallCard(json)) return 'scryfall'
    if (isPokemonCard(json)) return 'pokemon-cards'
    if (isPokemonSet(json)) return 'pokemon-sets'
    if (isRow(json, find)) return 'rows'
  }
  return objects.length === 0 && sample.every((element) => 'reason' in element || element.json === undefined)
    ? 'rows'
    : null
}

async function* readPokemonCards(
  run: Run,
  file: SourceFile,
  elements: AsyncIterable<Element>,
): AsyncGenerator<Iterable<ImportItem>> {
  const cards = []
  for await (const element of elements) {
    const place = { file: file.name, line: element.number }
    if (cards.length === waitingMost) {
      yield [fault(place, `a file of pokemon-tcg-data has at most ${waitingMost} cards; the rest is left out`)]
      break
    }
    if ('reason' in element) yield [fault(place, element.reason)]
    else if (isObject(element.json) && isPokemonCard(element.json)) cards.push(slim(element.number, element.json))
    else yield [fault(place, 'it is not a pokemon-tcg-data card')]
  }
  await run.pokemon.lookBeside(file)
  for (const one of run.pokemon.pass({ file, cards })) yield readPokemonFile(run, one)
}

/** A card with only the members we read, because it may have to wait for its set. */
const slim = (line: number, { id, number, name, rarity, subtypes }: Record<string, unknown> & { id: string }) => ({
  line,
  card: { id, number, name, rarity, subtypes },
})

async function* readPokemonSets(
  run: Run,
  file: SourceFile,
  elements: AsyncIterable<Element>,
): AsyncGenerator<Iterable<ImportItem>> {
  const place = { file: file.name, line: 0 }
  for await (const element of elements)
    if ('reason' in element) yield [fault(place, element.reason)]
    else run.pokemon.add(element.json)
  yield [{ kind: 'file', ...place, form: file.optional ? 'rows' : 'skipped' }]
  if (!file.optional)
    yield [fault(place, 'It names sets of pokemon-tcg-data without their cards; import the folder that holds both.')]
  for (const one of run.pokemon.release()) yield readPokemonFile(run, one)
}
