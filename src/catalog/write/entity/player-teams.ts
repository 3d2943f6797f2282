import type { Transaction } from '../../../../db/client.ts'
import { noSuch, notFound, validationFailed } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import { everything } from '../../model/counts.ts'
import { countOncard } from '../card/counts.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { noteEdits } from '../history/audit.ts'
import { deletion, restoration } from '../history/fields.ts'
import { importOf } from '../history/imported.ts'
import { writeRevisions } from '../history/revisions.ts'
import { lostRace, type Tallies } from '../locks/order.ts'
import { applyTallies, count, difference } from '../locks/tallies.ts'
import type { CardRecord, Pair, Writer } from '../record.ts'
import { causedBy, lockPairs, lockSetsOfLeft, lockSetsOfPairs, putOnCards, takeOffCards } from './pairs-on-cards.ts'

/** A stored player-team. */
export type PairRow = Pair & { id: string; audience: number; deleted: boolean }

/**
 * Creates player-teams of pairs, each as a POST would: a new row, or a soft-deleted one of the same pair, restored. Returns ids
 * and outcomes in the order of the pairs. `taken` is a live pair, left as it is.
 */
export const createPlayerTeams = async (
  tx: Transaction,
  pairs: (Pair & { id: string })[],
  writer: Writer,
): Promise<{ id: string; outcome: 'created' | 'restored' | 'taken' }[]> => {
  const locks: Tallies = new Map()
  for (const pair of pairs) {
    count(locks, 'cards', 'players', pair.playerId)
    count(locks, 'cards', 'teams', pair.teamId)
  }
  await applyTallies(tx, locks)
  await requirePeople(tx, pairs, writer.level)
  const inserted = await tx.sql<{ id: string }[]>`
    insert into player_teams (id, player_id, team_id, name, created_at, updated_at, import_id)
    select n.id, n.player_id, n.team_id, p.name || ' (' || t.name || ')', ${writer.now.toISOString()}::timestamptz,
      ${writer.now.toISOString()}::timestamptz, ${importOf(writer)}::uuid
    from unnest(${pairs.map((pair) => pair.id)}::uuid[], ${pairs.map((pair) => pair.playerId)}::uuid[],
      ${pairs.map((pair) => pair.teamId)}::uuid[]) as n (id, player_id, team_id)
    join players p on p.id = n.player_id join teams t on t.id = n.team_id
    on conflict (player_id, team_id) where not is_yielded do nothing
    returning id`
  const created = new Set(inserted.map((row) => row.id))
  const found = await readPairs(tx, pairs)
  const restored = [...found.values()].filter((row) => row.deleted)
  const ids = restored.map((row) => row.id)
  await restore(tx, ids, writer.now)
  const raised = [...found.values()].filter((row) => created.has(row.id) || row.deleted)
  const moved = raised.map((row) => ({ row, before: Audience.deleted, after: Audience.draft }))
  await countPairs(tx, moved, writer.now)
  const back = restored.map(({ id }) => ({ id, ...restoration }))
  await writeRevisions(tx, 'playerteams', back, writer)
  noteEdits(tx, 'playerteams', 'created', [...created], writer)
  return pairs.map((pair) => {
    const row = found.get(`${pair.playerId}:${pair.teamId}`)
    if (!row) throw lostRace('a player-team was removed')
    return { id: row.id, outcome: created.has(row.id) ? 'created' : row.deleted ? 'restored' : 'taken' }
  })
}

/** Refuses pairs whose player or team doesn't exist or is hidden at a level, each at its field. */
export const requirePeople = async (tx: Transaction, pairs: Pair[], level: number) => {
  const playerIds = pairs.map((pair) => pair.playerId)
  const players = await audiences(tx, 'players', playerIds)
  const teamIds = pairs.map((pair) => pair.teamId)
  const teams = await audiences(tx, 'teams', teamIds)
  const faults = pairs.flatMap((pair) => [
    ...((players.get(pair.playerId) ?? -1) >= level
      ? []
      : [noSuch('player', { pointer: '/data/attributes/player_id' })]),
    ...((teams.get(pair.teamId) ?? -1) >= level ? [] : [noSuch('team', { pointer: '/data/attributes/team_id' })]),
  ])
  if (faults.length > 0) throw validationFailed(faults)
}

/** The audiences of the live players or teams among these ids. */
export const audiences = async (tx: Transaction, table: 'players' | 'teams', ids: string[]) => {
  const rows = await tx.sql<{ id: string; audience: number }[]>`
    select id, audience from ${tx.sql(table)} where id = any(${ids}::uuid[]) and deleted_at is null`
  return new Map(rows.map((row) => [row.id, row.audience]))
}

const readPairs = async (tx: Transaction, pairs: Pair[]) => {
  const rows = await tx.sql<PairRow[]>`
    select pt.id, pt.player_id as "playerId", pt.team_id as "teamId", pt.audience, pt.deleted_at is not null as deleted
    from player_teams pt
    join unnest(${pairs.map((pair) => pair.playerId)}::uuid[], ${pairs.map((pair) => pair.teamId)}::uuid[])
      as n (player_id, team_id) on pt.player_id = n.player_id and pt.team_id = n.team_id and not pt.is_yielded`
  return new Map(rows.map((row) => [`${row.playerId}:${row.teamId}`, row]))
}

const restore = async (tx: Transaction, ids: string[], now: Date) => {
  if (ids.length === 0) return
  await tx.sql`
    update player_teams pt
    set audience = 1, deleted_at = null, version = pt.version + 1, updated_at = ${now.toISOString()}::timestamptz,
      name = p.name || ' (' || t.name || ')'
    from players p, teams t
    where pt.id = any(${ids}::uuid[]) and p.id = pt.player_id and t.id = pt.team_id`
}

/** Counts and notes pairs that moved from one audience to another. */
export const countPairs = async (
  tx: Transaction,
  moved: { row: PairRow; before: number; after: number }[],
  now: Date,
) => {
  const changes: Changes = new Map()
  const tallies: Tallies = new Map()
  for (const { row, before, after } of moved) {
    const [live, published] = difference(before, after)
    count(tallies, 'playerteams', 'playerteams', everything, live, published)
    count(tallies, 'playerteams', 'players', row.playerId, live, published)
    count(tallies, 'playerteams', 'teams', row.teamId, live, published)
    note(changes, 'playerteams', before, after, [row.id])
  }
  await applyTallies(tx, tallies)
  await writeChanges(tx, changes, now)
}

/**
 * Creates a player-team as a POST does. A soft-deleted one of the same pair is restored, and is back on the cards that its
 * deletion took it off, except where somebody has changed the entry since.
 */
export const postPlayerTeam = async (tx: Transaction, pair: Pair & { id: string }, writer: Writer) => {
  const deleted = [...(await readPairs(tx, [pair])).values()].find((row) => row.deleted)
  if (deleted) {
    await lockSetsOfLeft(tx, deleted)
    await lockPairs(tx, [deleted])
  }
  const [made] = await createPlayerTeams(tx, [pair], writer)
  if (deleted && made?.outcome === 'restored') await putOnCards(tx, deleted, writer)
  return made
}

/**
 * Soft-deletes a player-team. Cards that show it keep the player (decisions.md §19). 404 if it isn't visible at the writer's
 * level.
 */
export const deletePlayerTeam = async (tx: Transaction, id: string, writer: Writer) => {
  const { level, expects } = writer
  const before = await requirePair(tx, id, { level })
  await lockSetsOfPairs(tx, [id])
  await lockPairs(tx, [before])
  const row = await requirePair(tx, id, { level, expects })
  if (row.playerId !== before.playerId || row.teamId !== before.teamId) throw lostRace('a player-team was changed')
  await tx.sql`
    update player_teams set audience = 0, deleted_at = ${writer.now.toISOString()}::timestamptz,
      updated_at = ${writer.now.toISOString()}::timestamptz, version = version + 1 where id = ${id}`
  await countPairs(tx, [{ row, before: row.audience, after: Audience.deleted }], writer.now)
  await writeRevisions(tx, 'playerteams', [{ id, ...deletion }], causedBy(row, writer))
  await takeOffCards(tx, row, writer)
}

/** Locks a player-team with both sides of these pairs and everything on these cards. */
export const lockPair = async (tx: Transaction, id: string, pairs: Pair[], cards: CardRecord[]) => {
  const locks: Tallies = new Map()
  count(locks, 'cards', 'playerteams', id)
  for (const card of cards) countOncard(locks, card.entries, card.attributeIds, 1, 0)
  for (const pair of pairs) {
    count(locks, 'cards', 'players', pair.playerId)
    count(locks, 'cards', 'teams', pair.teamId)
  }
  await applyTallies(tx, locks)
}

/** A live player-team that the writer can see, or 404. The writer may expect a revision of it. */
export const requirePair = async (
  tx: Transaction,
  id: string,
  { level, expects }: Pick<Writer, 'level' | 'expects'>,
): Promise<PairRow> => {
  const [row] = await tx.sql<(PairRow & { revision: string })[]>`
    select id, player_id as "playerId", team_id as "teamId", audience, deleted_at is not null as deleted,
      version || '.' || (extract(epoch from created_at) * 1000)::bigint as revision
    from player_teams where id = ${id}`
  if (!row || row.audience < level || row.deleted) throw notFound()
  expects?.(row.revision)
  return row
}
