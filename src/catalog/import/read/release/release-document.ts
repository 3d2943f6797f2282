import { isObject } from '../../../../jsonapi/json.ts'
import { mapInTurns } from '../../../../lib/yield-to-event-loop.ts'
import { sayNumber, sizes } from '../../../../limits.ts'
import { hasAtMost } from '../source/json.ts'
import { oneLine } from '../source/lines.ts'

/** A release file of the CardLists collection, with the members we read. In real files, any of them may be missing or odd. */
export type ReleaseDocument = {
  name: string
  uniqueId: string | null
  notes: string[]
  attributes: { code: string; name: string | null }[]
  sets: ReleaseSet[]
}
export type ReleaseSet = {
  name: string
  uniqueId: string | null
  notes: string[]
  odds: string[]
  numberedTo: string | null
  attributes: string[]
  parallels: Variant[]
  variations: Variant[]
  cards: (ReleaseCard | null)[]
}
export type ReleaseCard = {
  name: string
  uniqueId: string | null
  number: string | null
  attributes: string[]
  note: string | null
  odds: string[]
  numberedTo: string | null
  parallels: Variant[]
  variations: Variant[]
}
/** A parallel or variation of a set or a card. */
export type Variant = {
  name: string
  notes: string[]
  odds: string[]
  numberedTo: string | null
  attributes: string[]
  parallels: Variant[]
}

type Json = Record<string, unknown>

/** Whether a JSON document is a release: it has a name and sets. */
export const isRelease = (json: unknown): json is Json =>
  isObject(json) && typeof json.name === 'string' && Array.isArray(json.sets)

/** How deeply parallels may be nested, far deeper than in any release. */
const deepest = 20

/** How many cards a release may have, and how many values one of its cards or sets; real ones have a tenth. */
const mostCards = 30_000
const mostValues = 10_000

/** Why a release is too much to be read. Undefined if it isn't. Gives others their turns. */
export const releaseExcess = async (json: Json): Promise<string | undefined> => {
  const sets = objects(json.sets)
  const cards = sets.reduce((count, set) => count + list(set.cards).length, sets.length)
  if (cards > mostCards) return `The release has more than ${sayNumber(mostCards)} sets and cards.`
  const parts = [{ ...json, sets: [] }, ...sets.flatMap((set) => [{ ...set, cards: [] }, ...list(set.cards)])]
  const excesses = await mapInTurns(parts, excessOf)
  return excesses.find((excess) => excess !== undefined)
}

const excessOf = (part: unknown): string | undefined => {
  if (!hasAtMost(mostValues, part)) return `A set or card of the release has more than ${sayNumber(mostValues)} values.`
  const { parallels, variations } = isObject(part) ? part : {}
  const isDeep = [parallels, variations].some((variants) => isNested(variants, deepest))
  return isDeep ? 'Its parallels are nested too deeply to be read.' : undefined
}

const isNested = (json: unknown, most: number): boolean =>
  !isNone(json) && objects(json).some(({ parallels }) => most === 0 || isNested(parallels, most - 1))

/** Reads a release document. A card that isn't an object becomes null, and other members of the wrong type are left out. */
export const readReleaseDocument = async (json: Json): Promise<ReleaseDocument> => ({
  name: line(json.name) ?? '',
  uniqueId: text(json.uniqueId),
  notes: texts(json.notes),
  attributes: objects(json.attributes).map((each) => ({ code: line(each.attribute) ?? '', name: line(each.note) })),
  sets: await readSets(objects(json.sets)),
})

const readSets = async (json: Json[]): Promise<ReleaseSet[]> => {
  const sets: ReleaseSet[] = []
  for (const set of json) sets.push(await readSet(set))
  return sets
}

const readSet = async (json: Json): Promise<ReleaseSet> => ({
  name: line(json.name) ?? '',
  uniqueId: text(json.uniqueId),
  notes: texts(json.notes),
  odds: readOdds(json.insertOdds),
  numberedTo: line(json.numberedTo),
  attributes: lines(json.attributes),
  parallels: variants(json.parallels),
  variations: variants(json.variations),
  cards: await mapInTurns(list(json.cards), (card) => (isObject(card) ? readCard(card) : null)),
})

const readCard = (json: Json): ReleaseCard => ({
  name: line(json.name) ?? '',
  uniqueId: text(json.uniqueId),
  number: line(json.number),
  attributes: lines(json.attributes),
  note: text(json.note),
  odds: readOdds(json.insertOdds),
  numberedTo: line(json.numberedTo),
  parallels: variants(json.parallels),
  variations: variants(json.variations),
})

const variants = (json: unknown): Variant[] =>
  isNone(json)
    ? []
    : list(json)
        .map((each): Json => (isObject(each) ? each : { name: each }))
        .map((each) => ({
          name: line(each.name) ?? line(each.variation) ?? '',
          notes: [text(each.note), ...texts(each.notes)].filter((note) => note !== null),
          odds: readOdds(each.insertOdds),
          numberedTo: line(each.numberedTo),
          attributes: lines(each.attributes),
          parallels: variants(each.parallels),
        }))
        .filter((variant) => variant.name !== '')

const readOdds = (json: unknown) =>
  isNone(json)
    ? []
    : objects(json)
        .map((each) => [text(each.product), text(each.odds)].filter(Boolean).join(' '))
        .filter(Boolean)

/** Whether a member is missing or empty, as most of a card's are. Checked first so that no array is made for them. */
const isNone = (json: unknown) => json === undefined || json === null || (Array.isArray(json) && json.length === 0)
const list = (json: unknown): unknown[] =>
  Array.isArray(json) ? json : json === undefined || json === null ? [] : [json]
const objects = (json: unknown) => list(json).filter(isObject)
const texts = (json: unknown) =>
  isNone(json)
    ? []
    : list(json)
        .map(text)
        .filter((each) => each !== null)
const lines = (json: unknown) => {
  const found: string[] = []
  if (isNone(json)) return found
  for (const each of list(json)) {
    const one = line(each)
    if (one) found.push(one)
  }
  return found
}

/**
 * A trimmed text, or a number as text. Null for an empty text or anything else. Of one that is too long for any field, so much
 * that it is refused.
 */
const text = (json: unknown): string | null =>
  typeof json === 'string'
    ? json.slice(0, sizes.importCell.most + 1).trim() || null
    : typeof json === 'number'
      ? String(json)
      : null

/** The same, on one line. */
const line = (json: unknown): string | null => oneLine(text(json) ?? '') || null
