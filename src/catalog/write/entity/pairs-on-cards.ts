import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { changeEntries, readEntries } from '../card/entries.ts'
import { exchangeEntries } from '../card/exchange.ts'
import type { Rows, Tallies } from '../locks/order.ts'
import { lockRows } from '../locks/rows.ts'
import { lockSets } from '../locks/sets.ts'
import { applyTallies, count } from '../locks/tallies.ts'
import type { Entry, Pair, StoredEntry, Writer } from '../record.ts'

type NamedPair = Pair & { id: string }

/** Locks player-teams and both of their sides, after the sets of the cards that they are taken off or come back to. */
export const lockPairs = (tx: Transaction, pairs: NamedPair[]) => {
  const locks: Tallies = new Map()
  for (const { id, playerId, teamId } of pairs) {
    count(locks, 'cards', 'playerteams', id)
    count(locks, 'cards', 'players', playerId)
    count(locks, 'cards', 'teams', teamId)
  }
  return applyTallies(tx, locks)
}

/** The live cards that name one of these player-teams. */
export const cardsOfPairs = async (tx: Transaction, ids: string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await tx.sql<{ id: string }[]>`
    select card_id as id from oncard where player_team_id = any(${arrayOf(ids)}::text::uuid[]) and lists_player_team`
  return rows.map(({ id }) => id)
}

/** Locks the sets of the live cards that name one of these player-teams. */
export const lockSetsOfPairs = async (tx: Transaction, ids: string[]) => {
  if (ids.length === 0) return
  const sets = await tx.sql<{ id: string }[]>`
    select id from sets where no in (
      select set_no from oncard where player_team_id = any(${arrayOf(ids)}::text::uuid[]) and lists_player_team
    )`
  await lockSets(
    tx,
    sets.map(({ id }) => id),
  )
}

/**
 * Takes a deleted player-team off the cards that show it, which may be very many. In its place, each card has the player alone,
 * once. The caller holds the sets and `lockPairs`.
 */
export const takeOffCards = async (tx: Transaction, pair: NamedPair, writer: Writer) => {
  const { id, playerId } = pair
  await lockSetsOfPairs(tx, [id])
  await lockRows(tx, [`pair:${id}`, `cards of playerteams:${id}`])
  await exchangeEntries(
    tx,
    pair,
    { cards: tx.sql`select card_id from oncard where player_team_id = ${id} and lists_player_team`, by: 'player' },
    causedBy(pair, writer),
  )
  await takeEachOff(tx, new Map([[id, playerId]]), causedBy(pair, writer))
}

/** Takes deleted player-teams off the cards that show them, given their players. The caller holds the sets and `lockPairs`. */
export const takeAllOffCards = async (tx: Transaction, pairs: NamedPair[], writer: Writer) => {
  if (pairs.length === 0) return
  const players = new Map(pairs.map(({ id, playerId }) => [id, playerId]))
  await lockSetsOfPairs(tx, [...players.keys()])
  await lockRows(
    tx,
    pairs.flatMap(({ id }): Rows[] => [`pair:${id}`, `cards of playerteams:${id}`]),
  )
  await takeEachOff(tx, players, causedBy(pairs[0], writer))
}

const takeEachOff = async (tx: Transaction, players: ReadonlyMap<string, string>, writer: Writer) => {
  const cards = [...(await readEntries(tx, await cardsOfPairs(tx, [...players.keys()]))).values()]
  const changes = cards.map((card) => ({ card, after: withoutPairs(card.entries, players) }))
  await changeEntries(tx, changes, writer)
}

const withoutPairs = (entries: StoredEntry[], players: ReadonlyMap<string, string>): StoredEntry[] => {
  const after = entries.map((entry): StoredEntry => {
    const playerId = players.get(entry.id)
    return playerId ? { type: 'players', id: playerId, playerId, teamId: null } : entry
  })
  return after.filter(({ id }, place) => after.findIndex((other) => other.id === id) === place)
}

/**
 * The cards that a deleted player-team was taken off when it was last deleted, as the history has them, and what was on them
 * before. A card that has since lost the player's own entry isn't among them, unless that was undone or is the work of another
 * player-team.
 */
const leftCards = ({ sql }: Pick<Transaction, 'sql'>, { id, playerId }: NamedPair) => {
  const pair = sql`${JSON.stringify([{ id }])}::text::jsonb`
  const player = sql`${JSON.stringify([{ type: 'players', id: playerId }])}::text::jsonb`
  return sql`
    select r.object_id as id, r.before -> 'oncard' as before
    from (
      select id, cause_id from revisions
      where object_id = ${id} and object_type = 'playerteams' and after @> '{"deleted": true}' order by id desc limit 1
    ) d join revisions r on r.cause_id = d.cause_id and r.id > d.id
    where r.object_type = 'cards' and r.before -> 'oncard' @> ${pair} and not r.after -> 'oncard' @> ${pair}
      and r.after -> 'oncard' @> ${player} and not exists (
        select from revisions l
        where l.object_id = r.object_id and l.id > r.id and not l.after -> 'oncard' @> ${player}
          and not exists (select from player_teams pt where pt.id = l.cause_id)
          and not exists (select from merges m where m.id = l.cause_id and m.undone_at is not null)
      )`
}

/** Locks the sets of the cards that a deleted player-team will come back to. */
export const lockSetsOfLeft = async (tx: Transaction, pair: NamedPair) => {
  const sets = await tx.sql<{ id: string }[]>`
    select distinct c.set_id as id from (${leftCards(tx, pair)}) l join cards c on c.id = l.id`
  await lockSets(
    tx,
    sets.map(({ id }) => id),
  )
}

/**
 * Puts a restored player-team back on the cards that its deletion took it off, where the player still stands. The caller holds
 * `lockSetsOfLeft` and `lockPairs`.
 */
export const putOnCards = async (tx: Transaction, pair: NamedPair, writer: Writer) => {
  const { id, playerId } = pair
  await lockSetsOfLeft(tx, pair)
  await lockRows(tx, [`pair:${id}`, `cards of players:${playerId}`])
  const isBeside = tx.sql`before @> ${JSON.stringify([{ type: 'players', id: playerId }])}::text::jsonb`
  await exchangeEntries(
    tx,
    pair,
    { cards: tx.sql`select id from (${leftCards(tx, pair)}) l where not ${isBeside}`, by: 'playerTeam' },
    causedBy(pair, writer),
  )
  const rest = await tx.sql<{ id: string; before: Entry[] }[]>`
    select * from (${leftCards(tx, pair)}) l
    where not exists (select from oncard o where o.card_id = l.id and o.player_team_id = ${id})`
  const was = new Map(rest.map((one) => [one.id, one.before]))
  const changes = [...(await readEntries(tx, [...was.keys()])).values()].map((card) => ({
    card,
    after: withPair(card.entries, pair, was.get(card.id) ?? []),
  }))
  await changeEntries(
    tx,
    changes.filter(({ card, after }) => after !== card.entries),
    causedBy(pair, writer),
  )
}

/** A card that also had the player alone gets the player-team beside that entry. */
const withPair = (entries: StoredEntry[], pair: NamedPair, before: Entry[]): StoredEntry[] => {
  const { id, playerId, teamId } = pair
  const entry: StoredEntry = { type: 'playerteams', id, playerId, teamId }
  if (before.some((one) => one.id === playerId)) {
    const place = before.findIndex((one) => one.id === id)
    return entries.toSpliced(place, 0, entry)
  }
  const place = entries.findIndex((one) => one.id === playerId)
  return place < 0 ? entries : entries.with(place, entry)
}

/** The history of these cards names the player-team, so that they are found again, unless an import or a merge is its cause. */
export const causedBy = (pair: NamedPair | undefined, writer: Writer): Writer => {
  const { cause = { kind: 'request' } } = writer
  return { ...writer, cause: { ...cause, id: cause.id ?? pair?.id } }
}
