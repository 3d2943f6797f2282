import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { moveAttached } from '../counts/attached.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { type Crossed, lockParentSets, noteChildCards } from '../counts/children.ts'
import { countBlocks } from '../counts/settle.ts'
import { addValues, countValues, type ValueChanges } from '../counts/values.ts'
import { cross } from '../counts/visibility-change.ts'
import type { Tallies } from '../locks/order.ts'
import { setsOfCards } from '../locks/sets.ts'
import { applyTallies, count, countsOf } from '../locks/tallies.ts'
import type { CardChange, CardState, Entry, LockedSet, StoredEntry, Subject } from '../record.ts'

/**
 * Counts what these changes add to sets, blocks, values and everything on the cards. Locks everything on them before and after,
 * so that a rename waits or has already happened. Returns the second half, to be called once the cards are written.
 */
export const countCards = async (
  tx: Transaction,
  changes: CardChange[],
  sets: Map<string, LockedSet>,
  subjects: Map<string, Subject>,
) => {
  const added = new Map<LockedSet, number>()
  const tallies: Tallies = new Map()
  const values: ValueChanges = new Map()
  const add = (card: CardState, entries: StoredEntry[], sign: 1 | -1) => {
    const audience = audienceOf(card, sets)
    const set = sets.get(card.set_id)
    if (set) added.set(set, (added.get(set) ?? 0) + (card.deleted ? 0 : sign))
    addValues(values, card, audience, sign)
    countOncard(tallies, entries, card.attributeIds, sign, audience)
  }
  for (const { before, after } of changes) {
    if (before) add(before, before.entries, -1)
    add(
      after,
      after.entries.map((entry) => withSides(entry, subjects)),
      1,
    )
  }
  countValues(tallies, values)
  await addLiveCards(tx, added)
  const crossed = crossedCards(changes, sets)
  lockParentSets(tallies, await setsOfCards(tx, parentsOf(changes, sets)))
  for (const { setIds } of crossed) lockParentSets(tallies, setIds)
  const counting = applyTallies(tx, tallies)
  const noted = noteCards(changes, sets)
  const counted = await counting
  return async (now: Date) => {
    const own = changes.map(({ id }) => id)
    await noteChildCards(tx, 'cards', crossed, own, now)
    const late: Tallies = new Map()
    await cross(tx, counted, noted.changes, late)
    for (const [audience, ids] of noted.moved.entries())
      if (ids.length > 0) await moveAttached(tx, { cards: ids }, audience, noted.changes, late)
    await applyTallies(tx, late)
    await writeChanges(tx, noted.changes, now)
  }
}

/** Adds to the live cards of locked sets, and for live sets to the blocks that they are in. */
const addLiveCards = async (tx: Transaction, added: Map<LockedSet, number>) => {
  const changed = [...added].filter(([, cards]) => cards !== 0)
  if (changed.length === 0) return
  await tx.sql`
    update sets set live_cards = live_cards + a.cards
    from unnest(${changed.map(([set]) => set.id)}::uuid[], ${changed.map(([, cards]) => cards)}::int[]) as a (id, cards)
    where sets.id = a.id`
  countBlocks(
    tx,
    changed.map(([{ no, audience }, cards]) => {
      const [live, published] = countsOf(audience)
      return { no, live: live * cards, published: published * cards }
    }),
  )
}

/** The cards that existed before and whose readers change, with the sets that they were and are in. */
const crossedCards = (changes: CardChange[], sets: Map<string, LockedSet>): (Crossed & { setIds: string[] })[] =>
  changes.flatMap(({ id, before, after }) => {
    if (!before) return []
    const [was, is] = [audienceOf(before, sets), audienceOf(after, sets)]
    return was === is ? [] : [{ id, before: was, after: is, setIds: [before.set_id, after.set_id] }]
  })

/** The parents of cards whose readers or parent change. */
const parentsOf = (changes: CardChange[], sets: Map<string, LockedSet>): string[] =>
  changes.flatMap(({ before, after }) => {
    const isSame = before?.parent_id === after.parent_id && audienceOf(before, sets) === audienceOf(after, sets)
    return after.parent_id && !isSame ? [after.parent_id] : []
  })

/** What the feed says about the cards, and which of them have another audience now, by that audience. */
const noteCards = (cards: CardChange[], sets: Map<string, LockedSet>) => {
  const changes: Changes = new Map()
  const moved: string[][] = [[], [], []]
  const groups: string[][][] = [0, 1, 2].map(() => [[], [], []])
  for (const { id, before, after } of cards) {
    const was = before ? audienceOf(before, sets) : Audience.deleted
    const is = audienceOf(after, sets)
    groups[was]?.[is]?.push(id)
    if (before && was !== is) moved[is]?.push(id)
  }
  for (const [before, ofBefore] of groups.entries())
    for (const [after, ids] of ofBefore.entries()) note(changes, 'cards', before, after, ids)
  return { changes, moved }
}

/** Who sees a card: everyone who sees its set, or nobody once it is deleted. */
const audienceOf = (card: CardState, sets: Map<string, LockedSet>) =>
  card.deleted ? Audience.deleted : (sets.get(card.set_id)?.audience ?? Audience.deleted)

/** An entry with its player and team. */
export const withSides = ({ type, id }: Entry, subjects: Map<string, Subject>): StoredEntry => {
  const subject = subjects.get(id)
  return { type, id, playerId: subject?.playerId ?? null, teamId: subject?.teamId ?? null }
}

/** Adds one card to each player, team, player-team and attribute on it, each once. Locks them even if it adds nothing. */
export const countOncard = (
  tallies: Tallies,
  entries: StoredEntry[],
  attributeIds: string[],
  sign: 1 | -1,
  audience: number,
) => {
  const [live, published] = countsOf(audience)
  const owners = new Map<string, string>()
  for (const entry of entries) {
    if (entry.playerId) owners.set(entry.playerId, 'players')
    if (entry.teamId) owners.set(entry.teamId, 'teams')
    if (entry.type === 'playerteams') owners.set(entry.id, 'playerteams')
  }
  for (const id of attributeIds) owners.set(id, 'attributes')
  for (const [id, owner] of owners) count(tallies, 'cards', owner, id, sign * live, sign * published)
}
