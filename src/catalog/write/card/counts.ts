import type { Transaction } from '../../../../db/client.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { cross } from '../counts/crossing.ts'
import { setDependents } from '../counts/dependents.ts'
import { applyTallies, count, countsOf, crossings, type Tallies } from '../counts/tallies.ts'
import { addCards, type CardsAdded, type LockedSet } from '../locks/sets-locked.ts'
import { type Crossed, lockParentSets, setsOfParents, tellChildCards } from '../set/children.ts'
import type { Bearer } from './bearers.ts'
import type { CardChange } from './cards.ts'
import type { CardState, StoredEntry } from './record.ts'
import { addValues, countValues, type ValueChanges } from './values.ts'

/**
 * Counts what changing these cards adds to sets, blocks, bearers and values, and locks every bearer before and after, so that
 * a rename waits or was before. Answers the second half, to be called once the cards are written.
 */
export const countCards = async (
  tx: Transaction,
  changes: CardChange[],
  sets: Map<string, LockedSet>,
  bearers: Map<string, Bearer>,
) => {
  const added: CardsAdded = new Map()
  const tallies: Tallies = new Map()
  const values: ValueChanges = new Map()
  for (const { before, after } of changes) {
    if (before) {
      addValues(values, before, audienceOf(before, sets), -1)
      addTo(added, sets.get(before.setId), before.deleted ? 0 : -1)
      countBearers(tallies, before.entries, before.attributeIds, -1, audienceOf(before, sets))
    }
    addValues(values, after, audienceOf(after, sets), 1)
    addTo(added, sets.get(after.setId), after.deleted ? 0 : 1)
    const entries = after.entries.map((entry) => withEffective(entry, bearers))
    countBearers(tallies, entries, after.attributeIds, 1, audienceOf(after, sets))
  }
  countValues(tallies, values)
  await addCards(tx, added)
  const crossed = crossedCards(changes, sets)
  lockParentSets(tallies, await setsOfParents(tx, parentsOf(changes, sets)))
  lockParentSets(
    tallies,
    crossed.flatMap(({ setIds }) => setIds),
  )
  const counting = applyTallies(tx, tallies)
  const told = tellCards(changes, sets)
  const crossedBearers = crossings(await counting)
  return async (now: Date) => {
    await tellChildCards(
      tx,
      'cards',
      crossed,
      changes.map(({ id }) => id),
      now,
    )
    await finishCounting(tx, told, crossedBearers, now)
  }
}

/** The cards that were there before and that others see now, with the sets that they were in and are. */
const crossedCards = (changes: CardChange[], sets: Map<string, LockedSet>): (Crossed & { setIds: string[] })[] =>
  changes.flatMap(({ id, before, after }) => {
    if (!before) return []
    const [was, is] = [audienceOf(before, sets), audienceOf(after, sets)]
    return was === is ? [] : [{ id, before: was, after: is, setIds: [before.setId, after.setId] }]
  })

/** The parents of cards that others see now, or that have another one. */
const parentsOf = (changes: CardChange[], sets: Map<string, LockedSet>): string[] =>
  changes.flatMap(({ before, after }) => {
    const isSame = before?.parentId === after.parentId && audienceOf(before, sets) === audienceOf(after, sets)
    return after.parentId && !isSame ? [after.parentId] : []
  })

/** What the feed is told of the cards, and which of them have another audience now. */
type Told = { changes: Changes; moved: Record<number, string[]> }

const tellCards = (cards: CardChange[], sets: Map<string, LockedSet>): Told => {
  const told: Told = { changes: new Map(), moved: { 0: [], 1: [], 2: [] } }
  const groups: string[][][] = [0, 1, 2].map(() => [[], [], []])
  for (const { id, before, after } of cards) {
    const audienceBefore = before ? audienceOf(before, sets) : 0
    const audience = audienceOf(after, sets)
    groups[audienceBefore]?.[audience]?.push(id)
    if (before && audienceBefore !== audience) told.moved[audience]?.push(id)
  }
  for (const [before, ofBefore] of groups.entries())
    for (const [after, ids] of ofBefore.entries()) note(told.changes, 'cards', before, after, ids)
  return told
}

const finishCounting = async (
  tx: Transaction,
  { changes, moved }: Told,
  crossed: ReturnType<typeof crossings>,
  now: Date,
) => {
  const tallies: Tallies = new Map()
  await cross(tx, crossed, changes, tallies)
  for (const [audience, ids] of Object.entries(moved))
    if (ids.length > 0) await setDependents(tx, { cards: ids }, Number(audience), changes, tallies)
  await applyTallies(tx, tallies)
  await writeChanges(tx, changes, now)
}

/** Who sees a card: whoever sees its set, nobody once it is deleted. */
const audienceOf = (card: CardState, sets: Map<string, LockedSet>) =>
  card.deleted ? 0 : (sets.get(card.setId)?.audience ?? 0)

const addTo = (added: CardsAdded, set: LockedSet | undefined, cards: number) => {
  if (!set) return
  const entry = added.get(set.id) ?? { set, cards: 0 }
  entry.cards += cards
  added.set(set.id, entry)
}

/** The player and the team that an entry leads to. */
export const withEffective = (
  entry: { type: StoredEntry['type']; id: string },
  bearers: Map<string, Bearer>,
): StoredEntry => {
  const bearer = bearers.get(entry.id)
  return { ...entry, playerId: bearer?.playerId ?? null, teamId: bearer?.teamId ?? null }
}

/** Adds one card to each player, team, player-team and attribute on it, each once; locks them even where it adds nothing. */
export const countBearers = (
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
