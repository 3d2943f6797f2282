import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { mayBeOneNumber, numberKey, partsOfNumber, spellingsOfNumber } from '../../../model/card-number.ts'
import { personName } from '../../../model/person-name.ts'
import type { CardItem, SetItem } from '../../read/item.ts'
import { alikeKey } from '../../read/names/alike.ts'
import { partsOf } from '../../read/names/card-text.ts'
import type { Part } from '../run/chunk-context.ts'
import type { PlacedSets } from '../session.ts'
import { findOtherSports } from './other-sports.ts'

/** The first cards of a file's sets, by their keys, and the keys of the sets below each. They tell what set it is. */
export const beginSamples = () => {
  const cards = new Map<string, CardItem[]>()
  const below = new Map<string, string[]>()
  return {
    begin: ({ key, parentKey, id }: SetItem) => {
      if (id !== null) return
      cards.set(key, [])
      if (parentKey !== null) below.getOrInsertComputed(parentKey, (): string[] => []).push(key)
    },
    add: (card: CardItem) => {
      const some = cards.get(card.setKey)
      if (some && some.length < sampled && card.number !== null && !card.deleted) some.push(card)
    },
    hasParts: (key: string): boolean => below.has(key),
    /** Those of a set, and of the sets below it. */
    of: (key: string): CardItem[] => {
      const keys = new Set([key])
      for (const each of keys) for (const child of below.get(each) ?? []) keys.add(child)
      return [...keys].flatMap((each) => cards.get(each) ?? []).slice(0, sampled)
    },
  }
}
export type Samples = ReturnType<typeof beginSamples>

const sampled = 40

/** A set of a file and a set that it may be, with its sport if one of the two doesn't say it. */
export type Pair = { item: SetItem; id: string; genre?: string | null }

/**
 * How many of their numbers have the same people or title on both sides, and how many don't, and whether the people and teams of the one
 * without a sport are of other sports. `hasParts`: the file has sets below, whose cards may be of other sets of the name.
 */
export type SameCards = { agree: number; differ: number; missing: number; areOtherSports: boolean; hasParts: boolean }

/** What cards say of a file's sets and those that they may be. */
export const beginEvidence = () => {
  const known = new Map<string, SameCards>()
  const keyOf = (item: SetItem, id: string) => `${id} ${item.key}`
  return {
    of: (item: SetItem, id: string) => known.get(keyOf(item, id)),
    /** Compares the cards of sets, once for each two. */
    gather: async (
      db: Pick<Database, 'sql'>,
      pairs: Pair[],
      { samples, placed, part }: { samples: Samples; placed: PlacedSets; part: Part },
    ) => {
      // Two sets that the item's own file names in two ways are told apart by it.
      const ofFiles = new Set(Iterator.from(placed.values()).map(({ file, id }) => `${id} ${file}`))
      const others = pairs.filter(({ item, id }) => !ofFiles.has(`${id} ${item.file}`))
      const counts = await compareCards(db, others, samples, part)
      const ofSports = others.flatMap(({ item, id, genre }) =>
        genre === undefined ? [] : { item, id, cards: samples.of(item.key), said: item.genre, stored: genre },
      )
      const sports = await findOtherSports(db, ofSports, part.known.pretendedPeople, part.session.began)
      const areOther = new Set(ofSports.flatMap(({ item, id }, at) => (sports[at] ? keyOf(item, id) : [])))
      const nothing = { agree: 0, differ: 0, missing: 0, areOtherSports: false, hasParts: false }
      for (const { item, id } of pairs) known.set(keyOf(item, id), nothing)
      for (const [at, { item, id }] of others.entries()) {
        const key = keyOf(item, id)
        const facts = { areOtherSports: areOther.has(key), hasParts: samples.hasParts(item.key) }
        known.set(key, { ...nothing, ...counts[at], ...facts })
      }
    },
  }
}
export type Evidence = ReturnType<typeof beginEvidence>

/**
 * Compares the cards of a file's sets, and of those below them, with the cards of sets that they may be, in a dry run also with those that
 * the import would have written.
 */
const compareCards = async (
  db: Pick<Database, 'sql'>,
  pairs: Pair[],
  samples: Samples,
  part: Part,
): Promise<Pick<SameCards, 'agree' | 'differ' | 'missing'>[]> => {
  const asked = pairs.map(({ item }) => samples.of(item.key))
  const stored = await readCards(db, pairs, asked, part)
  return pairs.map((_, at) => {
    const counts = { agree: 0, differ: 0, missing: 0 }
    const byNumber = Map.groupBy(asked[at] ?? [], ({ number }) => numberKey(number))
    for (const [number, cards] of byNumber) {
      const parts = partsOfNumber(number)
      const names = (stored[at]?.get(parts.base) ?? [])
        .filter(({ key }) => mayBeOneNumber(partsOfNumber(key), parts))
        .map(({ name }) => ` ${alikeKey(name)} `)
      const wanted = cards.flatMap(namesOn).map((name) => ` ${alikeKey(name)} `)
      if (names.length === 0) counts.missing++
      if (names.length === 0 || wanted.length === 0) continue
      counts[wanted.some((one) => names.some((name) => name.includes(one))) ? 'agree' : 'differ']++
    }
    return counts
  })
}

/** Who is on a card, or what it is called. */
const namesOn = ({ entries, title }: CardItem) => {
  const people = entries.flatMap(({ player, team }) => (player ? partsOf(personName(player)) : (team ?? [])))
  return people.length > 0 ? people : title ? [title] : []
}

type Names = Map<string, { key: string; name: string }[]>

/** The names of the cards with the asked numbers, however these are written, in each pair's set and in those below it, by what their spellings share. */
const readCards = async (
  { sql }: Pick<Database, 'sql'>,
  pairs: Pair[],
  asked: CardItem[][],
  { session, known }: Part,
): Promise<Names[]> => {
  const basesOf = (at: number) => new Set(asked[at]?.map(({ number }) => partsOfNumber(numberKey(number)).base))
  const wanted = pairs.flatMap(({ id }, at) =>
    [...basesOf(at)].flatMap((base) =>
      spellingsOfNumber({ base, total: null }).map((key) => ({ at: String(at), id, key })),
    ),
  )
  const found = pairs.map((): Names => new Map())
  if (wanted.length === 0) return found
  const rows = await sql<{ at: string; key: string | null; name: string | null }[]>`
    with recursive tree as (
      select id as root, id from unnest(${arrayOf([...new Set(wanted.map(({ id }) => id))])}::uuid[]) as w (id)
      union
      select t.root, s.id from tree t join sets s on s.parent_id = t.id and s.audience >= 1
    )
    select w.at, c.number_key as key, c.name
    from unnest(${arrayOfTexts(wanted.map(({ at }) => at))}::text[], ${arrayOf(wanted.map(({ id }) => id))}::uuid[],
      ${arrayOfTexts(wanted.map(({ key }) => key))}::text[]) as w (at, id, key)
    join tree t on t.root = w.id
    cross join lateral (
      select number_key, name from cards
      where set_id = t.id and number_key collate "C" >= w.key collate "C" and number_key collate "C" < (w.key || '0') collate "C"
        and deleted_at is null
      offset 0
    ) c`
  const add = (at: number, key: string, name: string) =>
    found[at]?.getOrInsertComputed(partsOfNumber(key).base, () => []).push({ key, name })
  for (const { at, key, name } of rows) if (key && name) add(Number(at), key, name)
  const { pretendedCards } = session
  if (!pretendedCards) return found
  const below = Map.groupBy([...known.pretendedSets.values()].flat(), ({ parent_id }) => parent_id)
  for (const [at, { id }] of pairs.entries()) {
    const ids = new Set([id])
    for (const each of ids) for (const set of below.get(each) ?? []) ids.add(set.id)
    for (const base of basesOf(at))
      for (const set_id of ids)
        for (const card of pretendedCards.at(`${set_id} ${base}`))
          if (card.set_id === set_id) add(at, numberKey(card.number), card.name)
  }
  return found
}
