import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { conflict } from '../../../jsonapi/errors.ts'
import { tableOf } from '../../model/tables.ts'
import { writeCards } from '../../write/card/write.ts'
import { restorePlayerTeams } from '../../write/entity/restore-player-teams.ts'
import { writeEntities } from '../../write/entity/write.ts'
import type { Pair, Writer } from '../../write/record.ts'
import { writeSets } from '../../write/set/write.ts'
import { addLeft, type ImportReport } from '../write/report.ts'
import { findChanged } from './changed.ts'
import { eachMade } from './walk.ts'

/** The types that an import creates, each after the types that refer to it. */
export const madeTypes = [
  ...(['cards', 'sets', 'playerteams', 'players', 'teams'] as const),
  ...(['brands', 'manufacturers', 'genres', 'years', 'attributes'] as const),
] as const
type MadeType = (typeof madeTypes)[number]

/** Deletes the import's records of one type that nobody has touched, newest first. Those in use stay and are listed. */
export const deleteMade = (type: MadeType, isLast = true) =>
  eachMade(type, async (tx, ids, { importId, writer }, part) => {
    const found = await findMade(tx, type, ids, importId)
    const free = found.filter(({ isTouched }) => !isTouched)
    const staying = await remove(tx, type, free, writer, part)
    const touched = found.flatMap((one) =>
      one.isTouched ? [{ ...one, reason: 'Somebody has changed it since.' }] : [],
    )
    if (isLast) for (const { id, name, reason } of [...touched, ...staying]) addLeft(part, { type, id, name, reason })
  })

type Named = { id: string; name: string }

/** The live records among these, and whether somebody has changed them since, other than imports and merges since undone. */
const findMade = async (tx: Transaction, type: MadeType, ids: string[], importId: string) => {
  const { sql } = tx
  const rows = await sql<(Named & { isUsed: boolean; isRevised: boolean })[]>`
    select t.id, ${sql(type === 'attributes' ? 'attribute' : 'name')} as name,
      exists (
        select from revisions r where r.object_id = t.id and r.cause_id is distinct from ${importId}::uuid
      ) as "isRevised",
      ${sql.unsafe(type === 'cards' ? 't.image_ids is not null or' : '')} exists (
        select from object_attributes a where a.object_id = t.id and a.deleted_at is null
      ) or exists (select from identifiers i where i.object_id = t.id and i.audience >= 1 and i.created_at > t.created_at)
        as "isUsed"
    from ${sql(tableOf(type))} t where t.id = any(${arrayOf(ids)}::uuid[]) and t.deleted_at is null
    order by t.id desc`
  const revised = rows.flatMap(({ id, isRevised }) => (isRevised ? [id] : []))
  const changed = revised.length > 0 ? await findChanged(tx, type, revised, importId) : new Set<string>()
  return rows.map(({ id, name, isUsed }) => ({ id, name, isTouched: isUsed || changed.has(id) }))
}

/** Deletes records, and returns those that are in use. */
const remove = async (tx: Transaction, type: MadeType, records: Named[], writer: Writer, part: ImportReport) => {
  if (records.length === 0) return []
  const outcomes = await write(tx, type, records, writer)
  const names = new Map(records.map(({ id, name }) => [id, name]))
  part.deleted += outcomes.filter(({ result }) => result === 'updated').length
  return outcomes.flatMap(({ id, result, reason }) =>
    result === 'failed' ? [{ id, name: names.get(id) ?? id, reason: reason ?? 'It is in use.' }] : [],
  )
}

const write = async (tx: Transaction, type: MadeType, records: Named[], writer: Writer) => {
  if (type === 'playerteams') return restorePlayerTeams(tx, await pairsOf(tx, records), writer)
  const plans = records.map(({ id }) => ({ id, change: gone }))
  const outcomes =
    type === 'cards'
      ? await writeCards(tx, plans, writer)
      : type === 'sets'
        ? await removeSets(tx, records, writer)
        : await writeEntities(tx, type, plans, writer)
  return outcomes.map(({ id, result, error }) => ({ id, result, reason: error?.errors[0]?.detail ?? error?.message }))
}

const gone = <R extends object>(before: R | undefined) => {
  if (!before) throw new Error('A record no longer exists.')
  return { ...before, deleted: true }
}

/** Deletes sets, except those with cards or with child sets that stay. */
const removeSets = async (tx: Transaction, records: Named[], writer: Writer) => {
  const ids = records.map(({ id }) => id)
  const rows = await tx.sql<{ id: string; parent_id: string | null; live_cards: number }[]>`
    select id, parent_id, live_cards from sets
    where (id = any(${arrayOf(ids)}::uuid[]) or parent_id = any(${arrayOf(ids)}::uuid[])) and audience >= 1`
  const parentOf = new Map(rows.map(({ id, parent_id }) => [id, parent_id]))
  const going = new Set(ids)
  const parents = new Set<string>()
  for (const row of rows) {
    if (going.has(row.id) && row.live_cards === 0) continue
    for (let id = row.parent_id; id && !parents.has(id); id = parentOf.get(id) ?? null) parents.add(id)
  }
  return writeSets(
    tx,
    ids.map((id) => ({
      id,
      change: (before) => {
        if (before && before.live_cards > 0) return conflict('It has cards.')
        return parents.has(id) ? conflict('It has child sets.') : gone(before)
      },
    })),
    writer,
  )
}

const pairsOf = async ({ sql }: Transaction, records: Named[]) => {
  const rows = await sql<(Pair & { id: string })[]>`
    select id, player_id as "playerId", team_id as "teamId" from player_teams
    where id = any(${arrayOf(records.map(({ id }) => id))}::uuid[]) and not is_yielded`
  return rows.map((row) => ({ ...row, deleted: true }))
}
