import type { Transaction } from '../../../db/client.ts'
import type { Bearer } from './bearers.ts'
import type { CardState, StoredEntry } from './card-record.ts'
import type { CardChange } from './cards.ts'
import { type Changes, note, writeChanges } from './changes.ts'
import { cross } from './crossing.ts'
import { setDependents } from './dependents.ts'
import { addCards, type CardsAdded, type LockedSet } from './sets-locked.ts'
import { applyTallies, count, countsOf, crossings, type Tallies } from './tallies.ts'

/**
 * Counts what changing these cards adds to sets, blocks and bearers, and locks every bearer before and after, so that
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
  for (const { before, after } of changes) {
    if (before) {
      addTo(added, sets.get(before.setId), before.deleted ? 0 : -1)
      countBearers(tallies, before.entries, before.attributeIds, -1, audienceOf(before, sets))
    }
    addTo(added, sets.get(after.setId), after.deleted ? 0 : 1)
    const entries = after.entries.map((entry) => withEffective(entry, bearers))
    countBearers(tallies, entries, after.attributeIds, 1, audienceOf(after, sets))
  }
  await addCards(tx, added)
  const counting = applyTallies(tx, tallies)
  const told = tellCards(changes, sets)
  const crossed = crossings(await counting)
  return (now: Date) => finishCounting(tx, told, crossed, now)
}

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
