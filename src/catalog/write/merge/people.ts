import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { changeEntries, readEntries } from '../card/entries.ts'
import { type Claims, noClaims } from '../locks/order.ts'
import { lockSets, setsOfCards } from '../locks/sets.ts'
import { count } from '../locks/tallies.ts'
import type { StoredEntry, Writer } from '../record.ts'
import { changePairs, joinPairs, readPairsOf, type StoredPair, sides } from './pairs.ts'

/** Players or teams to be merged into one of them. */
type People = { type: 'players' | 'teams'; from: string[]; into: string }

/**
 * What merging people locks: all of them, their pairs and everything that these name, and the cards that change, with their
 * sets.
 */
export const claimsOfPeople = async (tx: Transaction, people: People): Promise<Claims> => {
  const { type, from, into } = people
  const claims = noClaims()
  const pairs = await readPairsOf(tx, sides[type], [...from, into])
  claimPairs(claims, pairs)
  for (const id of [...from, into]) {
    count(claims.tallies, 'cards', type, id)
    claims.rows.add(`pairs of ${type}:${id}`)
  }
  for (const id of from) claims.rows.add(`cards of ${type}:${id}`)
  const { joined } = joinPairs(pairs, sides[type], into)
  for (const id of joined.keys()) claims.rows.add(`cards of playerteams:${id}`)
  for (const id of await setsOfCards(tx, await findCards(tx, people, [...joined.keys()]))) claims.sets.add(id)
  return claims
}

/** Locks pairs and both of their sides. */
const claimPairs = (claims: Claims, pairs: StoredPair[]) => {
  for (const { id, playerId, teamId } of pairs) {
    claims.rows.add(`pair:${id}`)
    count(claims.tallies, 'cards', 'playerteams', id)
    count(claims.tallies, 'cards', 'players', playerId)
    count(claims.tallies, 'cards', 'teams', teamId)
  }
}

/**
 * Makes everything that names a player or team name another one: player-teams, and live cards, which name nobody twice. Returns
 * the player-teams that became another one. A deleted card keeps what it had.
 */
export const mergePeople = async (tx: Transaction, people: People, writer: Writer): Promise<Map<string, string>> => {
  const { type, from, into } = people
  const pairs = await readPairsOf(tx, sides[type], [...from, into])
  const { changes, joined } = joinPairs(pairs, sides[type], into)
  const ids = await findCards(tx, people, [...joined.keys()])
  await lockSets(tx, await setsOfCards(tx, ids))
  await changePairs(tx, changes, writer)
  const gone = new Set(from)
  const cards = [...(await readEntries(tx, ids)).values()].map((card) => ({
    card,
    after: mergedEntries(card.entries, { type, gone, into, joined }),
  }))
  await changeEntries(tx, cards, writer)
  return joined
}

type Merged = { type: People['type']; gone: ReadonlySet<string>; into: string; joined: ReadonlyMap<string, string> }

/**
 * A card's entries after the merge. A player who would be on it twice is on it once, with their team if any of their entries
 * has one. A team stays with each of its players.
 */
const mergedEntries = (entries: StoredEntry[], { type, gone, into, joined }: Merged): StoredEntry[] => {
  const side = sides[type]
  const isMerged = entries.some((entry) => gone.has(entry[side] ?? ''))
  const named = entries.map((entry) => ({
    ...entry,
    id: entry.type === type && gone.has(entry.id) ? into : (joined.get(entry.id) ?? entry.id),
    [side]: gone.has(entry[side] ?? '') ? into : entry[side],
  }))
  const isSame = (one: StoredEntry, other: StoredEntry) =>
    (one.type === other.type && one.id === other.id) ||
    (isMerged && type === 'players' && one.playerId === into && other.playerId === into)
  const once: StoredEntry[] = []
  for (const entry of named) {
    const place = once.findIndex((one) => isSame(one, entry))
    if (place < 0) once.push(entry)
    else if (once[place]?.type === 'players' && entry.type === 'playerteams') once[place] = entry
  }
  return once
}

/** The live cards that name the people themselves or one of these player-teams. */
const findCards = async (tx: Transaction, { type, from }: People, pairIds: string[]): Promise<string[]> => {
  const [column, lists] = type === 'players' ? ['player_id', 'lists_player'] : ['team_id', 'lists_team']
  const rows = await tx.sql<{ id: string }[]>`
    select card_id as id from oncard
    where ${tx.sql(column as string)} = any(${arrayOf(from)}::text::uuid[]) and ${tx.sql(lists as string)}
    union
    select card_id from oncard where player_team_id = any(${arrayOf(pairIds)}::text::uuid[]) and lists_player_team`
  return rows.map(({ id }) => id)
}
