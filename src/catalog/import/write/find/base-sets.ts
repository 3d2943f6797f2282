import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import type { CardItem, SetItem } from '../../read/item.ts'
import { alikeKey } from '../../read/names/alike.ts'
import { addNote } from '../report.ts'
import type { Part } from '../run/chunk-context.ts'
import type { PlacedSets } from '../session.ts'

/** What a set with a release's base cards is called below it, by `alikeKey`. */
const baseNames = ['base', 'base set', 'base sets', 'base card', 'base cards', '[base]', '(base)']

/** Whether a set with this name has a release's base cards. */
export const isBase = (name: string): boolean => baseNames.includes(alikeKey(name))

/** How many cards of its own a stored release has, and the sets below it that are called Base. */
type Release = { liveCards: number; bases: { id: string; name: string }[] }

/**
 * Places a file's Base below a release where the release's base cards are: in its only set of another such name, or in the release itself
 * if that has cards of its own, stored or earlier in the import. Returns the items that have a place. `coveredBefore` says which sets had
 * cards when an item was read.
 */
export const placeBases = async (
  db: Database,
  items: SetItem[],
  placed: PlacedSets,
  part: Part,
): Promise<ReadonlySet<SetItem>> => {
  const open = items.filter((item) => isNamed(item) && isBase(item.name) && placed.has(item.parentKey ?? ''))
  const done = new Set<SetItem>()
  if (open.length === 0) return done
  const idOf = (key: string) => placed.get(key)?.id ?? ''
  const releases = await readReleases(
    db,
    open.map((item) => idOf(item.parentKey ?? '')),
    part,
  )
  const coveredAt = new Map<string, number>()
  for (const [at, key] of [...part.known.covered].entries()) if (!coveredAt.has(idOf(key))) coveredAt.set(idOf(key), at)
  for (const item of open) {
    const parent = placed.get(item.parentKey ?? '')
    const { liveCards = 0, bases = [] } = releases.get(parent?.id ?? '') ?? {}
    const isSame = bases.some(({ name }) => alikeKey(name) === alikeKey(item.name))
    const isCovered = (coveredAt.get(parent?.id ?? '') ?? Number.POSITIVE_INFINITY) < (item.coveredBefore ?? 0)
    if (!parent || isSame || bases.length > 1 || (bases.length === 0 && liveCards === 0 && !isCovered)) continue
    const [only] = bases
    placed.set(item.key, only ? { ...parent, id: only.id, fullName: `${parent.fullName} ${only.name}` } : parent)
    done.add(item)
    say(part, item, `${parent.fullName}: ${item.name} is ${only ? only.name : 'its own cards'}`)
  }
  return done
}

/**
 * Gives cards of a release to its set Base, if it has one and no cards of its own: a file without a column for it means the same cards.
 * Returns the keys under which these sets are placed.
 */
export const intoBases = async (
  db: Database,
  cards: CardItem[],
  placed: PlacedSets,
  part: Part,
): Promise<ReadonlySet<string>> => {
  const { plainSets, bases } = part.known
  const into = new Set<string>()
  if (plainSets.size === 0) return into
  const keys = new Set(cards.flatMap(({ setKey, parent }) => [setKey, ...keyOfParent(parent)]))
  const plain = [...keys].filter((key) => plainSets.has(key))
  const unread = plain.flatMap((key) => placed.get(key)?.id ?? []).filter((id) => !bases.has(id))
  const releases = unread.length > 0 ? await readReleases(db, unread, part) : new Map<string, Release>()
  for (const id of unread) {
    const { liveCards, bases: found } = releases.get(id) ?? { liveCards: 0, bases: [] }
    bases.set(id, liveCards === 0 && found.length === 1 ? (found[0] ?? null) : null)
  }
  const keyOf = (key: string, card: CardItem) => {
    const set = placed.get(key)
    const base = plainSets.has(key) && set ? bases.get(set.id) : null
    if (!set || !base) return key
    const other = JSON.stringify([key, base.id])
    if (!placed.has(other)) say(part, card, `${set.fullName}: its cards are in ${base.name}`)
    placed.set(other, { ...set, id: base.id, fullName: `${set.fullName} ${base.name}` })
    into.add(other)
    return other
  }
  for (const card of cards) {
    card.setKey = keyOf(card.setKey, card)
    if (card.parent && 'setKey' in card.parent)
      card.parent = { ...card.parent, setKey: keyOf(card.parent.setKey, card) }
  }
  return into
}

/** Of sets with one key only one is written at a time: so are the sets Base of a release, however they are called. */
export const waveKeyOf = (item: SetItem, placed: PlacedSets): string => {
  const parent =
    item.parentKey === null || !isNamed(item) || !isBase(item.name) ? undefined : placed.get(item.parentKey)
  return parent ? `base ${parent.id}` : item.key
}

/** Whether rows name a set, and no id or line of its own does. */
export const isNamed = (item: SetItem): boolean => item.isNamedByCards === true && item.id === null

const keyOfParent = (parent: CardItem['parent']) => (parent && 'setKey' in parent ? [parent.setKey] : [])

const say = ({ known: { told }, report }: Part, { file, line }: Pick<SetItem, 'file' | 'line'>, text: string) => {
  if (told.has(`base ${text}`)) return
  told.add(`base ${text}`)
  addNote(report, { kind: 'note', file, line, rule: 'base-set', text })
}

/** Of some sets, those that have the same cards above their parallels: a release's sets Base, and the release of a set Base. */
export const findBesides = async (
  { sql }: Pick<Database, 'sql'>,
  ids: string[],
  { known: { pretendedSets } }: Pick<Part, 'known'>,
): Promise<Map<string, string[]>> => {
  const besides = new Map<string, string[]>()
  if (ids.length === 0) return besides
  const rows = await sql<{ id: string; parent_id: string }[]>`
    select id, parent_id from sets
    where (parent_id = any(${arrayOf(ids)}::uuid[]) or id = any(${arrayOf(ids)}::uuid[])) and parent_id is not null
      and audience >= 1 and name_key collate "C" = any(${arrayOfTexts(baseNames)}::text[])`
  const pretended = baseNames.flatMap((name) => pretendedSets.get(alikeKey(name)) ?? [])
  for (const { id, parent_id } of [...rows, ...pretended]) {
    if (!parent_id) continue
    besides.getOrInsertComputed(parent_id, () => []).push(id)
    besides.getOrInsertComputed(id, () => []).push(parent_id)
  }
  return besides
}

/** The ids of the sets called Base below each of some releases. */
export const basesOf = async (db: Database, ids: string[], part: Part): Promise<Map<string, string[]>> =>
  new Map([...(await readReleases(db, ids, part))].map(([id, { bases }]) => [id, bases.map((base) => base.id)]))

/** Reads releases with the sets called Base below them, in a dry run also those that it would create. */
const readReleases = async (
  { sql }: Database,
  ids: string[],
  { known: { pretendedSets } }: Part,
): Promise<Map<string, Release>> => {
  const rows = await sql<{ parent: string; liveCards: number; id: string | null; name: string }[]>`
    select p.id as parent, p.live_cards as "liveCards", c.id, c.name
    from sets p left join sets c on c.parent_id = p.id and c.audience >= 1 and c.name_key collate "C" = any(${arrayOfTexts(baseNames)}::text[])
    where p.id = any(${arrayOf([...new Set(ids)])}::uuid[])`
  const releases = new Map<string, Release>()
  for (const { parent, liveCards, id, name } of rows) {
    const release = releases.getOrInsertComputed(parent, () => ({ liveCards, bases: [] }))
    if (id) release.bases.push({ id, name })
  }
  for (const { id, name, parent_id } of baseNames.flatMap((name) => pretendedSets.get(alikeKey(name)) ?? []))
    if (parent_id && ids.includes(parent_id))
      releases.getOrInsertComputed(parent_id, () => ({ liveCards: 0, bases: [] })).bases.push({ id, name })
  return releases
}
